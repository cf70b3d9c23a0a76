"""The rule that finds repeated rows: two rows of a table in which every figure is the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Levels, Material, at
from assay.results.audit.rules.rule import Rule

_FIGURES, _ALL_DIGITS = 3, 9
"""Different figures of a row, and digits beyond the first of each, that no two runs have in common."""
_DIGITS = 7  # between the independent figures of a row: less is chance


def _check(material: Material) -> Iterator[Finding]:
    yield from _without_load(material)
    for table in material.tables:
        rows: dict[Levels, dict[tuple[tuple[str, float], ...], list[list[Cell]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for (levels, rung), row in table.rows.items():
            if rung is not None and row:
                cells = [row[name] for name in sorted(row)]
                rows[levels][tuple((cell.metric, cell.value) for cell in cells)].append(cells)
        for found in rows.values():
            for same in found.values():
                for again in same[1:]:
                    if _independent_digits(again) >= _DIGITS:
                        yield _finding(same[0], again)


def _without_load(material: Material) -> Iterator[Finding]:
    """Yields findings for rows of a table without load points that differ in their name alone."""
    lines: dict[tuple[str, str], dict[int, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for cell in material.cells:
        if cell.rung is None and cell.line:
            lines[cell.file, cell.table][cell.line].append(cell)
    for rows in lines.values():
        first: dict[tuple[tuple[str, float], ...], list[Cell]] = {}
        for row in rows.values():
            figures = tuple((f"{cell.metric} {cell.level('series')}", cell.value) for cell in row)
            again = first.setdefault(figures, row)
            digits = sum(max(cell.figure.digits - 1, 0) for cell in row)
            if again is not row and len({cell.value for cell in row}) >= _FIGURES and digits >= _ALL_DIGITS:
                yield _finding(again, row)


def _independent_digits(row: list[Cell]) -> int:
    """Returns the digits of metrics that no identity ties together: those of parts, not of their total."""
    kinds: dict[tuple[str, str], int] = {}
    for cell in row:
        role = role_of(cell.metric, cell.unit)
        if role is None or role.part == "total" or not cell.value:
            continue
        tied = "rate" if role.kind in ("tps", "qps", "iops", "bandwidth") else role.kind
        place = (tied, role.part)
        kinds[place] = max(kinds.get(place, 0), cell.figure.digits)
    return sum(kinds.values()) if len(kinds) >= 2 else 0


def _finding(first: list[Cell], again: list[Cell]) -> Finding:
    figures = ", ".join(cell.figure.text for cell in again)
    return at(
        again[0],
        RULE.name,
        "warning",
        "high",
        expected="figures of its own",
        sign=f"the row is that of {first[0].row} again: {figures}",
        second_sign=f"{len(again)} metrics agree to the last digit",
    )


RULE = Rule(
    "repeated-rows",
    "rows in which every figure is that of another row",
    _check,
    kind="copies",
    must="no row has every figure of another one",
)
