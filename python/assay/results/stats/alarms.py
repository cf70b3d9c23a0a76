"""Computes how many of many comparisons would look different by chance."""

from __future__ import annotations

from collections.abc import Sequence


def expected_false_alarms(comparisons: int, confidence: float = 0.95) -> float:
    """Returns an upper bound on how many comparisons would be called different if nothing differed at all.

    The region of indifference makes a false alarm rarer than 1 - confidence.
    """
    return comparisons * (1 - confidence)


def expected_wrong_verdicts(confidences: Sequence[float]) -> float:
    """Returns an upper bound on how many verdicts on claims are wrong by chance, one confidence each.

    A claim is true or false, so a verdict is wrong on one side of a two-sided interval only.
    """
    return sum((1 - confidence) / 2 for confidence in confidences)
