"""A dump in a folder of files of SQL: those that make tables first, then rows, then what needs the rows."""

from __future__ import annotations

import re
from pathlib import Path

from assay.base.errors import InputError
from assay.measurement.source.dataset.forms.form import Form, Parts, head_of, names_in, plain_name, statements

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


def _rank(file: Path) -> int:
    """Returns where a file stands, by what it makes: its name is in whatever language its author speaks."""
    head = head_of(file).replace(b"\0", b"")  # UTF-16
    found = _FIRST_STATEMENT.search(head)
    return len(_RANKS) if found is None else _RANKS.index(found.lastgroup or "")


def _sql(folder: Path) -> list[Path]:
    return [path for path in names_in(folder) if plain_name(path).endswith(".sql")]


def _recognises(path: Path) -> bool:
    return path.is_dir() and bool(_sql(path))


def _parts(path: Path, database: str | None) -> Parts:
    found = _sql(path)
    if not found:
        raise InputError(f"{path} holds no file of SQL (.sql, .sql.gz, .sql.zst, .sql.xz, .sql.bz2)")
    others = [file.name for file in names_in(path) if file not in found]
    if not all(_NUMBERED.match(file.name) for file in found):  # whoever numbers files has said their order
        found.sort(key=_rank)
    left_out = (f"left out of {path.name}: {', '.join(others)}",) if others else ()
    return Parts(tuple(map(statements, found)), left_out)


FORM = Form("folder", "a folder of files of SQL", _recognises, _parts)
