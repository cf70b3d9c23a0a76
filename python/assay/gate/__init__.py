"""Judges whether results meet the claims that a study requires, and writes the outcome for pipelines."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.gate.alarms import Alarm, Ledger, close_alarm, note_alarms, read_alarms
    from assay.gate.baseline import Baseline, accept, save
    from assay.gate.checks import Check, Gated, Outcome, Reach
    from assay.gate.complaint import complaint
    from assay.gate.gating import Wanted, gate, gate_of_judged
    from assay.gate.github import annotation_lines, write_summary
    from assay.gate.junit import as_junit
    from assay.gate.markdown import as_markdown
    from assay.gate.openmetrics import as_openmetrics
    from assay.gate.pages import checks_table, explained, gate_tables, write_pages
    from assay.gate.sentences import alarm_sentence, chance_sentence, check_name, reach_text, summary
    from assay.gate.tables import as_object, records_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Alarm",
    "Baseline",
    "Check",
    "Gated",
    "Ledger",
    "Outcome",
    "Reach",
    "Wanted",
    "accept",
    "alarm_sentence",
    "annotation_lines",
    "as_junit",
    "as_markdown",
    "as_object",
    "as_openmetrics",
    "chance_sentence",
    "check_name",
    "checks_table",
    "close_alarm",
    "complaint",
    "explained",
    "gate",
    "gate_of_judged",
    "gate_tables",
    "note_alarms",
    "reach_text",
    "read_alarms",
    "records_of",
    "save",
    "summary",
    "write_pages",
    "write_summary",
]
