"""Writes the report of judged results, and keeps what lists and pages read instead of making it again: the
summary of the results, and their drawn charts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.experiments.lab.judging import Judged, own_study
from assay.experiments.lab.summary import keep_summary_of
from assay.reporting import report
from assay.reporting.report import LANGUAGES
from assay.results.verdict import Gated
from assay.system.server import home


def write_results(
    judged: Judged,
    gated: Gated | None,
    *,
    png: bool = False,
    languages: Sequence[str] = LANGUAGES,
) -> Path:
    """Writes report, tables/ and charts/ into the results folder; returns the path of the first language's
    page.

    `gated`: the outcome of the study's gates. It has no default: pages of results are those of
    `assay.experiments.gate.write_pages`, which judges the gates.
    """
    own = own_study(judged.folder)
    # A list shows results by their own study, with intervals for one look.
    if judged.study == own and judged.results.gate.confidence == own.verdict.confidence:
        keep_summary_of(judged)
    return report.write_report(
        judged.study,
        judged.results,
        judged.store,
        judged.folder.path,
        gated=gated,
        png=png,
        languages=languages,
        advice=judged.advice,
        pictures=pictures(),
    )


def pictures() -> Path:
    """Returns the folder of this account that keeps drawn charts, for reports and pages."""
    return home() / "pictures"
