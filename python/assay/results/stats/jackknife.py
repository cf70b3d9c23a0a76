"""Estimates the spread of a few values, with what each of them contributes to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_WIDER = 1.75


def spread_of_runs(values: Sequence[float], relative: bool) -> list[float] | None:
    """Returns the contribution of each value to their standard deviation, or to its share of the mean in per
    cent: the jackknife's pseudo-values of its logarithm (Tukey 1958; Miller 1968), as a factor.

    Their geometric mean is the spread, and their t interval on the logarithms that of the spread; it does not
    presume a normal distribution, as an interval from the chi-squared distribution does. All are zero where
    all values are equal. None below three values, and where all but one are equal or the mean is not above
    zero.
    """
    of = np.array(values, dtype=np.float64)
    count = of.size
    if count < 3 or (relative and of.mean() <= 0):
        return None
    if (of == of[0]).all():
        return [0.0] * count
    rest = np.array([_spread(np.delete(of, one), relative) for one in range(count)])
    if (rest <= 0).any():
        return None
    logs = count * np.log(_spread(of, relative)) - (count - 1) * np.log(rest)
    return [float(one) for one in np.exp(logs)]


def judged_wider(contributions: Sequence[float]) -> list[float]:
    """Returns what runs contribute to their spread so that its interval is wide enough for outliers: 1.75
    times as far from their geometric mean, which stays.

    Runs with outliers show too small a spread, and too small an uncertainty of it, until they have shown one:
    of Student's t with three degrees the plain interval of the jackknife holds 78 to 90 %, and Bonett's
    (2006) 77 to 97 % (`tests/method/test_spread_of_runs.py`). Contributions of equal runs, all zero, stay.
    """
    if min(contributions) <= 0:
        return list(contributions)
    logs = np.log(contributions)
    return [float(one) for one in np.exp(logs.mean() + _WIDER * (logs - logs.mean()))]


def _spread(of: np.ndarray, relative: bool) -> float:
    spread = float(of.std(ddof=1))
    return 100 * spread / float(of.mean()) if relative else spread
