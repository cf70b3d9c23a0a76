"""The rule that finds values off a smooth curve: a dip or spike along the ladder that the other series do not
have.

A figure that keeps the identity of its row was measured so: it is an outlier of the run. Where the row breaks
an identity too, the rule of that identity reports a misprint, and this rule is silent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from assay.audit.metrics import Role, role_of
from assay.audit.model import Cell, Finding, Material, at
from assay.audit.reading.words import CONCURRENCY
from assay.audit.rules.rule import Rule
from assay.audit.signs import Company, Curve, between_neighbours, company, log_ratio
from assay.wording import figure as number

_RATES = ("tps", "qps", "iops", "bandwidth", "count")
_DIP = 0.15  # below both neighbours by so much
_SPIKE = 0.35  # above both: the top of a curve is above both too
_ODD = 0.3  # against the other series: the log-ratio that a spike of noise does not reach
_CLIFF = 0.7
_FINE = 6.0  # neighbours further apart leave room for a peak between them

Odd = dict[float, tuple[float, str]]  # rung -> what is expected there, how it stands out


def _check(material: Material) -> Iterator[Finding]:
    for curve in material.series.values():
        cells = list(curve.values())
        role = role_of(cells[0].metric, cells[0].unit)
        if role is None or cells[0].axis not in CONCURRENCY or len(curve) < 5:
            continue
        odd = {rung: found for rung in curve if (found := _odd(role, curve, rung)) and _smooth(curve, rung)}
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
    ladder = sorted(curve)
    place, value = ladder.index(rung), curve[rung].value
    line = between_neighbours(curve, rung)
    if line is not None:
        left, right = curve[ladder[place - 1]].value, curve[ladder[place + 1]].value
        low, high = min(left, right), max(left, right)
        noisy = 2.5 if role.kind == "load" else 1.0
        if role.kind in _RATES or role.kind == "load":
            if 0 <= value < low * (1 - min(_DIP * noisy, 0.4)):
                return line, f"{_percent(value / low - 1)} below both neighbours"
            if value > high * (1 + _SPIKE * noisy) and ladder[place + 1] <= _FINE * ladder[place - 1]:
                return line, f"{_percent(value / high - 1)} above both neighbours"
        if role.kind == "latency" and role.stat == "mean" and value > high * (1 + _SPIKE):
            return line, f"{_percent(value / high - 1)} above both neighbours"
        return None
    if place == len(ladder) - 1 and role.kind in _RATES:
        before = curve[ladder[place - 1]].value
        if 0 <= value < before * 0.5:
            return before, f"{_percent(value / before - 1)} from the rung before"
    return None


def _smooth(curve: Curve, rung: float) -> bool:
    """Returns whether the rest of the curve is smooth enough for this rung to stand out."""
    lines = {one: between_neighbours(curve, one) for one in curve}
    off = {
        one: abs(log_ratio(curve[one].value, line))
        for one, line in lines.items()
        if line and curve[one].value > 0
    }
    ladder = sorted(curve)
    place = ladder.index(rung)
    rest = [off[one] for one in off if one not in ladder[max(place - 1, 0) : place + 2]]
    return rung not in off or len(rest) < 2 or off[rung] > 2.5 * median(rest)


def _strongest(curve: Curve, odd: Odd) -> Odd:
    """Returns the odd rungs, of two neighbours only the one further off: a dip makes its neighbour look like
    a spike.
    """
    ladder = sorted(curve)
    far = {
        rung: abs(log_ratio(max(curve[rung].value, 1e-9), expected)) for rung, (expected, _) in odd.items()
    }
    beside = dict(zip(ladder, zip([-1.0, *ladder], [*ladder[1:], -1.0], strict=False), strict=True))
    return {
        rung: found
        for rung, found in odd.items()
        if all(far[rung] >= far.get(near, 0) for near in beside[rung])
    }


def _alone(material: Material, role: Role, cell: Cell, expected: float) -> str:
    """Returns whether a large dip or spike is this series' alone: none of at least three others has one at
    this rung.
    """
    if cell.value <= 0 or abs(log_ratio(cell.value, expected)) < 0.6 or cell.rung is None:
        return ""
    others = [
        curve
        for key, curve in material.series.items()
        if key != cell.series
        and (key[0], key[2], key[4]) == (cell.study, cell.metric, cell.axis)
        and cell.rung in curve
    ]
    if len(others) < 3 or any(_odd(role, curve, cell.rung) for curve in others):
        return ""
    return f"none of {len(others)} other series of this metric does so at this rung"


def _ended(curve: Curve, rung: float) -> bool:
    return rung in (min(curve), max(curve))


def _others(others: Company | None) -> str:
    if others is None or abs(others.off) < max(_ODD if others.usual > 0.05 else 0.15, 4 * others.usual):
        return ""
    return f"{_percent(math.expm1(min(others.off, 50.0)))} against the other series at this rung"


def _of_the_row(material: Material, cell: Cell) -> str:
    """Returns another metric of the row that is off its own curve, and is no multiple of this one."""
    for key, curve in material.series.items():
        if key[1] != cell.table or key[3] != cell.levels or key[2] == cell.metric or cell.rung not in curve:
            continue
        other = curve[cell.rung]
        role, own = role_of(other.metric, other.unit), role_of(cell.metric, cell.unit)
        if role is None or own is None or role.kind == own.kind or not _free(role):
            continue
        line = between_neighbours(curve, cell.rung)
        if line and other.value > 0 and abs(log_ratio(other.value, line)) > 1.0:
            return (
                f"{other.metric} of this row is off its curve too ({other.figure.text} for about {line:.3g})"
            )
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
)
