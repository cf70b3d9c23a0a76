r"""Reads and writes the lines of a server's options file, my.cnf, as the server itself reads them.

The grammar is that of the MySQL manual, "Using Option Files", and where the manual is silent, that of the
servers' own reader: `#` outside of quotes begins a comment, `\s` is a blank, and text after a group's `]` is
ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_LINE = 4094
"""Most bytes of a line: servers read what follows as a line of its own."""

_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "r": "\r", "s": " ", "\\": "\\", '"': '"', "'": "'"}
_BLANKS = " \t\n\v\f\r"
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TO_ESCAPE = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b"}


@dataclass(frozen=True)
class Group:
    """`[mysqld]`, in lower case: the options that follow are of this group."""

    name: str


@dataclass(frozen=True)
class Directive:
    """`!include FILE` or `!includedir FOLDER`."""

    word: str
    argument: str


@dataclass(frozen=True)
class Option:
    """An option as it is written; `value` is None where the name stands alone."""

    name: str
    value: str | None

    @property
    def underscored(self) -> str:
        """The name in lower case, with underscores."""
        return self.name.lower().replace("-", "_")


@dataclass(frozen=True)
class Misread:
    """A line that a server refuses or reads otherwise than its writer meant; `why` begins with "expected"."""

    why: str


OptionLine = Group | Directive | Option | Misread


def split_lines(content: str) -> list[str]:
    """Returns the lines of an options file. Only a line feed ends one: servers know no other line end."""
    return content.split("\n")


def option_line(line: str) -> OptionLine | None:
    """Returns what a line says; None for an empty line and a comment."""
    text = line.strip(_BLANKS)
    if not text or text[0] in "#;":
        return None
    if "\0" in text:
        return Misread("expected text, found a NUL byte")
    if len(line.encode(errors="surrogateescape")) > LONGEST_LINE:
        return Misread(f"expected at most {LONGEST_LINE:,} bytes: servers read the rest as another line")
    if text[0] == "[":
        return _group(text)
    if text[0] == "!":
        return _directive(text)
    name, equals, value = _without_comment(text).partition("=")
    return Option(name.strip(_BLANKS), _value(value) if equals else None)


def written_value(text: str) -> str:
    """Returns a value as an options file has to write it, so that the server reads this text and no other
    option.
    """
    escaped = "".join(_TO_ESCAPE.get(one, one) for one in text)
    is_plain = text.strip(_BLANKS) == text and "#" not in text and text[:1] not in ("", "'", '"')
    if is_plain:
        return escaped
    mark = '"' if "'" in text else "'"
    return f"{mark}{escaped.replace(mark, chr(92) + mark)}{mark}"


def check_writable(text: str) -> None:
    """Raises ValueError for a value that no line of an options file can hold."""
    if "\0" in text:
        raise ValueError("a value with a NUL byte cannot stand in an options file")
    most = LONGEST_LINE - 100  # for the name and what stands beside it
    if len(written_value(text).encode(errors="surrogateescape")) > most:
        raise ValueError(f"a value of more than {most:,} bytes cannot stand in a line of an options file")


def _group(text: str) -> OptionLine:
    name, bracket, _ = text[1:].partition("]")
    if not bracket:
        return Misread("expected ] at the end of the group's name")
    if not name.strip(_BLANKS):
        return Misread("expected a name between the brackets")
    if name != name.strip(_BLANKS):
        return Misread(f"expected [{name.strip(_BLANKS)}], without blanks in the brackets")
    return Group(name.lower())


def _directive(text: str) -> OptionLine:
    found = re.fullmatch(r"!\s*(include|includedir)\s+(\S.*)", text)
    if found is None:
        return Misread("expected !include FILE or !includedir FOLDER")
    return Directive(found[1], found[2])


def _without_comment(text: str) -> str:
    """Returns a line up to the first `#` outside of quotes; a backslash in quotes protects the next mark."""
    mark, protected = "", False
    for place, one in enumerate(text):
        if one in "'\"" and not protected:
            mark = one if not mark else "" if mark == one else mark
        if one == "#" and not mark:
            return text[:place]
        protected = bool(mark) and one == "\\" and not protected
    return text


def _value(text: str) -> str:
    value = text.strip(_BLANKS)
    if len(value) > 1 and value[0] in "'\"" and value[0] == value[-1]:
        value = value[1:-1]
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[0]), value)
