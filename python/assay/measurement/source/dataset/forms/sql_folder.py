"""A dump in a folder of files of SQL: those that make tables first, then rows, then what needs the rows."""

from __future__ import annotations

import re
from pathlib import Path

from assay.base.errors import InputError
from assay.measurement.source.dataset.forms.form import (
    Form,
    Parts,
    database_taken,
    head_of,
    names_in,
    plain_name,
    statements,
)

_NUMBERED = re.compile(r"\D?\d")
_FIRST_STATEMENT = re.compile(
    rb"""^[ \t]*(?:/\*!\d*\s*)?(?:
    (?P<tables>CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|DATABASE|SCHEMA|SEQUENCE)\b)
    |(?P<rows>(?:INSERT|REPLACE|LOAD\s+(?:DATA|XML))\b)
    |(?P<rest>(?:CREATE|ALTER(?!.*ABLE\s+KEYS))\b))""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""The first statement that says what a file is for, at the beginning of a line."""
_RANKS = ("tables", "rows", "rest")
_OF_DUMP = re.compile(rb"^-- Host: .*?\bDatabase: *(\S.*?)(?:\s+Table: .*?)?\s*$", re.MULTILINE)
_USE = re.compile(rb"^\s*USE\s", re.IGNORECASE | re.MULTILINE)


def _rank(file: Path) -> int:
    """Returns where a file stands, by what it makes: its name is in whatever language its author speaks."""
    found = _FIRST_STATEMENT.search(_head(file))
    return len(_RANKS) if found is None else _RANKS.index(found.lastgroup or "")


def begins_with_tables(file: Path) -> bool:
    """Returns whether a file of SQL makes tables before it does anything else. Raises InputError where it
    cannot be read.
    """
    return _rank(file) == 0


def database_in_head(file: Path) -> str | None:
    """Returns the database that mysqldump, or MySQL Shell, has named in a comment above what it dumped; None
    where nothing is named, and where a statement of the file says it. Raises InputError where the file cannot
    be read.
    """
    head = _head(file)
    found = _OF_DUMP.search(head)
    return None if found is None or _USE.search(head) else found[1].decode(errors="replace")


def _head(file: Path) -> bytes:
    return head_of(file).replace(b"\0", b"")  # UTF-16


def _sql(folder: Path) -> list[Path]:
    return [path for path in names_in(folder) if plain_name(path).endswith(".sql")]


def _recognises(path: Path) -> bool:
    return path.is_dir() and bool(_sql(path))


def _parts(path: Path, database: str | None) -> Parts:
    found = _sql(path)
    if not found:
        raise InputError(f"{path} holds no file of SQL (.sql, .sql.gz, .sql.zst, .sql.xz, .sql.bz2)")
    others = [file.name for file in names_in(path) if file not in found]
    heads = {file: name for file in found if (name := database_in_head(file)) is not None}
    named = list({name.lower(): name for name in heads.values()}.values())
    taken = None
    if len(named) > 1:  # a table that two of them have would hold the rows of the last, or of both
        taken = database_taken(path, named, database)
        found = [file for file in found if heads.get(file, taken).lower() == taken.lower()]
    if not all(_NUMBERED.match(file.name) for file in found):  # whoever numbers files has said their order
        found.sort(key=_rank)
    left_out = [f"left out of {path.name}: {', '.join(others)}"] if others else []
    if taken is not None:
        away = ", ".join(one for one in named if one != taken)
        left_out.append(f"left out of {path.name}: the files of other databases, {away}")
    return Parts(tuple(map(statements, found)), tuple(left_out), taken)


FORM = Form("folder", "a folder of files of SQL", _recognises, _parts)
