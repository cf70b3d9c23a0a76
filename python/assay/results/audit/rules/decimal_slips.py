"""The rule that a decimal point is in its place: others do not predict ten times a figure, or a tenth."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.numbers import number
from assay.results.audit.metrics import Role, role_of
from assay.results.audit.model import Cell, Curve, Finding, Material, at
from assay.results.audit.reading.words import CONCURRENCY
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import company, log_ratio

_RATES = ("tps", "qps", "iops", "bandwidth", "tpmc")
_OFF, _FITS = math.log(4), math.log(1.6)
"""Log-ratios to what the neighbours predict: of a figure that is far off, and of one that fits."""
_OF_OTHERS = 0.5


def _check(material: Material) -> Iterator[Finding]:
    for curve in material.series.values():
        first = curve.first
        role = role_of(first.metric, first.unit)
        if role is None or not _is_steady(role) or first.axis not in CONCURRENCY or len(curve) < 3:
            continue
        for rung, cell in curve.items():
            expected = _expected(curve, rung)
            if cell.value <= 0 or not expected or abs(log_ratio(cell.value, expected)) < _OFF:
                continue
            if curve.beside(rung)[0] is None and cell.value < expected:
                continue  # a ladder begins with little load
            factor = 0.1 if cell.value > expected else 10.0
            if abs(log_ratio(cell.value * factor, expected)) < _FITS:
                yield _finding(material, curve, cell, factor)


def _is_steady(role: Role) -> bool:
    """Returns whether a metric goes along a ladder without jumps: rates, and latencies but the longest."""
    if role.kind == "latency":
        return role.stat == "mean" or (role.quantile or 1.0) <= 0.99
    return role.kind in _RATES and role.stat == "mean"


def _expected(curve: Curve, rung: float) -> float | None:
    """Returns what the neighbours of a load point predict; at an end of the ladder the one neighbour."""
    before, after = curve.beside(rung)
    if before is not None and after is not None:
        return curve.line(rung)
    neighbour = after if before is None else before
    value = curve[neighbour].value if neighbour is not None else 0.0
    return value if value > 0 else None


def _finding(material: Material, curve: Curve, cell: Cell, factor: float) -> Finding:
    printed, proposed = company(material, cell), company(material, cell, cell.value * factor)
    second = ""
    if printed is not None and proposed is not None:
        if abs(proposed.off) < _OF_OTHERS < abs(printed.off):
            second = f"{number(cell.value * factor)} is what the other series have at this load point, too"
    elif cell.rung is not None and None not in curve.beside(cell.rung):
        second = "a decimal point in the wrong place explains both neighbours"
    times = "ten times" if factor < 1 else "a tenth of"
    return at(
        cell,
        RULE.name,
        "warning",
        "medium",
        expected=f"about {number(cell.value * factor)}",
        sign=f"{cell.figure.text} is {times} what its neighbours predict",
        second_sign=second,
    )


RULE = Rule(
    "decimal-slips",
    "figures with a digit or a decimal point too many or too few",
    _check,
    unless=("off-curve", "queries-per-transaction", "block-size", "littles-law", "count-and-rate", "order"),
    kind="shape",
    must="no rate and no latency is ten times, or a tenth of, what its neighbours and the other series "
    "predict",
)
