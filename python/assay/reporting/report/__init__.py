"""Makes the report, in English and Chinese: first records, from them tables and charts, then one HTML page.

`write_report` writes the files, `print_summary` prints to the terminal.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.reporting.report import disk_sentences
    from assay.reporting.report.cause_sentences import (
        bottleneck_sentence,
        outcome_sentence,
        outcomes_text,
        resource_sentence,
    )
    from assay.reporting.report.charts import (
        build_charts,
        captions,
        heat_of_run,
        limits,
        quantiles_of_runs,
        ratios,
        style,
    )
    from assay.reporting.report.charts.chart import Chart
    from assay.reporting.report.charts.drawing import Drawings
    from assay.reporting.report.charts.panels import PanelPoint, panels
    from assay.reporting.report.charts.pictures import kept_svg
    from assay.reporting.report.charts.render import records_csv, specification, to_png, to_svg
    from assay.reporting.report.charts.sides import common_loads, distribution_of, timelines_of
    from assay.reporting.report.disk_page import write_disk_page
    from assay.reporting.report.doubts_said import doubts_sentence, kind_name
    from assay.reporting.report.escaping import in_csv, in_markdown
    from assay.reporting.report.explain import (
        doubts_beside,
        explain_doubt,
        explain_estimate,
        explain_part,
        figure_text,
    )
    from assay.reporting.report.first_look import first_sentences, looks_of
    from assay.reporting.report.flame_page import flame_page
    from assay.reporting.report.gate_sentences import (
        MOST_LINES,
        chance_sentence,
        check_name,
        figure_of,
        gate_summary,
        lack_text,
        lacks_text,
        made_of,
        reach_text,
        why_unjudged,
    )
    from assay.reporting.report.index import IndexedStudy, write_index
    from assay.reporting.report.labels import labels as treatment_names
    from assay.reporting.report.ledger_sentences import (
        Telling,
        effect_of_watching,
        ledger_sentence,
        ledger_word,
        missing_ledgers,
        part_name,
        signed,
        told_of,
        uncompared_figures,
        why_sentences,
    )
    from assay.reporting.report.material import Material
    from assay.reporting.report.my_cnf import my_cnf
    from assay.reporting.report.page import DrawnFigure, drawn_figure, page_parts, page_style, shown_cell
    from assay.reporting.report.records.distribution import merged
    from assay.reporting.report.records.innodb import InnodbSeconds, innodb_seconds
    from assay.reporting.report.records.limits import Limit, level_limits, ratio_limits
    from assay.reporting.report.tables import build_tables
    from assay.reporting.report.tables.gates import checks_table, explain_check, gate_tables
    from assay.reporting.report.tables.innodb import innodb_table, line_name
    from assay.reporting.report.tables.model import (
        Cell,
        Column,
        Figure,
        Link,
        Origin,
        Ratio,
        Table,
        Word,
        named_columns,
    )
    from assay.reporting.report.tables.plans import plan_words
    from assay.reporting.report.tables.write import heading, raw_rows, to_csv, to_markdown, word
    from assay.reporting.report.terminal import print_summary
    from assay.reporting.report.typesetting import typeset
    from assay.reporting.report.verdict_sentences import explained
    from assay.reporting.report.words import LANGUAGES, Words, load_words
    from assay.reporting.report.write import material_in, write_report
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "LANGUAGES",
    "MOST_LINES",
    "Cell",
    "Chart",
    "Column",
    "Drawings",
    "DrawnFigure",
    "Figure",
    "IndexedStudy",
    "InnodbSeconds",
    "Limit",
    "Link",
    "Material",
    "Origin",
    "PanelPoint",
    "Ratio",
    "Table",
    "Telling",
    "Word",
    "Words",
    "bottleneck_sentence",
    "build_charts",
    "build_tables",
    "captions",
    "chance_sentence",
    "check_name",
    "checks_table",
    "common_loads",
    "disk_sentences",
    "distribution_of",
    "doubts_beside",
    "doubts_sentence",
    "drawn_figure",
    "effect_of_watching",
    "explain_check",
    "explain_doubt",
    "explain_estimate",
    "explain_part",
    "explained",
    "figure_of",
    "figure_text",
    "first_sentences",
    "flame_page",
    "gate_summary",
    "gate_tables",
    "heading",
    "heat_of_run",
    "in_csv",
    "in_markdown",
    "innodb_seconds",
    "innodb_table",
    "kept_svg",
    "kind_name",
    "lack_text",
    "lacks_text",
    "ledger_sentence",
    "ledger_word",
    "level_limits",
    "limits",
    "line_name",
    "load_words",
    "looks_of",
    "made_of",
    "material_in",
    "merged",
    "missing_ledgers",
    "my_cnf",
    "named_columns",
    "outcome_sentence",
    "outcomes_text",
    "page_parts",
    "page_style",
    "panels",
    "part_name",
    "plan_words",
    "print_summary",
    "quantiles_of_runs",
    "ratio_limits",
    "ratios",
    "raw_rows",
    "reach_text",
    "records_csv",
    "resource_sentence",
    "shown_cell",
    "signed",
    "specification",
    "style",
    "timelines_of",
    "to_csv",
    "to_markdown",
    "to_png",
    "to_svg",
    "told_of",
    "treatment_names",
    "typeset",
    "uncompared_figures",
    "why_sentences",
    "why_unjudged",
    "word",
    "write_disk_page",
    "write_index",
    "write_report",
]
