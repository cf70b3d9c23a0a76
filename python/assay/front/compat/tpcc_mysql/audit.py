"""Audits the inputs (clause 5.5.1.5) and the mix (5.2.3) of a TPC-C run, from the engine's counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

SPEC = "spec"
"""The dialect that follows the specification."""


@dataclass(frozen=True)
class Line:
    """One figure of the audit with its bounds; None when nothing was counted.

    `error` is the figure's standard error when the inputs are drawn as intended (`aim`); None where chance
    plays no part.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    unit: str = "%"
    aim: float | None = None
    error: float | None = None

    @property
    def verdict(self) -> str:
        """Returns `ok`, `outside`, or `few`: outside, but no further than so few draws may be from their
        aim.
        """
        if self.value is None:
            return "few"
        above = self.low is None or self.value >= self.low
        if above and (self.high is None or self.value <= self.high):
            return "ok"
        if self.aim is None or self.error is None:
            return "outside"
        return "few" if abs(self.value - self.aim) <= _ERRORS * self.error else "outside"


_ERRORS = 3.0
"""Number of standard errors that chance alone seldom exceeds."""


@dataclass(frozen=True)
class _Share:
    name: str
    part: str
    whole: str
    low: float
    aim: float
    high: float


_LINES_DEVIATION = math.sqrt((11**2 - 1) / 12)
"""Standard deviation of the number of lines of an order, uniform from 5 to 15."""

_SHARES = (
    _Share("orders rolled back", "orders_rolled_back", "orders", 0.9, 1.0, 1.1),
    _Share("lines of another warehouse", "remote_lines", "order_lines", 0.95, 1.0, 1.05),
    _Share("payments of another warehouse", "remote_payments", "payments", 14.0, 15.0, 16.0),
    _Share("payments by name", "payments_by_name", "payments", 57.0, 60.0, 63.0),
    _Share("order status by name", "status_queries_by_name", "status_queries", 57.0, 60.0, 63.0),
)
_MIX = (("payment", 43.0), ("order_status", 4.0), ("delivery", 4.0), ("stock_level", 4.0))


def audit(counters: Mapping[str, int], counts: Mapping[str, int], *, warehouses: int) -> list[Line]:
    """Returns every figure of the audit with its bounds.

    `counters` are the workload's own; `counts` are transactions by kind. With one warehouse there are no
    remote ones. Deliveries skipped: at most 1 % of the districts delivered to (clause 2.7.4.2).
    """
    orders = counters.get("orders", 0)
    lines = [
        Line(
            "lines of an order",
            counters.get("order_lines", 0) / orders if orders else None,
            9.5,
            10.5,
            "",
            10.0,
            _LINES_DEVIATION / math.sqrt(orders) if orders else None,
        )
    ]
    lines += [_line(share, counters) for share in _SHARES if warehouses > 1 or "another" not in share.name]
    skipped = counters.get("districts_skipped", 0)
    tried = skipped + counters.get("districts_delivered", 0)
    lines.append(Line("deliveries skipped", 100.0 * skipped / tried if tried else None, None, 1.0))
    total = sum(counts.values())
    return lines + [_least(kind, least, counts.get(kind, 0), total) for kind, least in _MIX]


def _least(kind: str, least: float, count: int, total: int) -> Line:
    """Returns the line of a kind's share of the mix, for which the minimum is also the aim."""
    if not total:
        return Line(f"share of {kind}", None, least, None)
    error = math.sqrt(least * (100.0 - least) / total)
    return Line(f"share of {kind}", 100.0 * count / total, least, None, aim=least, error=error)


def _line(share: _Share, counters: Mapping[str, int]) -> Line:
    whole = counters.get(share.whole, 0)
    if not whole:
        return Line(share.name, None, share.low, share.high)
    value = 100.0 * counters.get(share.part, 0) / whole
    error = math.sqrt(share.aim * (100.0 - share.aim) / whole)
    return Line(share.name, value, share.low, share.high, aim=share.aim, error=error)
