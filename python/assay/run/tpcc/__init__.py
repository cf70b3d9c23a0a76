"""What a run of TPC-C says of itself: throughput as clause 5.1 counts it, the audit of its inputs."""

from assay.run.tpcc.audit import audit
from assay.run.tpcc.figures import tpcc_figures
from assay.run.tpcc.histograms import OverTime
from assay.run.tpcc.text import print_histograms, print_tpcc
from assay.run.tpcc.tool_text import ToolSettings, ToolText

__all__ = [
    "OverTime",
    "ToolSettings",
    "ToolText",
    "audit",
    "print_histograms",
    "print_tpcc",
    "tpcc_figures",
]
