"""The rule of Little's law: rate × mean latency = operations in flight, at most one for each connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.audit.figure import Figure
from assay.audit.identity import TOLERANCE
from assay.audit.metrics import role_of, seconds
from assay.audit.model import Cell, Finding, Material, at
from assay.audit.reading.words import CONCURRENCY
from assay.audit.rules.rule import Rule
from assay.audit.signs import company, second_sign


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
        for kind in ("tps", "qps", "iops"):
            rows = [row for row in (_row(cells, kind) for cells in table.rows.values()) if row]
            kept = sum(not row.too_many and not row.too_few for row in rows)
            if kept < 3 or 4 * kept < 3 * len(rows):
                continue
            window = _window(rows)
            for row in rows:
                if row.too_many or row.too_few:
                    yield _finding(material, row, kept, len(rows), window)
            break


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


def _finding(material: Material, row: _Row, kept: int, rows: int, window: float | None) -> Finding:
    """Returns the finding about the rate or the latency, whichever a second sign contradicts."""
    each = seconds(1.0, row.latency.unit)
    latency_s = row.latency.value * each
    rate = row.connections / latency_s
    latency = row.connections / row.rate.value / each
    sign = (
        f"{row.in_flight:.4g} in flight on {row.connections:g} connections; rate x latency = connections in"
        f" {kept} of {rows} rows"
    )
    by_count = ""
    if window and row.counted:
        counted = row.counted / window
        figure = row.rate.figure
        other = figure.low > counted * (1 + TOLERANCE) or figure.high < counted * (1 - TOLERANCE)
        if other and abs(counted / rate - 1) < 2 * TOLERANCE:
            by_count = f"{row.counted:g} operations in {window:.3g} s are {counted:.6g} a second"
    slack = Figure("", row.latency.value, row.latency.figure.step)
    of_rate = by_count or second_sign(material, row.rate, rate, *_bounds(row.connections / each, slack))
    of_latency = second_sign(
        material, row.latency, latency, *_bounds(row.connections / each, row.rate.figure)
    )
    if of_rate and (by_count or not of_latency or _odder(material, row)):
        return at(
            row.rate, RULE.name, "error", "high", expected=f"{rate:.5g}", sign=sign, second_sign=of_rate
        )
    if not of_latency and row.too_many:
        of_latency = (
            "no more can be in flight than there are connections" if row.low > 1.25 * row.connections else ""
        )
    return at(
        row.latency, RULE.name, "error", "high", expected=f"{latency:.5g}", sign=sign, second_sign=of_latency
    )


def _bounds(product: float, figure: Figure) -> tuple[float, float]:
    return product / figure.high, product / max(figure.low, 1e-12)


def _odder(material: Material, row: _Row) -> bool:
    rate, latency = company(material, row.rate), company(material, row.latency)
    return rate is not None and latency is not None and abs(rate.off) > abs(latency.off)


RULE = Rule("littles-law", "rate x mean latency = connections, and never more", _check)
