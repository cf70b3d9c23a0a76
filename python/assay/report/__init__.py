"""Makes the report, in English and Chinese: first records, from them tables and charts, then one HTML page.

`write_report` writes the files, `print_summary` prints to the terminal.
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.report.charts import build_charts, style
    from assay.report.charts.chart import Chart
    from assay.report.charts.panels import PanelPoint, panels
    from assay.report.charts.render import specification, to_png, to_svg
    from assay.report.escaping import in_csv, in_markdown
    from assay.report.explain import figure_text
    from assay.report.index import IndexedStudy, write_index
    from assay.report.my_cnf import my_cnf
    from assay.report.numbers import number
    from assay.report.records.distribution import merged
    from assay.report.tables import build_tables
    from assay.report.tables.model import Column, Figure, Table, Word
    from assay.report.tables.write import raw_rows, to_markdown
    from assay.report.terminal import print_summary
    from assay.report.words import LANGUAGES, Words, load_words
    from assay.report.write import material_in, write_report
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "LANGUAGES",
    "Chart",
    "Column",
    "Figure",
    "IndexedStudy",
    "PanelPoint",
    "Table",
    "Word",
    "Words",
    "build_charts",
    "build_tables",
    "figure_text",
    "in_csv",
    "in_markdown",
    "load_words",
    "material_in",
    "merged",
    "my_cnf",
    "number",
    "panels",
    "print_summary",
    "raw_rows",
    "specification",
    "style",
    "to_markdown",
    "to_png",
    "to_svg",
    "write_index",
    "write_report",
]
