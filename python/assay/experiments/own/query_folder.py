"""Reads a folder of files of statements, as benchmarks have one for each query, which is named after it."""

from __future__ import annotations

import re
import tempfile
from bisect import bisect_right
from collections.abc import Iterator, Set
from pathlib import Path

import msgspec

from assay.base.errors import InputError
from assay.base.packed import COMPRESSED
from assay.experiments.own.reading import statements_of
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.whole_file import WholeFile
from assay.measurement.source import dataset

_MOST_BYTES = 64 << 20
_NO_DATABASE = " "
_BETWEEN = f"\n;\nDELIMITER ;\nUSE `{_NO_DATABASE}`;\n"
"""What ends a file: no other one begins in its database, whose name cannot end with a space."""
_HINT = "give a log, a file of queries, or a folder of files that end with .sql; tables are given by --schema"


def statements_in_folder(folder: Path) -> Iterator[ReadStatement]:
    """Yields the statements of all files, in the order of their names, each with the name of its file. Raises
    InputError for a folder without any, and for a file that cannot be read.
    """
    # Rows of a dump are told from a load by the tables that were made before.
    files = sorted(_files_in(folder), key=lambda file: not dataset.begins_with_tables(file))
    if not files:
        raise InputError(f"{folder}: is a folder without a file of statements", hint=_HINT)
    databases = [dataset.database_in_head(file) for file in files]
    begins, names, line = [], [], 1
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as whole:
        for file in files:
            # The last statement of a file may lack its semicolon, and its last line a line end.
            text = WholeFile(file).text("a file of statements", _MOST_BYTES) + _BETWEEN
            begins.append(line)
            names.append(_stem(file))
            line += text.count("\n")
            whole.write(text)
        whole.flush()
        for one in statements_of(Path(whole.name)):
            at = bisect_right(begins, one.line) - 1 if one.line else -1
            if at < 0:
                yield one
            else:
                used = databases[at] if one.database in (None, _NO_DATABASE) else one.database
                yield msgspec.structs.replace(one, name=names[at], database=used)


def files_called(folder: Path, names: Set[str | None]) -> list[Path]:
    """Returns the files of statements of these names."""
    return [one for one in _files_in(folder) if _stem(one) in names]


def others_in(folder: Path) -> int:
    """Returns how many things in a folder are no file of statements."""
    return sum(not _is_sql(one) for one in folder.iterdir())


def _files_in(folder: Path) -> list[Path]:
    return sorted(filter(_is_sql, folder.iterdir()), key=_in_order)


def _is_sql(path: Path) -> bool:
    return path.is_file() and _stem(path) != path.name


def _stem(path: Path) -> str:
    """Returns the name of a file of SQL without its endings; any other name as it is."""
    name = next((path.name.removesuffix(one) for one in COMPRESSED if path.name.endswith(one)), path.name)
    return name.removesuffix(".sql") if name.endswith(".sql") else path.name


def _in_order(path: Path) -> list[tuple[int, str]]:
    """Returns what sorts 2.sql before 10.sql."""
    return [
        (int(part[:18]), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path.name)
    ]
