"""Many comparisons: how many would look real by chance."""

from __future__ import annotations


def expected_false_alarms(comparisons: int, confidence: float = 0.95) -> float:
    """At most this many of the comparisons would be called different if nothing differed at all.

    An upper bound: the region of indifference makes a false alarm rarer than 1 - confidence.
    """
    return comparisons * (1 - confidence)
