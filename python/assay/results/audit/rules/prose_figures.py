"""The rule that figures in prose agree with the tables that they are taken from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.base.numbers import number
from assay.results.audit.figure import Figure, in_prose, parse_figure
from assay.results.audit.metrics import SECONDS, Role, role_of, seconds
from assay.results.audit.model import Cell, Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule
from assay.results.audit.selecting import fits, rungs_of, vocabulary, wanted

_ROUND = 0.05  # prose rounds
_ALONE = re.compile(r"_(?:single|alone|unloaded)\b")
_TOP = re.compile(r"_(highest|largest|maximum)\b|\bmax_")


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("quantity", "value", "unit"):
        for line, row in sheet.rows:
            figure = parse_figure(row["value"])
            study = row.get("study", "")
            known = vocabulary(material, study)
            levels = wanted(known, f"{row['quantity'].replace('_', ' ')}, {row.get('condition', '')}")
            name = re.sub(r"_(un)?indexed|_(highest|largest|maximum)", "", row["quantity"])
            role = role_of(name, row["unit"])
            if figure is None or figure.value <= 0 or role is None or role.kind == "share":
                continue
            cells = [
                cell
                for cell in material.cells
                if cell.study == study
                and cell.rung is not None
                and fits(cell, levels)
                and _kind(cell) == role.kind
            ]
            if role.kind == "latency" and _ALONE.search(row["quantity"]):
                yield from _alone(sheet, line, row["quantity"], figure, row["unit"], cells)
            elif _TOP.search(row["quantity"]):
                yield from _highest(sheet, line, row["quantity"], figure, row["unit"], cells)
            elif (rungs := rungs_of(row.get("condition", ""))) is not None:
                at = [
                    cell for cell in cells if cell.rung is not None and rungs(cell.rung) and _same(cell, role)
                ]
                yield from _each(sheet, line, row["quantity"], in_prose(figure), row["unit"], at)


def _kind(cell: Cell) -> str:
    role = role_of(cell.metric, cell.unit)
    return role.kind if role else ""


def _same(cell: Cell, role: Role) -> bool:
    own = role_of(cell.metric, cell.unit)
    return own is not None and (own.stat, own.quantile, own.part) == (role.stat, role.quantile, role.part)


def _in(unit: str, cell: Cell, value: float) -> float:
    return seconds(value, cell.unit) / SECONDS[unit] if unit in SECONDS else value


def _each(
    sheet: Sheet, line: int, name: str, said: Figure, unit: str, cells: list[Cell]
) -> Iterator[Finding]:
    """Yields findings where a cell that the phrase covers disagrees with the figure, as prose rounds."""
    low, high = (said.value - said.step / 2) * (1 - _ROUND), (said.value + said.step / 2) * (1 + _ROUND)
    off = [
        cell
        for cell in cells
        if not low <= _in(unit, cell, cell.value + cell.figure.step / 2)
        or not _in(unit, cell, cell.value - cell.figure.step / 2) <= high
    ]
    if not off:
        return
    worst = max(off, key=lambda cell: abs(_in(unit, cell, cell.value) / said.value - 1))
    far = abs(_in(unit, worst, worst.value) / said.value - 1) > 2 * _ROUND + said.step / 2 / said.value
    second = f"{len(off)} rows of the table speak against it" if len(off) > 1 else ""
    if not second and far:
        second = f"no rounding of {said.text} makes {worst.figure.text}"
    places = ", ".join(f"{cell.figure.text} at {cell.axis}={cell.rung:g}" for cell in off[:6])
    yield sheet.finding(
        RULE.name,
        "warning" if second else "note",
        "medium",
        name,
        "value",
        line,
        f"{said.text} {unit}",
        worst.figure.text,
        f"{worst.table} has {places}: {len(off)} of {len(cells)} figures are others",
        second,
    )


def _alone(
    sheet: Sheet, line: int, name: str, said: Figure, unit: str, cells: list[Cell]
) -> Iterator[Finding]:
    """Yields a finding where an operation alone is said to take longer than one under load took."""
    shortest = min(
        (one for one in cells if one.value > 0), key=lambda one: _in(unit, one, one.value), default=None
    )
    if shortest is None or _in(unit, shortest, shortest.figure.high) >= said.low:
        return
    yield sheet.finding(
        RULE.name,
        "warning",
        "medium",
        name,
        "value",
        line,
        f"{said.text} {unit}",
        f"at most {number(_in(unit, shortest, shortest.value))} {unit}",
        f"{shortest.metric} is {shortest.figure.text} {shortest.unit} at {shortest.axis}={shortest.rung:g}"
        f" ({shortest.table}), where others ran beside it",
        "an operation alone is no slower than one among others",
    )


def _highest(
    sheet: Sheet, line: int, name: str, said: Figure, unit: str, cells: list[Cell]
) -> Iterator[Finding]:
    if not cells:
        return
    top = max(cells, key=lambda cell: _in(unit, cell, cell.value))
    value = _in(unit, top, top.value)
    if value <= said.value + said.step:
        return
    same = [cell for cell in cells if abs(_in(unit, cell, cell.value) - said.value) <= said.step]
    yield sheet.finding(
        RULE.name,
        "error" if same else "note",
        "high",
        name,
        "value",
        line,
        f"{said.text} {unit}",
        f"{number(value)} {unit}",
        f"the highest in the tables is {top.metric} {top.figure.text} {top.unit} ({top.table}, {top.row})",
        f"{said.text} {unit} is the {same[0].metric} of {same[0].table}, {same[0].row}" if same else "",
    )


RULE = Rule(
    "prose-figures",
    "figures in prose against the tables they are taken from",
    _check,
    kind="words",
    must="figures in prose are those of the tables, as prose rounds",
)
