"""Writes tables as text for the page, as CSV with full precision, and as Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from assay.base import numbers
from assay.reporting.report.escaping import in_csv, in_markdown
from assay.reporting.report.tables.model import Cell, Column, Doubted, Figure, Link, Ratio, Table, Word
from assay.reporting.report.words import Words

SYMBOLS = {
    "better": "▲",
    "worse": "▼",
    "same": "=",
    "more": ">",
    "less": "<",
    "undecided": "?",
    "estimate-only": "~",
    "worth-a-study": "»",
    "supported": "✓",
    "refuted": "✗",
    "refuted-here": "✗",
    "not-testable": "·",
    "not-run": "·",
    "invalid": "✗",
    "error": "✗",
    "warning": "!",
    "note": "·",
    "failed": "✗",
    "superseded": "·",
    "damaged": "✗",
    "complete": "✓",
    "has-turned": "✗",
    "could-turn": "!",
    "cannot-turn": "·",
    "not-weighed": "~",
    "varied": "·",
    "follows": "·",
    "unequal": "!",
    "follow-yes": "▲",
    "follow-open": "?",
    "follow-no": "·",
    "advice-set": "▲",
    "advice-risky": "!",
    "advice-withheld": "!",
    "advice-conflict": "!",
    "advice-no-difference": "=",
    "advice-depends": "~",
    "advice-worth-a-study": "»",
    "advice-undecided": "?",
}


def shown(cell: Cell, words: Words) -> str:
    """Returns one cell as a person reads it, the same on the page and in Markdown."""
    match cell:
        case None:
            return numbers.NOTHING
        case bool() | str():
            return str(cell)
        case int() | float():
            return numbers.number(cell)
        case Figure():
            value = numbers.with_interval(cell.value, cell.low, cell.high)
            return f"{numbers.AT_LEAST}{value}" if cell.at_least else value
        case Ratio():
            value = numbers.ratio_with_interval(cell.value, cell.low, cell.high)
            return f"{numbers.BOUNDS[cell.bound]}{value} {word(cell.word, words)}"
        case Word():
            return word(cell.word, words)
        case Link():
            return cell.label
        case Doubted():
            return words.listed(cell.names) or numbers.NOTHING
        case tuple():
            return " ".join(link.label for link in cell)


def heading(column: Column, words: Words) -> str:
    """Returns a column's label with its unit."""
    return words.with_unit(column.label, words.unit(column.unit))


def _full_heading(column: Column, words: Words) -> str:
    """Returns a column's heading below that of its group, in one line."""
    return ": ".join(part for part in (column.group, heading(column, words)) if part)


def word(name: str, words: Words) -> str:
    """Returns a verdict word with its symbol, so that colour is never the only sign."""
    return f"{SYMBOLS.get(name, '')} {words.get(f'word.{name}', name)}".strip()


def to_csv(table: Table) -> str:
    """Returns a table of raw values as CSV; an estimate takes three columns, a ratio four.

    Headings are the columns' keys, the same in every language.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headings, units, rows = raw_rows(table)
    writer.writerow(
        in_csv(f"{heading} ({unit})" if unit else heading)
        for heading, unit in zip(headings, units, strict=True)
    )
    for row in rows:
        writer.writerow(in_csv("" if value is None else value) for value in row)
    return out.getvalue()


def raw_rows(table: Table) -> tuple[list[str], list[str], list[list[object]]]:
    """Returns headings, their units ("" for none) and rows of raw values.

    An estimate takes three columns, a ratio four, and one more says of a column with lower bounds which they
    are.
    """
    wide = [_parts_of_column(index, table) for index in range(len(table.columns))]
    columns = [(column, part) for column, parts in zip(table.columns, wide, strict=True) for part in parts]
    headings = [f"{column.key} {part}".strip() for column, part in columns]
    units = [column.unit if part not in ("verdict", "bound") else "" for column, part in columns]
    rows = [
        [value for cell, parts in zip(row, wide, strict=True) for value in _raw(cell, parts)]
        for row in table.rows
    ]
    return headings, units, rows


def to_markdown(table: Table, words: Words) -> str:
    """Returns a heading, the table and its note as Markdown."""
    lines = [f"# {in_markdown(table.title)}", ""]
    if not table.rows:
        lines += [in_markdown(table.empty), ""]
    else:
        right = {"number", "ratio"}
        lines.append(_line(in_markdown(_full_heading(column, words)) for column in table.columns))
        lines.append(_line("--:" if column.kind in right else ":--" for column in table.columns))
        lines += [_line(_marked(cell, words) for cell in row) for row in table.rows]
        lines.append("")
    if table.note:
        lines += [in_markdown(table.note), ""]
    return "\n".join(lines)


def _parts_of_column(index: int, table: Table) -> tuple[str, ...]:
    cells = [row[index] for row in table.rows]
    ratios = any(isinstance(cell, Ratio) for cell in cells)
    if not ratios and not any(isinstance(cell, Figure) for cell in cells):
        return ("",)
    bounds = any(_bound(cell) not in (None, "exact") for cell in cells)
    return ("", "low", "high", *(["verdict"] if ratios else []), *(["bound"] if bounds else []))


def _bound(cell: Cell) -> str | None:
    match cell:
        case Ratio():
            return cell.bound
        case Figure():
            return "at-least" if cell.at_least else "exact"
    return None


def _raw(cell: Cell, parts: Sequence[str]) -> tuple[object, ...]:
    """Returns a cell's value for each part of its column, None for a part that it lacks."""
    match cell:
        case Ratio():
            values: dict[str, object] = {"": cell.value, "low": cell.low, "high": cell.high}
            values |= {"verdict": cell.word, "bound": cell.bound}
        case Figure():
            values = {"": cell.value, "low": cell.low, "high": cell.high, "bound": _bound(cell)}
        case Word():
            values = {"": cell.word}
        case Link():
            values = {"": cell.href}
        case Doubted():
            values = {"": ", ".join(cell.names) or numbers.NOTHING}
        case tuple():
            values = {"": " ".join(link.href for link in cell)}
        case _:
            values = {"": cell}
    return tuple(values.get(part) for part in parts)


def _marked(cell: Cell, words: Words) -> str:
    match cell:
        case Link():
            text = f"[{in_markdown(cell.label)}]({_up(cell.href)})"
        case tuple():
            text = " ".join(f"[{in_markdown(link.label)}]({_up(link.href)})" for link in cell)
        case _:
            text = in_markdown(shown(cell, words))
    return text


def _up(href: str) -> str:
    return f"../{quote(href)}"  # tables/ lies one step below the report


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
