"""Opens the store as DuckDB views over the Parquet files; the columns are in `tables`."""

from __future__ import annotations

import errno
import os
import weakref
from pathlib import Path

import duckdb

from assay.base.inner_path import InnerPath
from assay.base.locks import take
from assay.design.folder import Damaged, ResultsFolder
from assay.results.store.costs import PER_QUERY
from assay.results.store.parts import INDEX, MEASURES, Index, read_index, state_of, whole_parts
from assay.results.store.place import place_of
from assay.results.store.tables import TABLES

_STATE = "files_state"
_SMALL_BYTES = 1 << 20
"""Up to this size of a store, two threads of DuckDB answer a report's queries no sooner than one, which takes
a fifth less processor time; at four times this size they were a tenth sooner.
"""

DERIVED = {
    "levels": "SELECT DISTINCT treatment, factor, level FROM levels_by_run",
    "samples": """
        SELECT run_id, treatment, block, source, name, unnest(wall_ns) AS wall_ns, unnest(value) AS value
        FROM sample_series""",
    "rates": """
        SELECT run_id, treatment, block, rung, load, source, name, unnest(t_s) AS t_s, unnest(value) AS value
        FROM rate_series""",
}


def open_store(folder: ResultsFolder) -> duckdb.DuckDBPyConnection:
    """Opens a connection with one view for each table, and `samples` and `rates` with one row for each value.

    The connection keeps to the store that it found: what is built meanwhile is not seen, and takes nothing
    away. Raises `FileNotFoundError` when `build_store` was never called.
    """
    there = place_of(folder)
    place = there.folder_descriptor()
    take(place, shared=True, wait=True)  # no part is removed until it is closed
    # By the open directory: a name of the folder may hold what DuckDB takes for a pattern, and the folder
    # may be another one meanwhile.
    opened = Path(f"/proc/self/fd/{place}")
    store = InnerPath(opened, opened)
    index = read_index(store)
    connection = duckdb.connect(":memory:", config={"threads": 1} if _is_small(index) else {})
    weakref.finalize(connection, os.close, place)
    if not index.parts:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(there / INDEX))
    if whole_parts(store, index) != index.parts:
        raise Damaged(f"{there} was changed while it was opened", hint="run the same command again")
    _confine(connection, opened)
    for name in TABLES:
        condition = f" WHERE {_moved(index)}" if name == MEASURES else ""
        connection.execute(f"CREATE VIEW {name} AS {_rows(index, name, opened)}{condition}")
    for name, query in DERIVED.items():
        connection.execute(f"CREATE VIEW {name} AS {query}")
    state = state_of(state for part in index.parts for state in part.runs.items())
    connection.execute(f"SET VARIABLE {_STATE} = '{state}'")
    connection.execute("SET lock_configuration = true")
    return connection


def _rows(index: Index, table: str, store: Path) -> str:
    """Returns the query of all rows of a table, of which a file is written only where there are some."""
    # A view takes no parameters: these are a number, and names of the form that `read_index` checks.
    if files := ", ".join(f"'{store / file}'" for file in index.files(table)):
        return f"SELECT * FROM read_parquet([{files}])"
    columns = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in TABLES[table].items())
    return f"SELECT * FROM (SELECT {columns} LIMIT 0)"


def _confine(connection: duckdb.DuckDBPyConnection, store: Path) -> None:
    """Lets the connection read the files of the store, and no other file or address of this machine."""
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute(f"SET allowed_directories = ['{store}/']")
    connection.execute("SET enable_external_access = false")


def opened_state(store: duckdb.DuckDBPyConnection) -> str:
    """Returns the state of the files that an open store was built from."""
    return str(store.execute(f"SELECT getvariable('{_STATE}')").fetchall()[0][0])


def _is_small(index: Index) -> bool:
    """Returns whether handing work to more threads takes longer than the work itself."""
    return sum(file.bytes for part in index.parts for file in part.files.values()) < _SMALL_BYTES


def _moved(index: Index) -> str:
    """Leaves the counters out, hundreds on a server, that no statement of this workload moves."""
    names = [name.replace("'", "''") for name in sorted(index.moved())]
    listed = "".join(f", '{name}'" for name in names)
    return f"unit <> '{PER_QUERY}' OR measure IN (NULL{listed})"
