"""DuckDB views over the Parquet files; the columns are in `tables`."""

from __future__ import annotations

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


def open_store(folder: ResultsFolder) -> duckdb.DuckDBPyConnection:
    """A connection with one view a table, and `samples` and `rates` with one row a value.

    Raises `duckdb.IOException` when `build_store` was never called.
    """
    connection = duckdb.connect(":memory:")
    for name in TABLES:
        path = str(folder.store / f"{name}.parquet").replace("'", "''")
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')")
    for name, query in _DERIVED.items():
        connection.execute(f"CREATE VIEW {name} AS {query}")
    return connection
