"""Reads the prose around pasted tables: sentences that state a change, as claims about the tables nearby."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from assay.results.audit.model import Sheet
from assay.results.audit.reading.grid import LONGEST_TEXT, Grid

_HEADING = re.compile(r"\s*(?:#{1,6}\s|={3,}\s*\S|h[1-6]\.\s)")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
COLUMNS = ("claim", "hypothesis", "scope")


def prose_of(name: str, text: str, grids: Sequence[Grid], is_claim: Callable[[str], bool]) -> Sheet | None:
    """Returns a sheet of the sentences that are claims, each with the tables of its section as its scope."""
    of_tables = {line for grid in grids for line, _ in grid.rows}
    sections, section = {}, 0
    paragraphs: list[tuple[int, list[str]]] = []
    for line, words in enumerate(text.splitlines(), start=1):
        section += _HEADING.match(words) is not None
        sections[line] = section
        if not words.strip() or line in of_tables or _HEADING.match(words):
            paragraphs.append((line, []))
        elif paragraphs and paragraphs[-1][1]:
            paragraphs[-1][1].append(words.strip())
        else:
            paragraphs.append((line, [words.strip()]))
    rows = [
        (line, {"claim": f"line {line}", "hypothesis": one, "scope": _scope(sections, line, grids)})
        for first, lines in paragraphs
        for line, one in _sentences(first, lines)
        if len(one) <= LONGEST_TEXT and is_claim(one)
    ]
    return Sheet(name, COLUMNS, tuple(rows)) if rows else None


def _sentences(first: int, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields the sentences of a paragraph, each with the line in which it begins."""
    ends = list(accumulate(len(one) + 1 for one in lines))
    begin = 0
    for one in _SENTENCES.split(" ".join(lines)):
        yield first + bisect_right(ends, begin), one
        begin += len(one) + 1


def is_prose(sheet: Sheet) -> bool:
    """Returns whether a sheet holds sentences from around tables, and no claims of a file of claims."""
    return sheet.columns == COLUMNS and all(row["claim"] == f"line {line}" for line, row in sheet.rows)


def _scope(sections: dict[int, int], line: int, grids: Sequence[Grid]) -> str:
    """Returns the names of the tables in the section of a line; those of the whole text where it has none."""
    near = [grid.file for grid in grids if grid.rows and sections[grid.rows[0][0]] == sections[line]]
    return "; ".join(near or [grid.file for grid in grids])  # empty for a text without tables: any table
