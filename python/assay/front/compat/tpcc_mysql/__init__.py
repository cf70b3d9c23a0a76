"""Stands in for tpcc-mysql: throughput as clause 5.1 of TPC-C counts it, the audit of its inputs, the tool's
text.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.compat.tpcc_mysql.audit import audit
    from assay.front.compat.tpcc_mysql.figures import tpcc_figures
    from assay.front.compat.tpcc_mysql.histograms import OverTime
    from assay.front.compat.tpcc_mysql.text import print_histograms, print_tpcc
    from assay.front.compat.tpcc_mysql.tool_text import ToolSettings, ToolText
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "OverTime",
    "ToolSettings",
    "ToolText",
    "audit",
    "print_histograms",
    "print_tpcc",
    "tpcc_figures",
]
