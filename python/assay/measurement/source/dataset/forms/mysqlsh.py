"""A folder that MySQL Shell has written (`util.dumpInstance`, `dumpSchemas`, `dumpTables`).

`@.json` says which schemas there are, `SCHEMA.json` which tables, `SCHEMA@TABLE.json` how the rows of a table
are written; `@.done.json` is written last (MySQL Shell manual, "Dump Control").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import InputError
from assay.base.format.job import ColumnOfRows, DumpFile, RowsOfTable
from assay.measurement.source.dataset.forms.form import (
    Form,
    Parts,
    database_taken,
    in_order,
    statements,
)

_ALL, _DONE = "@.json", "@.done.json"
_ACCOUNTS = "@.users.sql"
_KEYS_TO_MAKE = "create_invisible_pks"
"""The option by which MySQL Shell makes invisible primary keys when it loads a dump."""
_KINDS: Mapping[str, type] = {
    **dict.fromkeys(("schemas", "tables", "views", "compatibilityOptions"), list),
    **dict.fromkeys(("basenames", "options", "decodeColumns"), dict),
}


def _recognises(path: Path) -> bool:
    return path.is_dir() and (path / _ALL).is_file()


def _parts(path: Path, database: str | None) -> Parts:
    if not (path / _DONE).is_file():
        raise InputError(f"{path} is a dump that was broken off: it has no {_DONE}")
    whole = _read(path / _ALL)
    schema = database_taken(path, list(map(str, whole.get("schemas", []))), database)
    base = str(whole.get("basenames", {}).get(schema, schema))
    inner = _read(path / f"{base}.json")
    names = inner.get("basenames", {})
    before: list[DumpFile] = []
    rows: list[DumpFile] = []
    after: list[DumpFile] = []
    empty: list[str] = []
    for table in map(str, inner.get("tables", [])):
        one = str(names.get(table, f"{base}@{table}"))
        before += _sql(path, f"{one}.sql")
        found = _rows(path, one, table)
        rows += found
        empty += [] if found else [table]
        after += _sql(path, f"{one}.triggers.sql")
    views = [str(names.get(view, f"{base}@{view}")) for view in map(str, inner.get("views", []))]
    for ending in (".pre.sql", ".sql"):
        for view in views:
            after += _sql(path, f"{view}{ending}")
    left_out: list[str] = []
    if (path / _ACCOUNTS).is_file():
        left_out.append(f"left out of {path.name}: {_ACCOUNTS} (accounts)")
    if _KEYS_TO_MAKE in whole.get("compatibilityOptions", []):
        left_out.append(
            f"{path.name} was dumped with {_KEYS_TO_MAKE}: tables without a primary key get none here"
        )
    if empty:
        left_out.append(f"{path.name} was dumped without rows of {', '.join(empty)}")
    return Parts((*before, *rows, *_sql(path, f"{base}.sql"), *after), tuple(left_out), schema)


def _sql(path: Path, name: str) -> Iterator[DumpFile]:
    if (path / name).is_file():
        yield statements(path / name)


def _rows(path: Path, one: str, table: str) -> list[DumpFile]:
    if not (path / f"{one}.json").is_file():
        raise InputError(f"{path} lacks {one}.json, which says how the rows of {table} are written")
    said = _read(path / f"{one}.json")
    if said.get("includesData") is False:
        return []
    options = said.get("options", {})
    decoded = {**said.get("decodeColumns", {}), **options.get("decodeColumns", {})}
    form = RowsOfTable(
        table=table,
        columns=[
            ColumnOfRows(name=str(name), decoded_by=decoded.get(name)) for name in options.get("columns", [])
        ],
        fields_terminated=str(options.get("fieldsTerminatedBy", "\t")),
        enclosed=str(options.get("fieldsEnclosedBy", "")),
        escaped=str(options.get("fieldsEscapedBy", "\\")),
        lines_terminated=str(options.get("linesTerminatedBy", "\n")),
        charset=str(options.get("defaultCharacterSet", "utf8mb4")),
    )
    extension = str(said.get("extension", "tsv.zst"))
    bases = said.get("basenames", {}).values() or [one]  # those of its partitions, where it has some
    found = [chunk for base in bases for chunk in _chunks(path, base, table, extension)]
    return [DumpFile(path=str(chunk), name=chunk.name, rows=form) for chunk in found]


def _chunks(path: Path, one: str, table: str, extension: str) -> list[Path]:
    """Returns the files of rows of a table, or of a partition. Raises InputError where some are missing."""
    chunks = in_order(
        {*path.glob(f"{_literal(one)}@*.{extension}"), *path.glob(f"{_literal(one)}.{extension}")}
    )
    if not chunks:
        raise InputError(f"{path} lacks the rows of {table}: there is no {one}.{extension} and no part of it")
    parts = [chunk.name for chunk in chunks if chunk.name.startswith(f"{one}@")]
    numbers = {int(found[1]) for name in parts if (found := re.search(r"@@?(\d+)\.", name[len(one) :]))}
    ended = any(name.startswith(f"{one}@@") for name in parts)
    if parts and (not ended or numbers != set(range(len(parts)))):
        lacks = "the last part" if not ended else "a part"
        raise InputError(
            f"{path} lacks {lacks} of {table}: parts are {one}@0, {one}@1 … {one}@@N.{extension}"
        )
    return chunks


def _literal(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        found = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} must hold a JSON object, as MySQL Shell writes it")
    for key, kind in _KINDS.items():
        if not isinstance(found.get(key, kind()), kind):
            raise InputError(f"{path}: {key} is not what MySQL Shell writes")
    for name in found.get("basenames", {}).values():
        if not isinstance(name, str) or "/" in name:
            raise InputError(f"{path}: {name!r} in basenames is not the name of a file")
    return found


FORM = Form("mysqlsh", "a folder of MySQL Shell", _recognises, _parts)
