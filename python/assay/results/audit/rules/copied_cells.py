"""The rule that two series of a table do not share a figure where they lie apart elsewhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import median

from assay.base.numbers import number
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Curve, Finding, Material, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import log_ratio

_DIGITS = 5
_APART = 0.05
_LEAST = 3  # other load points at which the series lie apart
_MOST = 40  # series of a table beyond which it is no table that a person copied cells in
_KINDS = ("tps", "qps", "iops", "bandwidth", "tpmc", "latency")


def _check(material: Material) -> Iterator[Finding]:
    tables: dict[tuple[str, str, str, str], list[Curve]] = defaultdict(list)
    for (_, table, metric, _, axis), curve in material.series.items():
        role = role_of(metric, curve.first.unit)
        if (role is None or role.kind in _KINDS) and axis not in ("", "rate"):
            tables[curve.first.file, table, metric, axis].append(curve)
    for curves in tables.values():
        for one, other in combinations(curves, 2) if len(curves) <= _MOST else ():
            yield from _of_pair(one, other)


def _of_pair(one: Curve, other: Curve) -> Iterator[Finding]:
    common = sorted(one.keys() & other.keys())
    same = [rung for rung in common if one[rung].figure.text == other[rung].figure.text]
    if len(same) != 1 or len(common) <= _LEAST or not _is_long(one[same[0]]):
        return
    (rung,) = same
    rest = [
        log_ratio(one[at].value, other[at].value)
        for at in common
        if at != rung and _are_positive(one, other, at)
    ]
    if len(rest) < _LEAST or min(map(abs, rest)) < _APART or len({value > 0 for value in rest}) > 1:
        return
    wrong, right = _blamed(one, other, rung, rest)
    before = {True: "above", False: "below"}[wrong is one if rest[0] > 0 else wrong is other]
    usual = abs(median(rest))
    expected = right[rung].value * (1 + usual if before == "above" else 1 / (1 + usual))
    yield at(
        wrong[rung],
        RULE.name,
        "warning",
        "high",
        expected=f"about {number(expected)}",
        sign=f"{wrong[rung].figure.text} is also the figure of {_name(right[rung])} at this load point",
        second_sign=f"at the {len(rest)} other load points it lies {before} it, by"
        f" {100 * min(map(abs, rest)):.0f} % at the least",
    )


def _is_long(cell: Cell) -> bool:
    """Returns whether a figure has so many digits that chance and limits do not repeat it."""
    return len(re.sub(r"\D", "", cell.figure.text).strip("0")) >= _DIGITS


def _are_positive(one: Curve, other: Curve, rung: float) -> bool:
    return one[rung].value > 0 < other[rung].value


def _blamed(one: Curve, other: Curve, rung: float, rest: Sequence[float]) -> tuple[Curve, Curve]:
    """Returns the curve with the copy and the other: the copy is further off its own neighbours."""

    def off(curve: Curve) -> float:
        before, after = curve.beside(rung)
        near = [log_ratio(curve[at].value, curve[rung].value) for at in (before, after) if at is not None]
        return max((abs(value) for value in near), default=0.0) if len(near) < 2 else abs(sum(near)) / 2

    return (one, other) if off(one) > off(other) else (other, one)


def _name(cell: Cell) -> str:
    return ", ".join(level for _, level in cell.levels if level) or cell.metric


RULE = Rule(
    "copied-cells",
    "a figure that stands in two series which differ elsewhere",
    _check,
    kind="copies",
    must="two series of a table that lie 5 % apart at all other load points share no figure of five digits",
)
