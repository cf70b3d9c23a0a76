"""Computes how many of many comparisons would look different by chance."""

from __future__ import annotations


def expected_false_alarms(comparisons: int, confidence: float = 0.95) -> float:
    """Returns an upper bound on how many comparisons would be called different if nothing differed at all.

    The region of indifference makes a false alarm rarer than 1 - confidence.
    """
    return comparisons * (1 - confidence)
