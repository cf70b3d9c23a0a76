"""The rule that levels can be told apart: not where all of them stand at one ceiling along the ladder."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.base.numbers import number
from assay.results.audit.claims.words import NO_EFFECT
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Curve, Finding, Material, at
from assay.results.audit.reading.words import CONCURRENCY
from assay.results.audit.rules.rule import Rule

_RATES = ("tps", "qps", "iops", "bandwidth")
_LEAST_RUNGS = 3
_LEAST_CELLS = 8
_LONGEST = 4.0
"""Figures that show a ceiling where no load point is below it, and how far a ladder goes for that."""
_APART, _FLAT = 0.007, 0.007
"""Shares by which levels may lie apart at a load point, and the figures along the ladder: no server that is
the limit is so even, because starts of one server differ by more (docs/method/statistics.md)."""


def _check(material: Material) -> Iterator[Finding]:
    tables: dict[tuple[str, str, str], dict[str, list[Curve]]] = defaultdict(lambda: defaultdict(list))
    for key, curve in material.series.items():
        cell = next(iter(curve.values()))
        role = role_of(cell.metric, cell.unit)
        if role is not None and role.kind in _RATES and role.stat == "mean" and cell.axis in CONCURRENCY:
            tables[cell.study, cell.file, key[1]][cell.metric].append(curve)
    for (study, *_), metrics in tables.items():
        found = [(one, curves) for curves in metrics.values() if (one := _at_ceiling(curves))]
        if found:
            yield found[0][0]
            yield from _claims_at(material, study, found[0][0], found[0][1])


def _at_ceiling(curves: Sequence[Curve]) -> Finding | None:
    common = sorted(set.intersection(*(set(curve) for curve in curves)))
    if len(curves) < 2 or len(common) < _LEAST_RUNGS or common[-1] < _LONGEST * common[0]:
        return None
    top = [rung for rung in common if rung >= _first(curves, common)]
    if len(top) < _LEAST_RUNGS or (len(top) == len(common) and len(top) * len(curves) < _LEAST_CELLS):
        return None
    cells = [curve[rung] for curve in curves for rung in top]
    if min(cell.figure.digits for cell in cells) < 4 or _are_copies(curves, top):
        return None
    middle = sum(cell.value for cell in cells) / len(cells)
    cell = curves[0][top[0]]
    return replace(
        at(
            cell,
            RULE.name,
            "warning",
            "medium",
            expected="a load that does not reach the ceiling",
            sign=f"all {len(curves)} levels have {number(middle)} {cell.unit} from {cell.axis}={top[0]:g} on:"
            f" another limit hides what they differ in",
            second_sign=f"the figures stay within {100 * _FLAT:g} % over {len(top)} load points",
        ),
        row=f"{cell.axis}>={top[0]:g}",
        printed=", ".join(curve[top[0]].figure.text for curve in curves[:4]),
    )


def _first(curves: Sequence[Curve], common: Sequence[float]) -> float:
    """Returns the load point from which on all figures are equal; infinity where the last ones are not."""
    first = float("inf")
    for rung in reversed(common):
        values = [curve[one].value for curve in curves for one in common if one >= rung]
        here = [curve[rung].value for curve in curves]
        if min(values) <= 0 or max(here) / min(here) > 1 + _APART or max(values) / min(values) > 1 + _FLAT:
            break
        first = rung
    return first


def _claims_at(
    material: Material, study: str, ceiling: Finding, curves: Sequence[Curve]
) -> Iterator[Finding]:
    """Yields findings for claims that a factor has no effect, which rest on a table at its ceiling."""
    factors = {name.lower() for curve in curves for name, level in curve.first.levels if level}
    for sheet in material.with_columns("claim", "hypothesis"):
        for line, row in sheet.rows:
            text = row["hypothesis"].lower()
            if row.get("study", "") in ("", study) and NO_EFFECT.search(text):
                for factor in factors:
                    if re.search(rf"(?<!\w){re.escape(factor)}(?!\w)", text):
                        yield replace(
                            ceiling,
                            file=sheet.file,
                            table=sheet.file,
                            row=row["claim"],
                            column="hypothesis",
                            line=line,
                            printed=row["hypothesis"],
                            sign=f"it rests on {ceiling.table}, where {ceiling.sign}",
                        )


def _are_copies(curves: Sequence[Curve], top: Sequence[float]) -> bool:
    """Returns whether two curves have the same figures, which another rule says."""
    prints: list[tuple[Cell, ...]] = [tuple(curve[rung] for rung in top) for curve in curves]
    texts = {tuple(cell.value for cell in one) for one in prints}
    return len(texts) < len(prints)


RULE = Rule(
    "ceiling",
    "levels that all stand at one ceiling, so that the table cannot tell them apart",
    _check,
    kind="shape",
    must="levels can be told apart: they do not all stand at one figure, to 0.3 %, over three load points",
)
