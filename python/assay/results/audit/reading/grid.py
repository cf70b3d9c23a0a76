"""Tables as rows of texts, with as many rows at their head as they have, and the sheets that they become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.results.audit.model import LeftOver, Sheet
from assay.results.audit.reading.cell_text import read_cell
from assay.results.audit.reading.heads import is_metric, split_rung
from assay.results.audit.reading.words import axis_of

Row = tuple[int, list[str]]  # its line in the file, its fields
_MOST_HEADS = 3
LONGEST_TEXT = 2_000
"""Characters of a field, or of a sentence, at most. What is longer is neither a figure nor a statement about
some, and the patterns that look for these take time by more than its length.
"""


@dataclass(frozen=True)
class Grid:
    """A table of a file; `title` is what stands above it."""

    file: str
    rows: Sequence[Row]
    title: str = ""


def without_long_texts(grid: Grid) -> tuple[Grid, list[LeftOver]]:
    """Returns a table with its overlong fields emptied, and these fields."""
    long = [(at, field) for at, fields in grid.rows for field in fields if len(field) > LONGEST_TEXT]
    if not long:
        return grid, []
    rows = [(at, ["" if len(one) > LONGEST_TEXT else one for one in fields]) for at, fields in grid.rows]
    left = [
        LeftOver(grid.file, at, "cell", "", field[:120], f"has {len(field):,} characters")
        for at, field in long
    ]
    return replace(grid, rows=rows), left


def sheets_of(grid: Grid) -> Iterator[Sheet]:
    """Yields the sheets of a table: one, or several where further heads stand within it."""
    begin = 0
    heads = _heads(grid.rows)
    if not _is_by_columns(grid.rows[0][1]):
        for at in range(heads + 1, len(grid.rows)):
            if at > begin + 1 and _is_head(grid.rows[at][1]):
                yield _sheet(Grid(grid.file, grid.rows[begin:at], grid.title))
                begin = at
    yield _sheet(Grid(grid.file, grid.rows[begin:], grid.title))


def _is_by_columns(head: Sequence[str]) -> bool:
    """Returns whether the names of the columns themselves say what the rows are, as in the long form."""
    return Sheet("", tuple(head), ()).is_known


def _is_head(fields: Sequence[str]) -> bool:
    """Returns whether a row names columns: without a figure, and half of it axes and metrics."""
    named = [field for field in fields if field]
    if len(named) < 2 or any(read_cell(field).figures for field in named):
        return False
    known = sum(bool(axis_of(field)) or is_metric(field) for field in named)
    return 2 * known >= len(named)


def _heads(rows: Sequence[Row]) -> int:
    """Returns the number of rows at the head of a table: several where the first has gaps or repeats."""
    heads = 1
    while heads < min(_MOST_HEADS, len(rows) - 1):
        merged = _merged([fields for _, fields in rows[:heads]])
        has_gaps = len(set(merged)) < len(merged) or "" in merged or "" in rows[0][1]
        if not has_gaps or not _is_head(rows[heads][1]):
            break
        heads += 1
    return heads


def _merged(heads: Sequence[Sequence[str]]) -> list[str]:
    """Returns the names of the columns from the rows at the head; a name above a gap goes on to the right."""
    filled = []
    for number, row in enumerate(heads):
        fields, last = [], ""
        for field in row:
            last = field or (last if number < len(heads) - 1 else "")
            fields.append(last)
        filled.append(fields)
    return [" ".join(dict.fromkeys(part for part in column if part)) for column in zip(*filled, strict=True)]


def _sheet(grid: Grid) -> Sheet:
    rows = list(grid.rows)
    title = grid.title
    width = max(len(fields) for _, fields in rows)
    if len([one for one in rows[0][1] if one]) == 1 and len(rows) > 2 and width > 1 and rows[0][1][0]:
        title = " ".join(filter(None, (title, rows.pop(0)[1][0])))  # a caption in the first cell
    padded = [(line, [*fields, *[""] * (width - len(fields))]) for line, fields in rows]
    heads = _heads(padded)
    names = _distinct(_merged([fields for _, fields in padded[:heads]]))
    return Sheet(
        grid.file,
        names,
        tuple((line, dict(zip(names, fields, strict=True))) for line, fields in padded[heads:]),
        title,
        tuple(line for line, _ in padded[:heads]),
    )


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Returns the names; one that is missing or used is numbered, so that no column hides another."""
    found: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        distinct = name or f"column {number}"
        count = 2
        while distinct in found:
            distinct, count = f"{name} ({count})", count + 1
        found[distinct] = number
    return tuple(found)


def looks_across(head: Sequence[str]) -> bool:
    """Returns whether the names of columns are load points: at least two of them, and none twice."""
    rungs = [found for name in head if (found := split_rung(name)) is not None]
    return len(rungs) >= 2 and 2 * len(rungs) >= len(head) - 1
