"""Reads tables pasted into a text, with columns separated by bars, tabs, or two or more blanks (one blank
where all are figures).

Tables are separated by empty lines. Rules of Markdown and of MySQL's client are skipped.
"""

from __future__ import annotations

import re

from assay.audit.figure import parse_figure
from assay.audit.model import Sheet

_RULE = re.compile(r"[\s|+:\-=]+")


def pasted_tables(name: str, text: str) -> list[Sheet]:
    """Returns the tables in a text: each a header and at least two rows with as many fields, with figures in
    them.
    """
    found: list[Sheet] = []
    block: list[tuple[int, str]] = []
    for number, line in [*enumerate(text.splitlines(), start=1), (0, "")]:
        if line.strip():
            block.append((number, line))
            continue
        sheet = _table(name, [(at, one) for at, one in block if not _RULE.fullmatch(one)], len(found))
        found += [sheet] if sheet else []
        block = []
    if len(found) == 1:
        return [Sheet(name, found[0].columns, found[0].rows)]
    return found


def _table(name: str, lines: list[tuple[int, str]], number: int) -> Sheet | None:
    fields = [(at, _fields(line)) for at, line in lines]
    for start in range(len(fields) - 2):
        header = fields[start][1]
        rows = [(at, row) for at, row in fields[start + 1 :] if len(row) == len(header)]
        figures = sum(parse_figure(one) is not None for _, row in rows for one in row)
        if len(header) >= 2 and len(rows) >= 2 and 2 * figures >= len(rows) * len(header):
            title = fields[start - 1][1] if start else []
            called = f"{name}: {' '.join(title)}" if title else f"{name}: table {number + 1}"
            columns = tuple(one or f"column {at}" for at, one in enumerate(header, start=1))
            return Sheet(
                called, columns, tuple((at, dict(zip(columns, row, strict=True))) for at, row in rows)
            )
    return None


def _fields(line: str) -> list[str]:
    if "|" in line:
        parts = line.strip().strip("|").split("|")
    elif "\t" in line:
        parts = line.strip("\n").split("\t")
    elif re.search(r"\S\s{2,}\S", line):
        parts = re.split(r"\s{2,}", line.strip())
    else:
        parts = line.split()
    return [part.strip().strip("*`") for part in parts]
