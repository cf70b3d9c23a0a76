"""The rule of Little's law: rate × mean latency = operations in flight, at most one for each connection.

The upper bound is physics: one row above it is an error, whatever the other rows do. Fewer operations than
connections have harmless causes, so that bound counts only where the table generally keeps the law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from assay.base.numbers import number, plain
from assay.results.audit.figure import Figure
from assay.results.audit.identity import TOLERANCE
from assay.results.audit.metrics import role_of, seconds
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.reading.words import CONCURRENCY
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import company, second_sign

_KINDS = ("tps", "qps", "iops")
_MANY = 100  # rows from which on the other series are not searched for each: it takes minutes
_MEAN = re.compile(r"avg|average|mean")
_OF_MEANS = 0.02
"""Share by which the product of two means over runs may exceed the connections: runs that lie 14 % apart."""


@dataclass(frozen=True)
class _Row:
    rate: Cell
    latency: Cell
    worst_s: float  # the longest operation: with it, the window's ends leave connections idle
    window_s: float | None
    counted: float | None  # operations a second by count and window, where both are known

    @property
    def connections(self) -> float:
        return self.rate.rung or 0.0

    @property
    def low(self) -> float:
        return self.rate.figure.low * seconds(self.latency.figure.low, self.latency.unit)

    @property
    def high(self) -> float:
        return self.rate.figure.high * seconds(self.latency.figure.high, self.latency.unit)

    @property
    def too_many(self) -> bool:
        return self.low > self.connections * (1 + TOLERANCE)

    @property
    def is_impossible(self) -> bool:
        """Whether more operations are in flight than even means of unlike runs allow."""
        return self.low > self.connections * (1 + _OF_MEANS)

    @property
    def is_certain(self) -> bool:
        """Whether the row is impossible by itself: its latency is called a mean, so it is no percentile."""
        return self.is_impossible and _MEAN.search(self.latency.metric.lower()) is not None

    @property
    def too_few(self) -> bool:
        """Whether fewer operations are in flight than connections, by more than the ends of the window
        explain.
        """
        idle = min(self.worst_s / self.window_s, 1.0) if self.window_s else 0.0
        return self.high < self.connections * (1 - TOLERANCE - idle)

    @property
    def in_flight(self) -> float:
        return self.rate.value * seconds(self.latency.value, self.latency.unit)


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        is_first = (
            True  # the latency beside transactions and queries may be of either: the first is of the law
        )
        for kind in _KINDS:
            rows = [row for row in (_row(cells, kind) for cells in table.rows.values()) if row]
            kept = sum(not row.too_many and not row.too_few for row in rows)
            is_law = kept >= 3 and 4 * kept >= 3 * len(rows)
            window = _window(rows)
            wrong = [row for row in rows if row.too_many and (is_law or (is_first and row.is_certain))]
            if _is_of_other_operations(kind, rows):
                wrong = []
            wrong += [row for row in rows if row.too_few and is_law]
            for row in wrong:
                if len(wrong) > _MANY and row.is_impossible:
                    yield _impossible(row, kept, len(rows))
                else:
                    yield _finding(material, row, kept, len(rows), window)
            if is_law or wrong:
                break
            is_first = is_first and not rows


def _is_of_other_operations(kind: str, rows: Sequence[_Row]) -> bool:
    """Returns whether one factor between operations in flight and connections explains three rows in four.

    The latency is then one of transactions beside a rate of queries, the unit of a time is another one than
    stands there, or the load points count for each of several clients.
    """
    factors = [row.in_flight / row.connections for row in rows if row.connections]
    if not factors:
        return False
    factor = median(factors)
    alike = sum(abs(one / factor - 1) < 0.1 for one in factors) if factor else 0
    is_whole = factor >= 1.9 and abs(factor / round(factor) - 1) < 0.03
    return 4 * alike >= 3 * len(factors) and (is_whole if kind == "tps" else factor > 1.5)


def _row(cells: Mapping[str, Cell], kind: str) -> _Row | None:
    found: dict[tuple[str, str], Cell] = {}
    for cell in cells.values():
        role = role_of(cell.metric, cell.unit)
        if role and cell.axis in CONCURRENCY:
            found.setdefault((role.kind, role.stat), cell)
    rate, latency = found.get((kind, "mean")), found.get(("latency", "mean"))
    if rate is None or latency is None or not rate.value or not latency.value:
        return None
    longest, count = found.get(("latency", "max")), found.get(("count", "mean"))
    worst_s = seconds(longest.value, longest.unit) if longest else 0.0
    window_s = count.value / rate.value if count else None
    return _Row(rate, latency, worst_s, window_s, count.value if count else None)


def _window(rows: list[_Row]) -> float | None:
    """Returns the measured time, in seconds, on which rows without long operations agree; None without enough
    of them.
    """
    known = sorted(row.window_s for row in rows if row.window_s and row.worst_s < 0.1 * row.window_s)
    return known[len(known) // 2] if len(known) >= 3 else None


def _impossible(row: _Row, kept: int, rows: int) -> Finding:
    """Returns the finding about a row whose figures need no comparison with other series."""
    latency = row.connections / row.rate.value / seconds(1.0, row.latency.unit)
    return at(
        row.latency,
        RULE.name,
        "error",
        "high",
        expected=number(latency),
        sign=_sign(row, kept, rows),
        second_sign="no more can be in flight than there are connections",
    )


def _sign(row: _Row, kept: int, rows: int) -> str:
    return (
        f"{number(row.in_flight)} in flight on {row.connections:g} connections; rate x latency = connections"
        f" in {kept} of {rows} rows"
    )


def _finding(material: Material, row: _Row, kept: int, rows: int, window: float | None) -> Finding:
    """Returns the finding about the rate or the latency, whichever a second sign contradicts."""
    each = seconds(1.0, row.latency.unit)
    latency_s = row.latency.value * each
    rate = row.connections / latency_s
    latency = row.connections / row.rate.value / each
    sign = _sign(row, kept, rows)
    by_count = ""
    if window and row.counted:
        counted = row.counted / window
        figure = row.rate.figure
        other = figure.low > counted * (1 + TOLERANCE) or figure.high < counted * (1 - TOLERANCE)
        if other and abs(counted / rate - 1) < 2 * TOLERANCE:
            by_count = f"{row.counted:g} operations in {plain(window, 3)} s are {plain(counted, 6)} a second"
    slack = Figure("", row.latency.value, row.latency.figure.step)
    of_rate = by_count or second_sign(material, row.rate, rate, *_bounds(row.connections / each, slack))
    of_latency = second_sign(
        material, row.latency, latency, *_bounds(row.connections / each, row.rate.figure)
    )
    if of_rate and (by_count or not of_latency or _odder(material, row)):
        return at(row.rate, RULE.name, "error", "high", expected=number(rate), sign=sign, second_sign=of_rate)
    if not of_latency and row.is_impossible:
        return _impossible(row, kept, rows)
    return at(
        row.latency, RULE.name, "error", "high", expected=number(latency), sign=sign, second_sign=of_latency
    )


def _bounds(product: float, figure: Figure) -> tuple[float, float]:
    return product / figure.high, product / max(figure.low, 1e-12)


def _odder(material: Material, row: _Row) -> bool:
    rate, latency = company(material, row.rate), company(material, row.latency)
    return rate is not None and latency is not None and abs(rate.off) > abs(latency.off)


RULE = Rule(
    "littles-law",
    "rate x mean latency = connections, and never more",
    _check,
    kind="physics",
    must="rate x mean latency = connections; less only by the time that connections are idle at the "
    "end while the longest operation runs; never more, in any row",
)
