"""Fingerprints of datasets, by table and file, against which every copy is checked."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.errors import HostError
from assay.system.server import DATABASE, HAS_ROWS, Connection, file_name, quoted_name


class TablePrint(msgspec.Struct, frozen=True, kw_only=True):
    """The fingerprint of one table. `rows` were counted; `bytes` is the size of its own files (0: it lies in
    the system tablespace; None: the names of its files are not known).
    """

    rows: int
    bytes: int | None
    engine: str
    row_format: str


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True):
    """The fingerprint of a dataset: `tables` by name, and `files` with their size in bytes, holes included,
    by path.
    """

    tables: dict[str, TablePrint]
    files: dict[str, int]

    @property
    def content(self) -> str:
        """A digest of what loads from one seed have in common on every machine: tables, rows, engines and row
        formats. Sizes of files go by the order in which pages were filled.
        """
        lines = [
            f"{name} {table.rows} {table.engine} {table.row_format}"
            for name, table in sorted(self.tables.items())
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@dataclass(frozen=True)
class LoadedTable:
    """A table after the load, as the server describes it."""

    name: str
    rows: int
    engine: str
    row_format: str


def loaded_tables(connection: Connection, database: str = DATABASE) -> list[LoadedTable]:
    """Returns the tables of a database, with rows counted by COUNT(*), which takes a small part of
    the load's time.

    The other properties come from information_schema.TABLES, whose own row counts are estimates for InnoDB.
    """
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT TABLE_NAME, ENGINE, ROW_FORMAT FROM information_schema.TABLES"
            f" WHERE TABLE_SCHEMA = %s AND {HAS_ROWS} ORDER BY TABLE_NAME",
            (database,),
        )
        for name, engine, row_format in cursor.fetchall():
            cursor.execute(f"SELECT COUNT(*) FROM {quoted_name(database, str(name))}")
            count = cursor.fetchone()
            found.append(LoadedTable(str(name), int(count[0]) if count else 0, str(engine), str(row_format)))
    return found


def fingerprint(tables: Iterable[LoadedTable], data_dir: Path, database: str = DATABASE) -> Fingerprint:
    """Returns the fingerprint of a data directory whose server has stopped."""
    files = file_sizes(data_dir)
    return Fingerprint(
        tables={
            table.name: TablePrint(
                rows=table.rows,
                bytes=_bytes_of(files, file_name(database), file_name(table.name)),
                engine=table.engine,
                row_format=table.row_format,
            )
            for table in tables
        },
        files=files,
    )


def _bytes_of(files: Mapping[str, int], folder: str | None, name: str | None) -> int | None:
    """Returns the bytes of a table's files, those of its partitions included."""
    if folder is None or name is None:
        return None
    begins = (f"{folder}/{name}.", f"{folder}/{name}#")
    return sum(size for path, size in files.items() if path.startswith(begins))


def file_sizes(data_dir: Path) -> dict[str, int]:
    """Returns the size of every regular file under a data directory, by relative path. Nothing is opened."""
    sizes = {}
    for folder, _, names in os.walk(data_dir):
        for name in names:
            path = Path(folder, name)
            info = path.lstat()
            if stat.S_ISREG(info.st_mode):
                sizes[str(path.relative_to(data_dir))] = info.st_size
    return dict(sorted(sizes.items()))


def check_files(dataset_id: str, wanted: Fingerprint, data_dir: Path) -> None:
    """Raises HostError, which names the first file, when the files of `data_dir` or their sizes differ from
    the fingerprint.
    """
    have = file_sizes(data_dir)
    faults = [
        *(f"{path} is missing" for path in wanted.files if path not in have),
        *(f"{path} is not of the load" for path in have if path not in wanted.files),
        *(
            f"{path} has {have[path]} bytes, not {size}"
            for path, size in wanted.files.items()
            if path in have and have[path] != size
        ),
    ]
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise HostError(
            f"the dataset {dataset_id} is damaged: {faults[0]}{more}",
            hint=f"remove it: assay dataset rm {dataset_id}; the next run loads it again",
        )
