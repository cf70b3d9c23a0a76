"""How many of all runs have it, when so many of these had."""

from __future__ import annotations

from scipy.special import betaincinv


def most_of_all(having: int, n: int, confidence: float = 0.95) -> float:
    """Upper bound of the share, exact (Clopper & Pearson 1934), one-sided: no run of 6 leaves up to 39 %."""
    if having >= n:
        return 1.0
    return float(betaincinv(having + 1, n - having, confidence))
