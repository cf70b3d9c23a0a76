"""Reads tables pasted into a text, with columns separated by bars, tabs, or two or more blanks (one blank
where all are figures).

Tables are separated by empty lines. Rules of Markdown and of MySQL's client are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    grids: list[Grid] = []
    used: set[int] = set()
    start = 0
    while start < len(fields) - 2:
        header = fields[start][1]
        rows = [row for row in fields[start + 1 :] if len(row[1]) == len(header)]
        if len(header) >= 2 and len(rows) >= 2 and _is_table(header, rows, "".join(lines[start][1])):
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


def _is_table(header: Sequence[str], rows: Sequence[Row], line: str) -> bool:
    """Returns whether rows are a table: half of their fields are figures; between bars, tabs and wide gaps,
    one column of them is enough.
    """
    known = [[bool(read_cell(one).figures) for one in row] for _, row in rows]
    if 2 * sum(map(sum, known)) >= len(rows) * len(header):
        return True
    has_columns = "|" in line or "\t" in line or re.search(r"\S\s{2,}\S", line) is not None
    is_head = looks_across(header) or not any(parse_figure(one) is not None for one in header)
    return has_columns and is_head and any(2 * sum(column) > len(rows) for column in zip(*known, strict=True))


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
