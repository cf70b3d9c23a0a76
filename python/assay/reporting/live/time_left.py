"""Estimates how long a study still takes, as a range, from what its finished runs took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import median

from assay.design.folder.live import TimeLeft

_UNKNOWN_SPREAD = 0.15
"""Relative spread of a run's length that is supposed until two runs of a treatment have shown theirs."""

_LEAST_SPREAD = 0.02
_WIDE = 2.0
"""Half width of the range, in standard errors: about nineteen studies in twenty end within it."""


def time_left(
    ahead: Sequence[str],
    took_s: Mapping[str, Sequence[float]],
    *,
    planned_s: float,
    elapsed_s: float = 0.0,
    loading_s: float = 0.0,
    failed: int = 0,
    may_widen: bool = False,
    hosts: int = 1,
) -> TimeLeft:
    """Returns the time left for the runs of these treatments, of which the first has been under way for
    `elapsed_s`.

    `took_s`: seconds of the finished runs by treatment. Each run ahead counts the median of its treatment, or
    of all runs where its own has none. The range has two parts: what single runs vary, which averages out
    over many, and how well the medians are known, which does not. `may_widen` doubles it, for runs whose
    length depends on what they measure, and each of the `failed` runs so far may be repeated. Without
    a finished run it is the plan's guess: `planned_s` for each run, and `loading_s` before the first. `hosts`
    do runs side by side.
    """
    all_s = [seconds for lengths in took_s.values() for seconds in lengths]
    if not all_s:
        over = min(elapsed_s, planned_s) if ahead else 0.0
        return TimeLeft(seconds=loading_s + (len(ahead) * planned_s - over) / hosts, guess=True)
    usual = median(all_s)
    each = [median(took_s[one]) if took_s.get(one) else usual for one in ahead]
    if each:
        each[0] = max(each[0] - elapsed_s, 0.0)
    seconds = sum(each)
    spread = _spread(took_s) * (2.0 if may_widen else 1.0)
    single = spread * sqrt(sum(one * one for one in each))
    common = spread * seconds / sqrt(len(all_s))
    half = _WIDE * sqrt(single * single + common * common)
    again = seconds * failed / (failed + len(all_s))
    return TimeLeft(
        seconds=round(seconds / hosts, 1),
        low=round(max(seconds - half, 0.0) / hosts, 1),
        high=round((seconds + half + again) / hosts, 1),
    )


def _spread(took_s: Mapping[str, Sequence[float]]) -> float:
    """Returns the pooled relative standard deviation of runs around the median of their treatment."""
    squares, freedom = 0.0, 0
    for lengths in took_s.values():
        if len(lengths) < 2 or (middle := median(lengths)) <= 0:
            continue
        squares += sum((one / middle - 1) ** 2 for one in lengths)
        freedom += len(lengths) - 1
    return max(sqrt(squares / freedom), _LEAST_SPREAD) if freedom else _UNKNOWN_SPREAD
