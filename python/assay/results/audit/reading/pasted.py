"""Reads tables pasted into a text, with columns separated by bars, tabs, or two or more blanks (one blank
where all are figures).

Tables are separated by empty lines. Rules of Markdown and of MySQL's client are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from assay.results.audit.figure import parse_figure
from assay.results.audit.reading.cell_text import read_cell
from assay.results.audit.reading.grid import Grid, Row, looks_across
from assay.results.audit.reading.points import without_points

_RULE = re.compile(r"[\s|+:\-=─━│┃┼╋├┤┌┐└┘┬┴]+")
_LONGEST_TITLE = 120


def pasted_grids(name: str, text: str) -> tuple[list[Grid], list[tuple[int, str]]]:
    """Returns the tables in a text, each a header and at least two rows with as many fields, with figures in
    them; and the other lines that have two figures or more, with their numbers.
    """
    found: list[Grid] = []
    other: list[tuple[int, str]] = []
    title = ""
    numbered = list(enumerate(text.splitlines(), start=1))
    for is_empty, lines in groupby(numbered, key=lambda one: not one[1].strip()):
        if is_empty:
            continue
        block = [(at, line) for at, line in lines if not _RULE.fullmatch(line)]
        grids, left = _tables(name, block, title)
        other += [(at, line) for at, line in left if _has_figures(line)]
        found += grids
        last = block[-1][1].strip() if block else ""
        title = "" if grids or len(last) > _LONGEST_TITLE else last.strip("#*_: |")
    if len(found) == 1:
        return [Grid(name, found[0].rows, found[0].title)], other
    return [
        Grid(f"{name}: {grid.title or f'table {number}'}", grid.rows, grid.title)
        for number, grid in enumerate(found, start=1)
    ], other


def _has_figures(line: str) -> bool:
    return sum(parse_figure(one) is not None for one in _fields(line)) >= 2


def _tables(
    name: str, lines: Sequence[tuple[int, str]], title: str
) -> tuple[list[Grid], list[tuple[int, str]]]:
    """Returns the tables of a block of lines, and the lines that belong to none."""
    fields = [(at, _fields(line)) for at, line in lines]
    below = _below(fields)
    grids: list[Grid] = []
    used: set[int] = set()
    start = 0
    while start < len(fields) - 2:
        header = fields[start][1]
        if len(header) >= 2 and _is_table(header, below[start], lines[start][1]):
            rows = [row for row in fields[start + 1 :] if len(row[1]) == len(header)]
            above = " ".join(fields[start - 1][1]).strip(":") if start and start - 1 not in used else title
            table = without_points(name, [fields[start], *rows], is_of_semicolons=False)
            grids.append(Grid(name, table, above))
            numbers = {at for at, _ in rows} | {fields[start][0]}
            used |= {place for place, (at, _) in enumerate(fields) if at in numbers}
            start = max(used) + 1
        else:
            start += 1
    titles = {min(used) - 1} if used else set()
    return grids, [line for place, line in enumerate(lines) if place not in used | titles]


@dataclass(frozen=True)
class _Below:
    """What stands below a line, in lines of as many fields: how many, and how many figures in each column."""

    rows: int
    figures: Sequence[int]


def _below(fields: Sequence[Row]) -> list[_Below]:
    """Returns what stands below each line; each field is looked at once, however many lines may be a head."""
    found: list[_Below] = []
    counted: dict[int, _Below] = {}
    for _, row in reversed(fields):
        here = counted.get(len(row), _Below(0, (0,) * len(row)))
        found.append(here)
        known = [bool(read_cell(one).figures) for one in row]
        figures = [count + is_one for count, is_one in zip(here.figures, known, strict=True)]
        counted[len(row)] = _Below(here.rows + 1, figures)
    return found[::-1]


def _is_table(header: Sequence[str], below: _Below, line: str) -> bool:
    """Returns whether rows are a table: half of their fields are figures; between bars, tabs and wide gaps,
    one column of them is enough.
    """
    if below.rows < 2:
        return False
    if 2 * sum(below.figures) >= below.rows * len(header):
        return True
    has_columns = "|" in line or "\t" in line or re.search(r"\S\s{2,}\S", line) is not None
    is_head = looks_across(header) or not any(parse_figure(one) is not None for one in header)
    return has_columns and is_head and any(2 * count > below.rows for count in below.figures)


def _fields(line: str) -> list[str]:
    if "|" in line or "│" in line:
        parts = re.split(r"[|│┃]", re.sub(r"^[|│┃]|[|│┃]$", "", line.strip()))
    elif "\t" in line:
        parts = line.strip("\n").split("\t")
    elif re.search(r"\S\s{2,}\S", line):
        parts = re.split(r"\s{2,}", line.strip())
    else:
        parts = line.split()
    return [part.strip().strip("`").removeprefix("**").removesuffix("**").strip() for part in parts]
