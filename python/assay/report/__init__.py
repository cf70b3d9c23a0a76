"""Records first, then tables and charts, then one HTML page; in English and Chinese.

`write_report` for the files, `print_summary` for the terminal.
"""

from assay.report.terminal import print_summary
from assay.report.write import write_report

__all__ = ["print_summary", "write_report"]
