"""The rule that finds values off a smooth curve: a dip or spike along the ladder that the other series do not
have.

A figure that keeps the identity of its row was measured so: it is an outlier of the run. Where the row breaks
an identity too, the rule of that identity reports a misprint, and this rule is silent.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator

from assay.base.numbers import number, plain
from assay.results.audit.metrics import Role, role_of
from assay.results.audit.model import Cell, Curve, Finding, Material, at
from assay.results.audit.reading.words import CONCURRENCY
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import Company, company, log_ratio, others_of

_RATES = ("tps", "qps", "iops", "bandwidth", "count")
_DIP = 0.15  # below both neighbours by so much
_SPIKE = 0.35  # above both: the top of a curve is above both too
_ODD = 0.3  # against the other series: the log-ratio that a spike of noise does not reach
_CLIFF = 0.7
_FINE = 6.0  # neighbours further apart leave room for a peak between them

Odd = dict[float, tuple[float, str]]  # rung -> what is expected there, how it stands out


def _check(material: Material) -> Iterator[Finding]:
    for curve in material.series.values():
        role = role_of(curve.first.metric, curve.first.unit)
        if role is None or curve.first.axis not in CONCURRENCY or len(curve) < 5:
            continue
        smooth = _Smoothness(curve)
        odd = {
            rung: found
            for rung in curve
            if (found := _odd(role, curve, rung)) and smooth.lets_stand_out(rung)
        }
        for rung, (expected, sign) in _strongest(curve, odd).items():
            cell = curve[rung]
            others = company(material, cell)
            second = _others(others) or _of_the_row(material, cell) or _alone(material, role, cell, expected)
            if _ended(curve, rung) and not (second and others and abs(others.off) > _CLIFF):
                continue
            yield at(
                cell,
                RULE.name,
                "warning",
                "medium",
                expected=f"about {number(expected)}",
                sign=sign,
                second_sign=second and f"{second}: an outlier of this run, if nothing else breaks the row",
            )


def _odd(role: Role, curve: Curve, rung: float) -> tuple[float, str] | None:
    """Returns the value that the neighbours predict, and how the figure stands out; None where it does
    not.
    """
    before, after = curve.beside(rung)
    value, line = curve[rung].value, curve.line(rung)
    if line is not None and before is not None and after is not None:
        low, high = sorted((curve[before].value, curve[after].value))
        noisy = 2.5 if role.kind == "load" else 1.0
        if role.kind in _RATES or role.kind == "load":
            if 0 <= value < low * (1 - min(_DIP * noisy, 0.4)):
                return line, f"{_percent(value / low - 1)} below both neighbours"
            if value > high * (1 + _SPIKE * noisy) and after <= _FINE * before:
                return line, f"{_percent(value / high - 1)} above both neighbours"
        if role.kind == "latency" and role.stat == "mean" and value > high * (1 + _SPIKE):
            return line, f"{_percent(value / high - 1)} above both neighbours"
        return None
    if after is None and before is not None and role.kind in _RATES:
        last = curve[before].value
        if 0 <= value < last * 0.5:
            return last, f"{_percent(value / last - 1)} from the rung before"
    return None


class _Smoothness:
    """How far each rung of a curve is off the line between its neighbours."""

    def __init__(self, curve: Curve) -> None:
        self._curve = curve
        self._off = {
            rung: abs(log_ratio(curve[rung].value, line))
            for rung in curve.ladder
            if (line := curve.line(rung)) and curve[rung].value > 0
        }
        self._ordered = sorted(self._off.values())

    def lets_stand_out(self, rung: float) -> bool:
        """Returns whether the rest of the curve is smooth enough for this rung to stand out."""
        own = [self._off[one] for one in (rung, *self._curve.around(rung, 1)) if one in self._off]
        rest = len(self._off) - len(own)
        if rung not in self._off or rest < 2:
            return True
        middle = self._without(own, (rest - 1) // 2) + self._without(own, rest // 2)
        return self._off[rung] > 2.5 * middle / 2

    def _without(self, removed: list[float], place: int) -> float:
        """Returns the value at a place of the order in which those removed do not stand."""
        for gap in sorted(_places(self._ordered, removed)):
            place += gap <= place
        return self._ordered[place]


def _places(ordered: list[float], values: list[float]) -> set[int]:
    """Returns one place for each of these values in an ordered list, also for equal ones."""
    found: set[int] = set()
    for value in values:
        place = bisect_left(ordered, value)
        while place in found:
            place += 1
        found.add(place)
    return found


def _strongest(curve: Curve, odd: Odd) -> Odd:
    """Returns the odd rungs, of two neighbours only the one further off: a dip makes its neighbour look like
    a spike.
    """
    far = {
        rung: abs(log_ratio(max(curve[rung].value, 1e-9), expected)) for rung, (expected, _) in odd.items()
    }
    return {
        rung: found
        for rung, found in odd.items()
        if all(far[rung] >= far.get(near, 0) for near in curve.around(rung, 1))
    }


def _alone(material: Material, role: Role, cell: Cell, expected: float) -> str:
    """Returns whether a large dip or spike is this series' alone: none of at least three others has one at
    this rung.
    """
    if cell.value <= 0 or abs(log_ratio(cell.value, expected)) < 0.6 or cell.rung is None:
        return ""
    others = [curve for curve in others_of(material, cell) if cell.rung in curve]
    if len(others) < 3 or any(_odd(role, curve, cell.rung) for curve in others):
        return ""
    return f"none of {len(others)} other series of this metric does so at this rung"


def _ended(curve: Curve, rung: float) -> bool:
    return None in curve.beside(rung)


def _others(others: Company | None) -> str:
    if others is None or abs(others.off) < max(_ODD if others.usual > 0.05 else 0.15, 4 * others.usual):
        return ""
    return f"{_percent(math.expm1(min(others.off, 50.0)))} against the other series at this rung"


def _of_the_row(material: Material, cell: Cell) -> str:
    """Returns another metric of the row that is off its own curve, and is no multiple of this one."""
    for curve in material.of_rows[cell.table, cell.levels]:
        if cell.rung is None or curve.first.metric == cell.metric or cell.rung not in curve:
            continue
        other = curve[cell.rung]
        role, own = role_of(other.metric, other.unit), role_of(cell.metric, cell.unit)
        if role is None or own is None or role.kind == own.kind or not _free(role):
            continue
        line = curve.line(cell.rung)
        if line and other.value > 0 and abs(log_ratio(other.value, line)) > 1.0:
            found = f"{other.figure.text} for about {plain(line, 3)}"
            return f"{other.metric} of this row is off its curve too ({found})"
    return ""


def _free(role: Role) -> bool:
    """Returns whether no law ties a metric to the rate, as for a load average or a percentile."""
    return role.kind == "load" or (role.kind == "latency" and role.stat == "quantile")


def _percent(share: float) -> str:
    return f"{100 * share:+.0f} %"


RULE = Rule(
    "off-curve",
    "a dip or a spike along the ladder that other series do not have",
    _check,
    unless=("queries-per-transaction", "block-size", "littles-law", "count-and-rate"),
    kind="shape",
    must="no dip of 15 % or spike of 35 % along the ladder that other series do not have",
)
