"""Records first, then tables and charts, then one HTML page; in English and Chinese.

`write_report` for the files, `print_summary` for the terminal.
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.report.terminal import print_summary
    from assay.report.write import write_report
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = ["print_summary", "write_report"]
