"""The rule by which a warm-up has become level, for the sum of a fleet's generators.

The same rule as one engine's own (`crates/engine/src/course/steady.rs`): at the slope of the least-squares
line through the rates of a window, throughput would change by less than the tolerance over the measured
window, and the halves of the window differ by less than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.base.format.job import Phases, UntilSteadyWarmup

_LEAST_WINDOW_NS = 30 * 10**9
_LOOK_NS = 5 * 10**9
_LOOKS_IN_WINDOW = 6
_LEAST_POINTS = 5

Rates = Sequence[tuple[int, float]]
"""The instant of each interval's end, in nanoseconds, and its rate; oldest first."""


@dataclass(frozen=True)
class _Trend:
    change: float  # of the line over the horizon, a share of the mean
    error: float  # standard error of the change, were seconds independent
    halves: float  # by how much the halves of the window differ
    whole: bool  # whether there are rates of the whole window, but for one interval


@dataclass(frozen=True)
class SteadyRule:
    """What level throughput is; times in nanoseconds."""

    window_ns: int
    horizon_ns: int
    tolerance: float
    cap_ns: int

    @classmethod
    def of(cls, phases: Phases) -> SteadyRule | None:
        """Returns the rule of a warm-up that waits for level throughput; None for any other."""
        warmup = phases.warmup
        if not isinstance(warmup, UntilSteadyWarmup):
            return None
        measure, cap = phases.measure_ms * 10**6, warmup.cap_ms * 10**6
        window = warmup.window_ms * 10**6 or min(max(measure // 2, _LEAST_WINDOW_NS), cap)
        return cls(window, measure or window, warmup.tolerance, cap)

    def look(self, passed_ns: int) -> int:
        """Returns the number of the look that is due after so many nanoseconds of warm-up."""
        return passed_ns // min(max(self.window_ns // _LOOKS_IN_WINDOW, 1), _LOOK_NS)

    def is_level(self, rates: Rates) -> bool:
        """Returns whether throughput is level."""
        trend = self._trend(rates)
        if trend is None or not trend.whole:
            return False
        return trend.change < self.tolerance and trend.halves < self.tolerance

    def is_changing(self, rates: Rates) -> bool:
        """Returns whether throughput surely changes, in as much of the window as there is."""
        trend = self._trend(rates)
        return trend is None or (trend.change >= self.tolerance and trend.change > 2 * trend.error)

    def _trend(self, rates: Rates) -> _Trend | None:
        if not rates:
            return None
        start = max(rates[-1][0] - self.window_ns, 0)
        points = [((end - start) / self.window_ns, rate) for end, rate in rates if end > start]
        count = len(points)
        mean = _mean([rate for _, rate in points])
        if count < _LEAST_POINTS or mean <= 0:
            return None
        middle = _mean([x for x, _ in points])
        spread = sum((x - middle) ** 2 for x, _ in points)
        slope = sum((x - middle) * (rate - mean) for x, rate in points) / spread
        left = sum((rate - mean - slope * (x - middle)) ** 2 for x, rate in points)
        ahead = self.horizon_ns / self.window_ns / mean
        early, late = ([rate for _, rate in part] for part in (points[: count // 2], points[count // 2 :]))
        return _Trend(
            change=abs(slope) * ahead,
            error=(left / (count - 2) / spread) ** 0.5 * ahead,
            halves=abs(_mean(late) - _mean(early)) / mean,
            whole=rates[0][0] + self.window_ns <= rates[-1][0] + self.window_ns // count,
        )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
