"""Doubts that the blocks of one ratio raise: that it drifts, and that its starts are of several kinds."""

from __future__ import annotations

from assay.results.stats import course_of, far_from_others, two_kinds
from assay.results.verdict.decision import Floats

DRIFTS, OUTLYING, TWO_MODES = "ratio-drifts", "outlying-start", "two-modes"


def doubts_of_ratio(logs: Floats, among: int = 1) -> tuple[str, ...]:
    """Returns the kinds of doubts about a ratio, by its logarithm in the order of blocks; `among` so many
    ratios that are judged together.
    """
    course = course_of(logs)
    found = {
        DRIFTS: course is not None and course.is_seen(among),
        OUTLYING: bool(far_from_others(logs, among)),
        TWO_MODES: two_kinds(logs) is not None,
    }
    return tuple(kind for kind, is_raised in found.items() if is_raised)
