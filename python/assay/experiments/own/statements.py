"""Statements as the engine reads them out of logs and files: shapes, and the values of each execution."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

Value = tuple[str, str]
"""A value of a statement: its kind (number, text, bytes as hexadecimal digits, null, unknown), its text."""

NULL: Value = ("null", "")


class CannotDraw(Exception):
    """A statement has a value that nothing can draw; the text says which, after "statements"."""


class Part(msgspec.Struct, frozen=True, array_like=True):
    """A part of a shape: a token that stays, a value, a list of values, or the ends of rows that repeat."""

    kind: str
    text: str
    spaced: int = 0

    def is_word(self, *words: str) -> bool:
        """Returns whether the part is one of these key words, given in capitals."""
        return self.kind == "word" and self.text.upper() in words

    def is_symbol(self, symbol: str) -> bool:
        return self.kind == "symbol" and self.text == symbol

    @property
    def name(self) -> str | None:
        """The name that the part is, without backticks; None where it can be none."""
        if self.kind == "name":
            return self.text[1:-1].replace("``", "`")
        return self.text if self.kind == "word" else None


class ReadStatement(msgspec.Struct, frozen=True):
    """A line of what the engine says: a statement of a session, or what stands in its place. `name` is that
    of its file, where a source has several.
    """

    line: int = 0
    name: str | None = None
    form: str | None = None
    session: int | None = None
    database: str | None = None
    seconds: float | None = None
    error: int | None = None
    instead: str | None = None
    shape: int | None = None
    parts: tuple[Part, ...] | None = None
    values: tuple[Value, ...] = ()
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Slot:
    """A place of a shape where values stand. `group` is the number of its list or of its repeated rows, None
    where it has one value; `at` is the part.
    """

    at: int
    group: int | None
    is_list: bool = False


@dataclass(frozen=True)
class Shape:
    """A statement without its values."""

    number: int
    parts: tuple[Part, ...]

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The places of values, in order."""
        found: list[Slot] = []
        group, inside = -1, False
        for at, part in enumerate(self.parts):
            if part.kind == "list":
                group += 1
                found.append(Slot(at, group, is_list=True))
            elif part.kind == "rows":
                group, inside = group + 1, True
            elif part.kind == "end":
                inside = False
            elif part.kind == "value":
                found.append(Slot(at, group if inside else None))
        return tuple(found)

    @cached_property
    def verb(self) -> str:
        """The first word, in capitals, past opening parentheses."""
        first = next((part for part in self.parts if part.kind == "word"), None)
        return first.text.upper() if first else ""

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that are the same for the same statement."""
        text = "\0".join(
            part.text.upper() if part.kind == "word" else part.text or part.kind for part in self.parts
        )
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def words(self) -> list[str]:
        """The key words and names without backticks, in capitals."""
        return [part.text.upper() for part in self.parts if part.kind == "word"]


def values_by_slot(shape: Shape, values: Sequence[Value], counts: Sequence[int]) -> list[list[Value]]:
    """Returns the values of one execution by slot: one value, those of a list, or one for each row."""
    found: list[list[Value]] = []
    rest = iter(values)
    for slots in _by_group(shape.slots):
        first = slots[0]
        if first.group is None:
            found.append([next(rest)])
        elif first.is_list:
            found.append([next(rest) for _ in range(counts[first.group])])
        else:
            rows = [[next(rest) for _ in slots] for _ in range(counts[first.group])]
            found.extend([row[place] for row in rows] for place in range(len(slots)))
    return found


def _by_group(slots: Sequence[Slot]) -> Iterator[list[Slot]]:
    """Yields slots that have one value alone, and those of the same rows together."""
    together: list[Slot] = []
    for slot in slots:
        if together and (slot.group is None or slot.group != together[0].group):
            yield together
            together = []
        together.append(slot)
        if slot.group is None or slot.is_list:
            yield together
            together = []
    if together:
        yield together


_NO_SPACE_BEFORE = {",", ")", ";", "."}
_FUNCTIONS = {
    *(
        "ADDDATE",
        "BIT_AND",
        "BIT_OR",
        "BIT_XOR",
        "CAST",
        "COUNT",
        "CURDATE",
        "CURTIME",
        "DATE_ADD",
        "DATE_SUB",
    ),
    *(
        "EXTRACT",
        "GROUP_CONCAT",
        "MAX",
        "MID",
        "MIN",
        "NOW",
        "POSITION",
        "SESSION_USER",
        "STD",
        "STDDEV",
        "SUBDATE",
    ),
    *(
        "STDDEV_POP",
        "STDDEV_SAMP",
        "SUBSTR",
        "SUBSTRING",
        "SUM",
        "SYSDATE",
        "SYSTEM_USER",
        "TRIM",
        "VARIANCE",
    ),
    *("VAR_POP", "VAR_SAMP"),
}
"""Functions after whose names servers take no space (manual, "Function Name Parsing"); digests have one."""
_BEFORE_TABLE = ("INTO", "TABLE", "FROM", "JOIN", "UPDATE", "AS", "INSERT", "REPLACE")


def written(parts: Sequence[Part], filled: Sequence[str]) -> str:
    """Returns a shape as SQL, with a text for each part that is no token, in order."""
    texts = iter(filled)
    out: list[str] = []
    for at, part in enumerate(parts):
        if part.kind in ("value", "list"):
            text = next(texts)
        elif part.kind in ("rows", "end"):
            continue
        else:
            text = part.text
        space = part.spaced and bool(out) and text not in _NO_SPACE_BEFORE and not out[-1].endswith("(")
        if text == "(" and at > 1 and parts[at - 1].is_word(*_FUNCTIONS):
            space = space and (parts[at - 2].is_word(*_BEFORE_TABLE) or parts[at - 2].is_symbol("."))
        out.append(f" {text}" if space else text)
    return "".join(out).strip()


def literal(value: Value) -> str:
    """Returns a value as SQL writes it."""
    kind, text = value
    if kind == "number":
        return text
    if kind == "null":
        return "NULL"
    if kind == "bytes":
        return f"X'{text}'"
    if kind == "unknown":
        return "?"
    for mark, escape in (
        ("\\", "\\\\"),
        ("'", "''"),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\0", "\\0"),
        ("\x1a", "\\Z"),
    ):
        text = text.replace(mark, escape)
    return f"'{text}'"


def expanded(shape: Shape, rows: Sequence[int]) -> tuple[list[Part], list[tuple[int, int]]]:
    """Returns the parts of a shape with so many rows of each repeated group, and for each place of a value
    its slot and the number of its row.
    """
    parts: list[Part] = []
    places: list[tuple[int, int]] = []
    at = number = group = 0
    while at < len(shape.parts):
        part = shape.parts[at]
        if part.kind == "rows":
            end = next(place for place in range(at, len(shape.parts)) if shape.parts[place].kind == "end")
            row = shape.parts[at + 1 : end]
            width = sum(one.kind == "value" for one in row)
            for turn in range(rows[group]):
                parts.extend([Part("symbol", ",")] if turn else [])
                parts.extend([msgspec.structs.replace(row[0], spaced=1), *row[1:]])
                places.extend((number + place, turn) for place in range(width))
            number, group, at = number + width, group + 1, end
        else:
            if part.kind in ("value", "list"):
                places.append((number, 0))
                number += 1
                group += part.kind == "list"
            parts.append(part)
        at += 1
    return parts, places


def example(shape: Shape, values: Sequence[Value], counts: Sequence[int]) -> str:
    """Returns an execution as one line of SQL."""
    slots = values_by_slot(shape, values, counts)
    parts, places = expanded(shape, counts)
    texts = [
        ", ".join(map(literal, slots[slot])) if shape.slots[slot].is_list else literal(slots[slot][turn])
        for slot, turn in places
    ]
    return " ".join(written(parts, texts).split())
