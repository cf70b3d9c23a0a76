"""Says what the difference between two builds is made of, by the ledgers of a paired study of them."""

from __future__ import annotations

from assay.reporting.report import MOST_LINES, Telling, load_words, told_of
from assay.results.verdict import Results, shifts_of


def made_of(results: Results) -> str:
    """Returns the lines that have moved, in English; "" where none has."""
    return told_of(shifts_of(results), Telling.of(results, load_words("en"), {}, MOST_LINES))
