"""Parquet files, written and read by a DuckDB that sees nothing but them."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import duckdb

from assay.base.inner_path import InnerPath
from assay.results.store.columns import ColumnTable

_ERRNO = re.compile(r'"errno":"(\d+)"')
"""The kernel's number of an error, in what DuckDB 2 says of one; DuckDB 1 ends with the kernel's words."""


@contextmanager
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """Opens a connection to a database in memory, which keeps rows in their order.

    Raises OSError where the kernel refuses to read or write a file, as on a full disk.
    """
    with _database().cursor() as connection:
        try:
            yield connection
        except duckdb.IOException as error:
            if (number := _kernel_error(str(error))) is None:
                raise
            raise OSError(number, os.strerror(number), "a file of the store") from error


def _kernel_error(said: str) -> int | None:
    if told := _ERRNO.search(said):
        return int(told[1])
    return next((one for one in errno.errorcode if said.rstrip().endswith(os.strerror(one))), None)


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Returns the one database of this process, whose start costs as much as writing a run. It keeps no
    content of files: they are named by descriptors here, and a descriptor's number soon is another file's.
    """
    database = duckdb.connect(":memory:", config={"threads": 1})
    database.execute("SET enable_external_file_cache = false")
    return database


def write_table(
    connection: duckdb.DuckDBPyConnection, rows: ColumnTable, path: InnerPath, row_group: int
) -> None:
    """Writes a new file with the rows of a table in memory."""
    connection.register("rows", rows)
    write_query(connection, "SELECT * FROM rows", path, row_group)
    connection.unregister("rows")


def write_query(connection: duckdb.DuckDBPyConnection, query: str, path: InnerPath, row_group: int) -> None:
    """Writes a new file with the answer to a query."""
    with path.open("xb") as out:
        form = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {row_group}, USE_TMP_FILE false"
        connection.execute(f"COPY ({query}) TO '/proc/self/fd/{out.fileno()}' ({form})")


class Sources:
    """Files that are read by queries, opened as `InnerPath` opens them, until the end of a block."""

    def __init__(self) -> None:
        self._open = ExitStack()

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def table(self, *paths: InnerPath) -> str:
        """Returns the table of files one after the other, as a query names it."""
        files = [self._open.enter_context(path.open("rb")) for path in paths]
        listed = ", ".join(f"'/proc/self/fd/{file.fileno()}'" for file in files)
        return f"read_parquet([{listed}])"


def quoted(text: str) -> str:
    """Returns a text as a query writes it."""
    return "'" + text.replace("'", "''") + "'"
