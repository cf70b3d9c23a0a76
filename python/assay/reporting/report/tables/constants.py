"""Columns that say the same in every row: a page says it once, beneath the table.

Treatments side by side are such a case by row: where all of them have one value, the value stands once.
"""

from __future__ import annotations

from dataclasses import replace

from assay.base.numbers import NOTHING
from assay.reporting.report.tables.model import Cell, Column, Doubted, Figure, Ratio, Table
from assay.reporting.report.tables.write import heading, shown
from assay.reporting.report.words import Words

_KINDS = frozenset({"number", "text", "prose", "code"})
"""Kinds of column that can be said once. A verdict's word stands at its figure."""


def without_constants(table: Table, words: Words) -> Table:
    """Returns the table without the columns of files, without empty ones, and without those that are equal in
    all rows, which the note names. The first column stays.
    """
    if not table.rows:
        return table
    kept: list[int] = []
    said: list[str] = []
    for at, column in enumerate(table.columns):
        texts = {_plain(row[at], words) for row in table.rows}
        if column.file_only:
            continue
        if at == 0 or column.side or column.kind not in _KINDS or len(texts) > 1 or None in texts:
            kept.append(at)
        elif texts <= {"", NOTHING}:
            continue
        elif len(table.rows) > 1:
            said.append(words("repeat.value", name=heading(column, words), value=texts.pop()))
        else:
            kept.append(at)
    notes = [words("repeat.column", values=words.clauses(said))] if said else []
    if said and kept == [0]:
        sentence = words("repeat.all-rows", title=table.title, values=words.clauses(said))
        return replace(table, rows=(), empty=sentence, note="", folded=False)
    return replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in table.rows),
        note=words.sentences([*notes, *([table.note] if table.note else [])]),
    )


def equal_apart(table: Table, words: Words) -> list[Table]:
    """Returns the rows in which the treatments differ, and, closed, those in which all are equal, with one
    column for all of them.
    """
    sides, equal = _sides(table), equal_rows(table)
    if not equal:
        return [table]
    differ = tuple(row for row in table.rows if row not in equal)
    kept = [at for at in range(len(table.columns)) if at not in sides[1:]]
    together = Column("value", words("repeat.all-sides"), kind="text")
    count = len(equal)
    return [
        replace(table, rows=differ, empty=words("repeat.none-differ", title=table.title, count=count)),
        replace(
            table,
            name=f"{table.name}-equal",
            title=words("repeat.equal", title=table.title),
            columns=tuple(together if at == sides[0] else table.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in equal),
            note="" if differ else table.note,
            folded=True,
            part_of=table.file,
        ),
    ]


def equal_rows(table: Table) -> list[tuple[Cell, ...]]:
    """Returns the rows in which all treatments have one value; none where there are no two treatments."""
    sides = _sides(table)
    return [row for row in table.rows if len({row[at] for at in sides}) == 1] if len(sides) > 1 else []


def _sides(table: Table) -> list[int]:
    return [at for at, column in enumerate(table.columns) if column.side and column.kind == "text"]


def _plain(cell: Cell, words: Words) -> str | None:
    """Returns the text of a cell that is the same wherever it stands; None for a figure and for a mark."""
    stays = isinstance(cell, Figure | Ratio) or (isinstance(cell, Doubted) and bool(cell.names))
    return None if stays else shown(cell, words)
