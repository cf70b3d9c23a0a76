"""Reads Java's properties files, as `java.util.Properties.load` does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.base.errors import InputError

_BLANK = " \t\f"
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_HEX = frozenset("0123456789abcdefABCDEF")


@dataclass(frozen=True)
class Property:
    """One value and its place, such as `LinkConfig.properties:12`, for messages."""

    key: str
    value: str
    place: str


def parse_properties(data: bytes, name: str) -> list[Property]:
    r"""Returns all properties in the order of the file, including repeated ones, of which the last counts.

    `name` is the file's, for places. The bytes are ISO 8859-1. Raises InputError for a `\u` without four
    hexadecimal digits.
    """
    return [
        Property(*_key_and_value(line, f"{name}:{number}"), f"{name}:{number}")
        for number, line in _logical_lines(data.decode("latin-1"))
    ]


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields lines joined with their continuations, without comments and blank ones; the number is that of
    the first line.
    """
    whole, first = "", 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        piece = line.lstrip(_BLANK)
        if not whole:
            if piece[:1] in ("", "#", "!"):
                continue
            first = number
        whole += piece
        if _goes_on(piece):
            whole = whole[:-1]
        else:
            yield first, whole
            whole = ""
    if whole:
        yield first, whole


def _goes_on(line: str) -> bool:
    """Returns whether a line ends with an odd number of backslashes, of which the last continues the line."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _key_and_value(line: str, place: str) -> tuple[str, str]:
    """Returns key and value. The key ends at the first `=`, `:` or blank that no backslash precedes; one
    separator is removed with it.
    """
    end = 0
    while end < len(line) and line[end] not in "=:" + _BLANK:
        end += 2 if line[end] == "\\" else 1
    key, value = line[:end], line[end:].lstrip(_BLANK)
    if value[:1] in ("=", ":"):
        value = value[1:].lstrip(_BLANK)
    return _unescaped(key, place), _unescaped(value, place)


def _unescaped(text: str, place: str) -> str:
    out: list[str] = []
    rest = iter(text)
    for letter in rest:
        if letter != "\\":
            out.append(letter)
            continue
        escaped = next(rest, "")
        if escaped != "u":
            out.append(_ESCAPES.get(escaped, escaped))
            continue
        digits = "".join(next(rest, "") for _ in range(4))
        if len(digits) < 4 or not _HEX.issuperset(digits):
            raise InputError(
                f"{place}: \\u{digits} needs four hexadecimal digits",
                hint="write a literal backslash twice",
            )
        out.append(chr(int(digits, 16)))
    return "".join(out)
