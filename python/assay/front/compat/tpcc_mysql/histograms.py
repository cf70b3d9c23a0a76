"""Computes the distributions of clause 5.6: response times and think times by type, throughput over time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from assay.base.tally import Histogram, decode
from assay.design.folder import Interval, RunResult, succeeded

NEW_ORDER = "new_order"

BINS = 40
"""Bins of a histogram; clause 5.6 wants 20 at least."""

BIN_S = 30.0
"""The longest bin of throughput over time (clause 5.6.5)."""

_NS_PER_MS = 1e6


def response_times(result: RunResult) -> dict[str, Any]:
    """Returns histograms of response times by type: bins from 0 to four times the 90th percentile (clause
    5.6.1).
    """
    found = {}
    for name, kind in result.kinds.items():
        if kind.times is not None and kind.times.count:
            histogram = decode(kind.times.response or kind.times.service)
            found[name] = _bins(histogram, 4 * histogram.percentile(0.90))
    return found


def think_times(result: RunResult) -> dict[str, Any]:
    """Returns histograms of think times by the type before them: bins from 0 to four means (clause 5.6.3)."""
    found = {}
    for name, kind in result.kinds.items():
        if kind.think is not None:
            histogram = decode(kind.think)
            found[name] = _bins(histogram, 4 * histogram.mean) | {"mean_ms": histogram.mean / _NS_PER_MS}
    return found


def _bins(histogram: Histogram, end_ns: float) -> dict[str, Any]:
    """Returns bins: `counts[i]` lie in `i * bin_ms` to `(i + 1) * bin_ms`; `beyond` lie after the last
    bin.
    """
    width_ns = max(end_ns / BINS, 1.0)
    *counts, beyond = histogram.counts_between([width_ns * (number + 1) for number in range(BINS)])
    return {"bin_ms": width_ns / _NS_PER_MS, "counts": counts, "beyond": beyond}


@dataclass
class OverTime:
    """Counts New-Orders by interval."""

    seen: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Phase, start and end in ns, New-Orders that ended in it."""

    def note(self, interval: Interval) -> None:
        """Adds an interval of the warm-up or the window."""
        order = interval.kinds.get(NEW_ORDER)
        if interval.phase in ("warmup", "measure") and interval.kinds:
            count = 0 if order is None else succeeded(order)
            self.seen.append((interval.phase, interval.start_ns, interval.end_ns, count))

    def bins(self, start_ns: int) -> list[dict[str, Any]]:
        """Returns New-Orders a minute in bins of whole intervals and at most 30 s, 20 bins where the time
        suffices.

        Seconds count from the start of the measured window: the warm-up lies before 0 (clause 5.6.5).
        """
        if not self.seen:
            return []
        length_s = (self.seen[-1][2] - self.seen[0][1]) / 1e9
        width_s = min(BIN_S, length_s / 20)
        bins: list[dict[str, Any]] = []
        for phase, start, end, count in self.seen:
            last = bins[-1] if bins else None
            if last is not None and last["phase"] == phase and (end - last["start"]) / 1e9 <= width_s + 1e-6:
                last["end"], last["count"] = end, last["count"] + count
            else:
                bins.append({"phase": phase, "start": start, "end": end, "count": count})
        return [
            {
                "phase": one["phase"],
                "start_s": (one["start"] - start_ns) / 1e9,
                "end_s": (one["end"] - start_ns) / 1e9,
                "orders_per_minute": one["count"] * 60e9 / max(one["end"] - one["start"], 1),
            }
            for one in bins
        ]
