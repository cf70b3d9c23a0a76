"""Reduces the engine's intervals to what a display of the course needs: rates, times, heat cells, errors.

Every display reduces by this one function, so that no two of them disagree. An interval line of some
kilobytes becomes at most 600 bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec

from assay.base.tally import CELLS, Histogram, cells_of_times, decode_many, merge
from assay.design.folder import WHOLE, Interval, succeeded

_SHARES = (0.5, 0.95, 0.99, 1.0)
_NS_PER_MS = 1e6
_NS_PER_S = 1e9
NOMINAL_S = 1.0
"""Length of an interval where a job says nothing else."""


class Second(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One interval, or several together. In JSON the names are short, since one goes over the wire each
    second.
    """

    t_s: float = msgspec.field(name="t")  # begin, seconds since the engine's epoch
    at_ms: int = msgspec.field(name="w")  # the same on the wall clock, milliseconds since 1970
    seconds: float = msgspec.field(name="d")
    phase: str = msgspec.field(name="p")
    transactions: int = msgspec.field(name="n")
    queries: int = msgspec.field(name="q", default=0)
    times_ms: list[float] = msgspec.field(name="ms", default=[])
    """p50, p95, p99 and the longest; empty when nothing was timed."""
    mean_ms: float = msgspec.field(name="m", default=0.0)
    heat: list[int] = msgspec.field(name="h", default=[])
    """The number of the first cell that is not empty, then the counts from there to the last."""
    in_flight: int = msgspec.field(name="f", default=0)
    queued: int = msgspec.field(name="u", default=0)
    errors: dict[int, int] = msgspec.field(name="e", default={})
    failed: int = msgspec.field(name="x", default=0)
    kinds: dict[str, int] = msgspec.field(name="k", default={})
    """Transactions that succeeded, by kind, where the workload has kinds."""
    processors: float = msgspec.field(name="c", default=0.0)
    """Processors that the load generator used."""
    slowest: float | None = msgspec.field(name="lo", default=None)
    """Transactions per second of the slowest interval, where several are merged."""
    fastest: float | None = msgspec.field(name="hi", default=None)
    """Transactions per second of the fastest interval, where several are merged."""

    @property
    def ends_ns(self) -> int:
        """Its end on the wall clock, in ns since 1970."""
        return self.at_ms * 1_000_000 + round(self.seconds * _NS_PER_S)

    @property
    def rate(self) -> float:
        """Transactions per second."""
        return self.transactions / self.seconds if self.seconds > 0 else 0.0

    @property
    def p95_ms(self) -> float | None:
        """The 95th percentile of the response times of whole transactions."""
        return self.times_ms[1] if self.times_ms else None


_encoder = msgspec.json.Encoder()


def encode_second(second: Second) -> bytes:
    """Returns the second as JSON with short names, without a line end."""
    return _encoder.encode(second)


class _Stretch(Protocol):
    @property
    def phase(self) -> str: ...
    @property
    def start_ns(self) -> int: ...
    @property
    def end_ns(self) -> int: ...


def is_a_rate(interval: _Stretch, nominal_s: float = NOMINAL_S) -> bool:
    """Returns whether an interval of a load point shows how fast the load was.

    What ends in the drain was wanted before, and a few answers over a twentieth of a second would be hundreds
    a second; an interval below half of its nominal length says as little.
    """
    seconds = (interval.end_ns - interval.start_ns) / _NS_PER_S
    return interval.phase != "drain" and seconds >= nominal_s / 2


def second_of(interval: Interval, epoch_wall_ns: int = 0) -> Second:
    """Reduces one interval; the epoch is that of the engine's `Hello`."""
    return seconds_of([interval], epoch_wall_ns)[0]


def seconds_of(intervals: Sequence[Interval], epoch_wall_ns: int = 0, together: int = 1) -> list[Second]:
    """Reduces intervals in one pass, `together` consecutive ones of a phase to one.

    Several are merged exactly: counts and histograms are added, percentiles are of the merged histogram, and
    the slowest and fastest of them stay visible.
    """
    timed = [_timed(one) for one in intervals]
    decoded = iter(decode_many([text for text in timed if text is not None]))
    histograms = [None if text is None else next(decoded) for text in timed]
    found: list[Second] = []
    start = 0
    for at, one in enumerate(intervals):
        following = intervals[at + 1].phase if at + 1 < len(intervals) else None
        if at + 1 - start == together or following != one.phase:
            part = slice(start, at + 1)
            found.append(_reduced(intervals[part], histograms[part], epoch_wall_ns))
            start = at + 1
    return found


def cells_of(second: Second) -> list[int]:
    """Returns the counts of all `CELLS` cells of a second."""
    cells = [0] * CELLS
    if second.heat:
        first, *counts = second.heat
        cells[first : first + len(counts)] = counts
    return cells


def _timed(interval: Interval) -> str | None:
    whole = interval.labels.get(WHOLE)
    return None if whole is None or not whole.count else whole.response or whole.service


def _reduced(parts: Sequence[Interval], histograms: Sequence[Histogram | None], epoch_wall_ns: int) -> Second:
    first, last = parts[0], parts[-1]
    seconds = (last.end_ns - first.start_ns) / _NS_PER_S
    times, mean_ms, heat = _times([one for one in histograms if one is not None])
    errors: Counter[int] = Counter()
    kinds: Counter[str] = Counter()
    for one in parts:
        errors.update(one.errors)
        kinds.update({name: succeeded(kind) for name, kind in one.kinds.items()})
    used_us = sum(one.engine.user_us + one.engine.system_us for one in parts)
    rates = [_rate(one) for one in parts] if len(parts) > 1 else []
    return Second(
        t_s=round(first.start_ns / _NS_PER_S, 3),
        at_ms=(epoch_wall_ns + first.start_ns) // 1_000_000,
        seconds=round(seconds, 6),
        phase=first.phase,
        transactions=sum(one.transactions for one in parts),
        queries=sum(one.queries for one in parts),
        times_ms=times,
        mean_ms=mean_ms,
        heat=heat,
        in_flight=max(one.in_flight for one in parts),
        queued=max(one.queued for one in parts),
        errors=dict(sorted(errors.items())),
        failed=sum(one.failed for one in parts),
        kinds=dict(kinds),
        processors=round(used_us / 1e6 / seconds, 3) if seconds > 0 else 0.0,
        slowest=min(rates, default=None),
        fastest=max(rates, default=None),
    )


def _rate(interval: Interval) -> float:
    seconds = (interval.end_ns - interval.start_ns) / _NS_PER_S
    return round(interval.transactions / seconds, 2) if seconds > 0 else 0.0


def _times(histograms: Sequence[Histogram]) -> tuple[list[float], float, list[int]]:
    """Returns percentiles and mean in ms, and the heat cells."""
    full = [one for one in histograms if one.index.size]
    if not full:
        return [], 0.0, []
    whole = full[0] if len(full) == 1 else merge(full)
    times = [_rounded(value / _NS_PER_MS) for value in whole.percentiles(_SHARES).tolist()]
    first, counts = cells_of_times(whole)
    return times, _rounded(whole.mean / _NS_PER_MS), [first, *counts]


def _rounded(value: float) -> float:
    """Returns the value with five significant digits: two more than a histogram resolves."""
    return float(f"{value:.5g}")
