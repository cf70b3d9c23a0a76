"""Was the measured window level, or was the server still going somewhere?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assay.stats.intervals import t_quantile

#: Seconds below which a slope says nothing.
FEWEST_SECONDS = 10


@dataclass(frozen=True)
class Steadiness:
    """`change`: fitted change from begin to end of the window as a share of its mean, with its interval."""

    label: Literal["steady", "drifting", "too-short"]
    change: float
    low: float
    high: float


def steadiness(rates: ArrayLike, tolerance: float = 0.05, confidence: float = 0.95) -> Steadiness:
    """Judges a series of per-second rates.

    Drifting: the fitted line changes by more than `tolerance` over the window, and the interval of the change
    excludes zero. Neighbouring seconds are alike, so the interval is widened by the lag-1 autocorrelation of
    the residuals (n (1 - r) / (1 + r) independent values), as in Box & Jenkins; r is corrected for its bias
    after a line was taken out of a short series, -(2 + 4 r) / n (Kendall 1954, as extended to trends).
    """
    y = np.asarray(rates, dtype=np.float64)
    n = y.size
    if n < FEWEST_SECONDS or y.mean() <= 0:
        return Steadiness("too-short", float("nan"), float("nan"), float("nan"))
    t = np.linspace(-0.5, 0.5, n)
    spread = float(t @ t)
    slope = float(t @ y) / spread
    residuals = y - y.mean() - slope * t
    variance = float(residuals @ residuals) / (n - 2)
    power = float(residuals @ residuals)
    r = float(residuals[1:] @ residuals[:-1]) / power if power > 0 else 0.0
    r = float(np.clip((r + 2 / n) / (1 - 4 / n), 0.0, 0.9))
    error = (variance / spread * (1 + r) / (1 - r)) ** 0.5
    degrees = max(int(n * (1 - r) / (1 + r)) - 2, 2)
    half = t_quantile((1 + confidence) / 2, degrees) * error
    change, low, high = (x / float(y.mean()) for x in (slope, slope - half, slope + half))
    drifting = abs(change) > tolerance and (low > 0 or high < 0)
    return Steadiness("drifting" if drifting else "steady", change, low, high)
