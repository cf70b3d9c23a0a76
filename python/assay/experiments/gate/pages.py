"""Writes the report of results with the outcome of their study's gates.

The outcome is judged again from the results, as `assay gate RESULTS` does: nothing keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.experiments.lab import Judged, write_results
from assay.reporting.report import LANGUAGES


def write_pages(judged: Judged, *, png: bool = False, languages: Sequence[str] = LANGUAGES) -> Path:
    """Writes the report of judged results with the outcome of the study's gates, where it has any; returns
    the path of the first language's page.
    """
    gated = None
    if judged.study.gates:
        from assay.experiments.gate.judging import gate_of_judged  # and with it the noise that is known

        gated = gate_of_judged(judged)
    return write_results(judged, gated, png=png, languages=languages)
