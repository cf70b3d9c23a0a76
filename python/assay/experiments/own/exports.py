"""Reads tables of a server that were exported: as separated text, with a first line of names or as servers
write it without one, as JSON, or as the client prints them.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from itertools import pairwise
from typing import Any

from assay.base.errors import InputError
from assay.experiments.own.json_rows import column_name, json_names, json_rows
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_FIRST_LETTERS = 1 << 16  # that hold every name of a column
_JSON = re.compile(r'\s*(?:\[\s*)?\{\s*["}]')
_SENT = re.compile(r"\A(?:(?:mysql|MySQL|MariaDB)(?: \[[^\]\n]*\])?> .*\n(?: +-> .*\n)*)+(?=\*{5}|\+-)")
"""The question before a table that a terminal shows."""
_AFTER = re.compile(r"\n\d+ rows? in set\b.*\Z", re.S)
_VERTICAL = re.compile(r"^ *\*{5,} *\d+\. row \*{5,}[ \t\r]*$", re.M)
_NAMED = re.compile(r"^ *(\w+): ?(.*)$")
_BOX = re.compile(r"^\+(?:-+\+)+[ \t\r]*$", re.M)
_SEPARATORS = "\t,;|"
_OF_SERVER = r'(?:"([^"\\]*(?:(?:\\.|"")[^"\\]*)*)"|((?:[^%s\n\\]|\\.)*))(%s|\r?\n|\Z)'
"""A field, quoted or not, as SELECT … INTO OUTFILE and the CSV engine write it, and what ends it."""
_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*"
LOG_COLUMNS: Sequence[tuple[str, ...]] = (
    (
        *("START_TIME", "USER_HOST", "QUERY_TIME", "LOCK_TIME", "ROWS_SENT", "ROWS_EXAMINED", "DB"),
        *("LAST_INSERT_ID", "INSERT_ID", "SERVER_ID", "SQL_TEXT", "THREAD_ID", "ROWS_AFFECTED"),
    ),
    ("EVENT_TIME", "USER_HOST", "THREAD_ID", "SERVER_ID", "COMMAND_TYPE", "ARGUMENT"),
)
"""Columns of the tables to which servers log, in order: the slow log, the general log."""
_FIRST_LINES = (
    re.compile(rf'"?{_TIME}"?([\t,;])[^\t,;]*\1"?\d+:\d\d:\d\d'),
    re.compile(rf'"?{_TIME}"?([\t,;])[^\t,;]*\1"?\d+"?\1"?\d+"?\1"?[A-Z][A-Za-z _]+"?\1'),
)
_LOGS = tuple(zip(_FIRST_LINES, LOG_COLUMNS, strict=True))
"""First lines of exports of these tables without names."""


@dataclass(frozen=True)
class Export:
    """The rows of a file, of which the names are known before they are read; `names` are in capitals.
    `left_out` counts what of the file is in no row, once the rows are read. `given` are rows that are read.
    """

    file: WholeFile
    names: frozenset[str]
    _form: str
    left_out: Counter[str] = field(default_factory=Counter, compare=False)
    given: Sequence[dict[str, Any]] | None = None

    def has(self, *names: str) -> bool:
        return self.names.issuperset(names)

    @property
    def is_plain(self) -> bool:
        """Whether nothing but names stands in its first line."""
        return self._form == "table" and all(map(str.isidentifier, self.names))

    @property
    def is_json(self) -> bool:
        return self._form == "json"

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """All rows, by names in capitals. Raises InputError for a file that cannot be read."""
        if self.given is not None:
            return list(self.given)
        text = _SENT.sub("", self.file.text("an export", _MOST_BYTES).lstrip(" \r\n"))
        match self._form:
            case "json":
                return json_rows(self.file.path, text, self.left_out)
            case "vertical":
                return list(_vertical_rows(text))
            case "box":
                return _box_rows(self.file, text)
            case "of server":
                return list(_server_rows(self.file, text))
        return _table_rows(self.file, text)


def export_of(file: WholeFile) -> Export | None:
    """Returns a file as an export; None for one that has the form of none."""
    head = _SENT.sub("", file.head.lstrip(" \r\n"))
    if _JSON.match(head):
        return Export(file, json_names(head[:_FIRST_LETTERS]), "json")
    if _VERTICAL.match(head):
        named = (_NAMED.match(line) for line in head[:_FIRST_LETTERS].split("\n"))
        return Export(file, frozenset(column_name(one[1]) for one in named if one), "vertical")
    if _BOX.match(head):
        return Export(file, frozenset(_box_names(head)), "box")
    if (columns := next((names for form, names in _LOGS if form.match(head)), None)) is not None:
        return Export(file, frozenset(columns), "of server")
    names = _heading(head[:_FIRST_LETTERS].partition("\n")[0])[1]
    return Export(file, frozenset(names), "table") if len(names) > 1 else None


def _heading(first: str) -> tuple[str, list[str]]:
    """Returns what separates the names in the first line of a table, and the names."""
    line = first.rstrip("\r")
    separator = max(_SEPARATORS, key=line.count)
    try:
        return separator, [column_name(name) for name in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return separator, []


def _table_rows(file: WholeFile, text: str) -> list[dict[str, Any]]:
    first, _, rest = text.lstrip("\r\n").partition("\n")
    separator, head = _heading(first)
    rows: Sequence[Sequence[str | None]]
    if separator == "\t" and not first.startswith('"'):
        # As `mysql --batch` prints it: no quotes, line ends and tabs as \n and \t.
        lines = [line.rstrip("\r") for line in rest.split("\n") if line]
        rows = [[_unescaped(field) for field in line.split("\t")] for line in lines]
    else:
        csv.field_size_limit(1 << 24)
        try:
            rows = [row for row in csv.reader(StringIO(rest, newline=""), delimiter=separator) if row]
        except csv.Error as error:
            raise InputError(f"{file.path}: is not whole CSV: {error}") from error
    return _with_names(file, head, rows)


def _with_names(
    file: WholeFile, head: Sequence[str], rows: Sequence[Sequence[str | None]]
) -> list[dict[str, Any]]:
    for number, row in enumerate(rows, start=1):
        if len(row) != len(head):
            raise InputError(
                f"{file.path}: row {number}: has {len(row)} columns, and the first line {len(head)} names"
            )
    return [dict(zip(head, row, strict=True)) for row in rows]


def _server_rows(file: WholeFile, text: str) -> Iterator[dict[str, Any]]:
    start = text.lstrip("\r\n")
    found = next((form.match(start), names) for form, names in _LOGS if form.match(start))
    separator = re.escape(found[0][1]) if found[0] is not None else "\t"
    row: list[str | None] = []
    number = 1
    for found_field in re.finditer(_OF_SERVER % (separator, separator), start, re.S):
        quoted, plain, end = found_field.groups()
        if not row and not plain and quoted is None and not end.strip("\r\n"):
            continue
        row.append(
            _unescaped(plain) if quoted is None else _unescaped(quoted.replace('""', '"'), quoted=True)
        )
        if not end.strip("\r\n"):
            if not len(found[1]) - 2 <= len(row) <= len(found[1]):
                raise InputError(f"{file.path}: row {number}: has {len(row)} columns, and not those of a log")
            yield dict(zip(found[1], row, strict=False))
            row, number = [], number + 1


def _vertical_rows(text: str) -> Iterator[dict[str, Any]]:
    """Yields rows as `\\G` prints them: a name and its value in each line, which goes on where no name is."""
    begins = [*_VERTICAL.finditer(text)]
    for at, begin in enumerate(begins):
        block = text[begin.end() : begins[at + 1].start() if at + 1 < len(begins) else len(text)]
        block = _AFTER.sub("", block.replace("\r\n", "\n")) if at + 1 == len(begins) else block
        lines = block.strip("\r\n").split("\n")
        width = max((line.find(":") for line in lines[:1]), default=0)
        row: dict[str, str | None] = {}
        name = ""
        for line in lines:
            found = _NAMED.match(line)
            # All colons stand below each other.
            if found is not None and line.find(":") == width:
                name = column_name(found[1])
                row[name] = None if found[2].rstrip("\r") == "NULL" else found[2].rstrip("\r")
            elif name:
                row[name] = f"{row[name] or ''}\n{line}"
        yield dict(row)


def _box_names(text: str) -> list[str]:
    line = text.split("\n")[1] if text.count("\n") else ""
    return [column_name(name) for name in line.strip().strip("|").split("|")]


def _box_rows(file: WholeFile, text: str) -> list[dict[str, Any]]:
    """Returns rows as the client draws them: in a box, whose upper edge says how wide each column is."""
    edge, _, *lines = text.lstrip("\r\n").split("\n")
    ends = [at for at, letter in enumerate(edge) if letter == "+"]
    names = _box_names(text.lstrip("\r\n"))
    rows = []
    for number, line in enumerate((one for one in lines if one.startswith("|")), start=1):
        if not line.rstrip().endswith("|") or len(line.rstrip()) != len(edge.rstrip()):
            raise InputError(
                f"{file.path}: row {number}: its text has several lines or letters of double width",
                hint="print the rows apart: mysql --batch, or \\G at the end of the query",
            )
        values = [line[start + 1 : end].strip() for start, end in pairwise(ends)]
        rows.append([None if value == "NULL" else value for value in values])
    return _with_names(file, names, rows)


def _unescaped(field: str, *, quoted: bool = False) -> str | None:
    """Returns a field as servers and their client escape it; None for NULL."""
    if not quoted and field in ("NULL", r"\N"):
        return None
    if "\\" not in field:
        return field
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), field, flags=re.S)


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "Z": "\x1a", "0": "\0"}
