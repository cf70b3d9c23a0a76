"""DuckDB views over the Parquet files; the columns are in `tables`."""

from __future__ import annotations

import errno
import fcntl
import os
import time
import weakref
from contextlib import suppress
from pathlib import Path

import duckdb

from assay.folder import ResultsFolder
from assay.store.tables import TABLES

_DERIVED = {
    "levels": "SELECT DISTINCT treatment, factor, level FROM levels_by_run",
    "samples": """
        SELECT run_id, treatment, block, source, name, unnest(wall_ns) AS wall_ns, unnest(value) AS value
        FROM sample_series""",
    "rates": """
        SELECT run_id, treatment, block, rung, load, source, name, unnest(t_s) AS t_s, unnest(value) AS value
        FROM rate_series""",
}

_MOST_TRIES = 100
_PAUSE_S = 0.01


def open_store(folder: ResultsFolder) -> duckdb.DuckDBPyConnection:
    """A connection with one view a table, and `samples` and `rates` with one row a value.

    It keeps to the store that it found: one that is built meanwhile is not seen, and takes nothing away.
    Raises `FileNotFoundError` when `build_store` was never called.
    """
    place = _held(folder.store)
    connection = duckdb.connect(":memory:")
    weakref.finalize(connection, os.close, place)
    for name in TABLES:
        # By the open directory: a name of the folder may hold what DuckDB takes for a pattern.
        path = f"/proc/self/fd/{place}/{name}.parquet"
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')")
    for name, query in _DERIVED.items():
        connection.execute(f"CREATE VIEW {name} AS {query}")
    return connection


def _is_still(store: Path, place: int) -> bool:
    try:
        return os.path.samestat(os.fstat(place), store.stat())
    except FileNotFoundError:
        return False


def _held(store: Path) -> int:
    """The directory, open and locked: it is removed by nobody until it is closed.

    For an instant, while a new one takes its place, there is none, or the one just opened goes.
    """
    for _ in range(_MOST_TRIES):
        with suppress(FileNotFoundError):
            place = os.open(store, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(place, fcntl.LOCK_SH)
            if _is_still(store, place):
                return place
            os.close(place)
        time.sleep(_PAUSE_S)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(store))
