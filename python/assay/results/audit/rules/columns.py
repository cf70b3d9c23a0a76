"""The rule that a column which follows from others does so in every row, whatever the columns are called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.base.numbers import number
from assay.results.audit.figure import Figure
from assay.results.audit.formulas import Column, Formula, formulas_of
from assay.results.audit.model import Cell, Finding, Material, Sheet
from assay.results.audit.named_formulas import named_formulas
from assay.results.audit.reading.cell_text import read_cell
from assay.results.audit.reading.words import axis_of
from assay.results.audit.rules.rule import Rule


@dataclass(frozen=True)
class _Rows:
    """Rows as columns of figures; `places` are the file, table, row and line of each figure, row by row."""

    heads: Sequence[str]
    columns: Sequence[Column]
    places: Sequence[Sequence[tuple[str, str, str, int]]]


def _check(material: Material) -> Iterator[Finding]:
    for rows in (*_of_sheets(material), *_of_tables(material)):
        found = formulas_of(rows.heads, rows.columns) if rows.places else []
        known = {(one.target, frozenset(one.parts)) for one in found}
        named = named_formulas(rows.heads, rows.columns) if rows.places else ()
        found += [one for one in named if (one.target, frozenset(one.parts)) not in known]
        for row in range(len(rows.places)) if found else ():
            for formula in _to_blame(found, rows.columns, row):
                yield _finding(rows, formula, row)


def _of_sheets(material: Material) -> Iterator[_Rows]:
    """Yields sheets in wide form, also those in which no column is a load or a known metric."""
    names = {(cell.file, cell.line): cell.row for cell in material.cells}
    for sheet in material.sheets:
        if not sheet.is_known:
            heads = [one for one in sheet.columns if _is_of_figures(sheet, one)]
            places = [
                [(sheet.file, sheet.file, names.get((sheet.file, line)) or _name(sheet, row), line)]
                * len(heads)
                for line, row in sheet.rows
            ]
            yield _Rows(heads, [_column(sheet, head) for head in heads], places)


def _of_tables(material: Material) -> Iterator[_Rows]:
    """Yields tables in long form; and the outputs of one tool, which are a row each, as one table."""
    wide = {sheet.file for sheet in material.sheets if not sheet.is_known}
    groups: dict[tuple[str, str, tuple[str, ...]], list[Mapping[str, Cell]]] = defaultdict(list)
    for table in material.tables:
        for row in table.rows.values():
            if not any(cell.file in wide for cell in row.values()):
                name = table.name if len(table.rows) > 1 else ""
                groups[table.study, name, tuple(row)].append(row)
    for (*_, heads), rows in groups.items():
        cells = [[row[head] for head in heads] for row in rows]
        yield _Rows(
            heads,
            [[row[head].figure for row in rows] for head in heads],
            [[(cell.file, cell.table, cell.row, cell.line) for cell in row] for row in cells],
        )


def _is_of_figures(sheet: Sheet, column: str) -> bool:
    figures = [read_cell(row[column]).figures for _, row in sheet.rows]
    return 2 * sum(len(one) == 1 for one in figures) > len(figures)


def _column(sheet: Sheet, head: str) -> list[Figure | None]:
    """Returns the figures of a column; a number of connections or threads is exact."""
    figures = [_figure(row[head]) for _, row in sheet.rows]
    is_load = axis_of(head) not in ("", "rate")
    return [replace(one, step=0.0) if one and is_load else one for one in figures]


def _figure(text: str) -> Figure | None:
    figures = read_cell(text).figures
    return figures[0].figure if len(figures) == 1 else None


def _name(sheet: Sheet, fields: Mapping[str, str]) -> str:
    first = sheet.columns[0]
    return f"{first}={fields[first]}"


def _to_blame(found: Sequence[Formula], columns: Sequence[Column], row: int) -> list[Formula]:
    """Returns the formulas that a row breaks, one for each figure that explains them.

    One wrong figure breaks every formula that it is in, as target or as part. It is in more broken
    formulas and in fewer kept ones than the right figures beside it.
    """
    outcomes = [(one, outcome) for one in found if (outcome := one.outcome(columns, row))]
    broken = [one for one, outcome in outcomes if outcome.is_broken]
    kept: dict[int, int] = defaultdict(int)
    for one, outcome in outcomes:
        for column in (one.target, *one.parts) if outcome.is_exact else ():
            kept[column] += 1
    blamed = []
    while broken:
        inside: dict[int, int] = defaultdict(int)
        for one in broken:
            for column in (one.target, *one.parts):
                inside[column] += 1
        targets = {one.target for one in broken}
        worst = max(targets, key=lambda at: (inside[at] - kept[at], at))
        blamed.append(next(one for one in broken if one.target == worst))
        broken = [one for one in broken if worst not in (one.target, *one.parts)]
    return blamed


def _finding(rows: _Rows, formula: Formula, row: int) -> Finding:
    outcomes = [formula.outcome(rows.columns, one) for one in range(len(rows.places))]
    here, exact = outcomes[row], sum(one is not None and one.is_exact for one in outcomes)
    assert here is not None
    target = rows.heads[formula.target]
    text = formula.text.format(*(rows.heads[part] for part in formula.parts))
    file, table, name, line = rows.places[row][formula.target]
    return Finding(
        RULE.name,
        "error",
        "high",
        file,
        table,
        name,
        target,
        line,
        here.printed.text,
        number(here.expected),
        f"{target} = {text}; here that is {number(here.expected)}",
        f"{exact} other row{'s keep' if exact != 1 else ' keeps'} it to the last digit",
    )


RULE = Rule(
    "columns",
    "columns that follow from others do so in every row",
    _check,
    unless=(
        "queries-per-transaction",
        "block-size",
        "count-and-rate",
        "whole-and-parts",
        "printed-counts",
        "shares",
        "differences",
        "littles-law",
    ),
    kind="arithmetic",
    must="a column that follows from others does so in every row, whatever its head says: sums, "
    "differences, means, extremes of repeats, products, quotients, differences in per cent, "
    "shares that make 100, constant ratios",
)
