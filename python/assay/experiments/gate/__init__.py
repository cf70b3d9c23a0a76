"""Judges whether results meet the claims that a study requires, and writes the outcome for pipelines."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.gate.alarms import (
        Alarm,
        Ledger,
        alarm_sentence,
        close_alarm,
        note_alarms,
        read_alarms,
    )
    from assay.experiments.gate.baseline import Baseline, accept, save
    from assay.experiments.gate.complaint import complaint
    from assay.experiments.gate.gating import GateRequest, gate
    from assay.experiments.gate.github import annotation_lines, write_summary
    from assay.experiments.gate.judging import gate_of_judged
    from assay.experiments.gate.junit import as_junit
    from assay.experiments.gate.markdown import as_markdown
    from assay.experiments.gate.openmetrics import as_openmetrics
    from assay.experiments.gate.pages import write_pages
    from assay.experiments.gate.tables import as_object, records_of
    from assay.reporting.report import gate_tables
    from assay.results.verdict import Check, Gated, Outcome, Reach
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Alarm",
    "Baseline",
    "Check",
    "GateRequest",
    "Gated",
    "Ledger",
    "Outcome",
    "Reach",
    "accept",
    "alarm_sentence",
    "annotation_lines",
    "as_junit",
    "as_markdown",
    "as_object",
    "as_openmetrics",
    "close_alarm",
    "complaint",
    "gate",
    "gate_of_judged",
    "gate_tables",
    "note_alarms",
    "read_alarms",
    "records_of",
    "save",
    "write_pages",
    "write_summary",
]
