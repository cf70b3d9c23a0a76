"""A dump in a folder of files of SQL: those about tables first, then rows, then views, triggers and
routines.
"""

from __future__ import annotations

import re
from pathlib import Path

from assay.base.errors import InputError
from assay.measurement.source.dataset.forms.form import Form, Parts, names_in, plain_name, statements

_FIRST = re.compile(r"schema|ddl|struct|create|tables?\b", re.I)
_LAST = re.compile(r"view|trigger|routine|procedure|function|event|post|constraint|foreign", re.I)


def _rank(name: str) -> int:
    return 2 if _LAST.search(name) else 0 if _FIRST.search(name) else 1


def _sql(folder: Path) -> list[Path]:
    return [path for path in names_in(folder) if plain_name(path).endswith(".sql")]


def _recognises(path: Path) -> bool:
    return path.is_dir() and bool(_sql(path))


def _parts(path: Path, database: str | None) -> Parts:
    found = sorted(_sql(path), key=lambda file: _rank(file.name))
    if not found:
        raise InputError(f"{path} holds no file of SQL (.sql, .sql.gz, .sql.zst, .sql.xz, .sql.bz2)")
    others = [file.name for file in names_in(path) if file not in found]
    left_out = (f"left out of {path.name}: {', '.join(others)}",) if others else ()
    return Parts(tuple(map(statements, found)), left_out)


FORM = Form("folder", "a folder of files of SQL", _recognises, _parts)
