"""Bounds the share of all runs that have a property, from the share of those observed."""

from __future__ import annotations

from assay.results.stats import special


def most_of_all(having: int, n: int, confidence: float = 0.95) -> float:
    """Returns the upper bound of a share, exact and one-sided (Clopper & Pearson 1934): 0 of 6 runs gives up
    to 39 %.
    """
    if having >= n:
        return 1.0
    return float(special.betaincinv(having + 1, n - having, confidence))


def share_interval(having: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Returns the two-sided interval of a share, exact (Clopper & Pearson 1934)."""
    side = (1 + confidence) / 2
    return 1 - most_of_all(n - having, n, side), most_of_all(having, n, side)
