"""The tables of the store, with their columns in order; `views` gives each a view of the same name.

Times named `_ns` are on the wall clock, nanoseconds since 1970; `t_s` is seconds since the measured window
began.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from assay.base.decoding import UNREADABLE, why_unreadable
from assay.base.inner_path import InnerPath
from assay.results.store import columns, identity, parquet
from assay.results.store.columns import FLAG, LIST, REAL, REALS, TEXT, WHOLE, WHOLES, ColumnTable

#: Series wait in memory until they have so many values; then they become a file.
FILE_VALUES = 2_000_000

RUN = {"run_id": TEXT, "treatment": TEXT, "block": WHOLE}
RUNG = {**RUN, "rung": WHOLE, "load": REAL}

TABLES: dict[str, dict[str, str]] = {
    # One row: whose results these are, and the study file.
    "study": {
        "name": TEXT,
        "hash": TEXT,
        "seed": WHOLE,
        "created_ns": WHOLE,
        "assay": TEXT,
        "text": TEXT,
    },
    "runs": {
        **RUN,
        "position": WHOLE,
        "status": TEXT,
        "seed": WHOLE,
        "started_ns": WHOLE,
        "ended_ns": WHOLE,
        "failure_kind": TEXT,
        "failure_message": TEXT,
        "failure_hint": TEXT,
        "failure_detail": TEXT,
        "workload": TEXT,
        **dict.fromkeys(identity.COLUMNS, TEXT),
        "manifest": TEXT,  # where its run.json is, from the results folder
        "fleet_host": TEXT,  # the host of a fleet that carried its block out; null: the lab's own machine
        "imported": TEXT,  # the tool that measured it, with its version; null: Assay did
    },
    # Runs that were set aside and done again. `why`: failed, damaged or superseded (with a torn block).
    "attempts": {
        **RUN,
        "position": WHOLE,
        "status": TEXT,
        "why": TEXT,
        "started_ns": WHOLE,
        "ended_ns": WHOLE,
        "failure_message": TEXT,
        "manifest": TEXT,
    },
    "levels_by_run": {"run_id": TEXT, "treatment": TEXT, "factor": TEXT, "level": TEXT},
    "rungs": {
        **RUN,
        "rung": WHOLE,
        "kind": TEXT,
        "load": REAL,
        "start_ns": WHOLE,
        "end_ns": WHOLE,
        "elapsed_s": REAL,
        "transactions": WHOLE,
        "queries": WHOLE,
        "reads": WHOLE,
        "writes": WHOLE,
        "other": WHOLE,
        "errors": WHOLE,
        "retries": WHOLE,
        "failed": WHOLE,
        "reconnects": WHOLE,
        "dropped": WHOLE,
        "connections": WHOLE,
        "connections_min": WHOLE,
        "connections_mean": REAL,
        "connections_max": WHOLE,
        "terminals": WHOLE,  # where they share the connections
        "terminals_min": WHOLE,  # transactions of the least served one
        "terminals_mean": REAL,
        "engine_user_us": WHOLE,
        "engine_system_us": WHOLE,
        "engine_rss_bytes": WHOLE,
        "engine_threads": WHOLE,
        "engine_build": TEXT,
        "warmup_s": REAL,
        "drained": WHOLE,
        "abandoned": WHOLE,
        "complete": FLAG,
        "statements_sent": WHOLE,
        "statements_counted": WHOLE,  # by the server; null: nobody knows
        "statements_unsure": WHOLE,  # the server may not have come to them
        "goodbyes": WHOLE,  # of connections, which some servers count; null: nobody knows
        "statements_s": REAL,  # the longest time between the server's two counts
        "events": TEXT,  # where the engine's events are, from the results folder
    },
    "file_jobs": {
        **RUNG,
        "number": WHOLE,  # from 1
        "name": TEXT,
        "does": TEXT,  # alike for jobs that differ in name, files and number of workers alone
        "random": FLAG,
        "read_share": REAL,
        "block_bytes": WHOLE,  # null: of several sizes
        "direct": FLAG,
        "sync_writes": WHOLE,  # writes between two syncs; null: none
        "in_flight": WHOLE,  # operations at once, of all its workers
    },
    "losses": {**RUNG, "file": TEXT, "what": TEXT},  # rung null: it stood beside the figures
    "moments": {**RUNG, "name": TEXT, "at_ns": WHOLE, "t_s": REAL},
    "traces": {**RUNG, "name": TEXT, "unit": TEXT, "at_ns": WHOLE, "t_s": REAL, "value": REAL},
    # at_least: operations never ended, so the true value may be any above this one. few: there were too few
    # operations for this percentile.
    "measures": {**RUNG, "measure": TEXT, "unit": TEXT, "value": REAL, "at_least": FLAG, "few": FLAG},
    # Of imported runs: every number as its tool printed it (`text`), and what it became.
    "printed": {
        **RUNG,
        "measure": TEXT,
        "unit": TEXT,
        "value": REAL,
        "text": TEXT,  # null: `how` derives it
        "file": TEXT,
        "place": TEXT,
        "how": TEXT,  # null: the value is what was printed
    },
    "printed_bins": {**RUNG, "ms": REAL, "count": WHOLE},  # of a printed histogram of response times
    "sources": {"run_id": TEXT, "tool": TEXT, "version": TEXT, "name": TEXT, "file": TEXT, "sha256": TEXT},
    "unknown": {"run_id": TEXT, "what": TEXT},  # what no imported file says
    "histograms": {**RUNG, "label": TEXT, "kind": TEXT, "count": WHOLE, "hdr": TEXT},
    "intervals": {
        **RUNG,
        "phase": TEXT,
        "index": WHOLE,
        "start_ns": WHOLE,
        "t_s": REAL,
        "seconds": REAL,
        "tps": REAL,
        "qps": REAL,
        "mean_ms": REAL,
        "p50_ms": REAL,
        "p95_ms": REAL,
        "p99_ms": REAL,
        "hdr": TEXT,  # response times of whole transactions that ended in it; null where none did
        "errors": WHOLE,
        "in_flight": WHOLE,
        "queued": WHOLE,
        "engine_cpu_us": WHOLE,
        "read_mib_per_s": REAL,  # of files
        "write_mib_per_s": REAL,
    },
    # The times of each interval by the cells of a heat map (`assay.base.tally`), from the cell `first` on.
    "heat": {
        **RUNG,
        "phase": TEXT,
        "t_s": REAL,
        "seconds": REAL,
        "max_ms": REAL,
        "first": WHOLE,
        "counts": WHOLES,
    },
    "error_counts": {**RUNG, "code": WHOLE, "count": WHOLE},
    "facts": {"run_id": TEXT, "scope": TEXT, "moment": TEXT, "key": TEXT, "value": TEXT},
    # One row for each row of EXPLAIN of a statement of the load, in order of `place`, and one for a statement
    # that has no plan or that the server did not explain. `key_parts`: the columns of the key that are used,
    # with commas between. `unknown`: why a plan is not known; without a statement, why some may be missing.
    "plans": {
        **RUN,
        "place": WHOLE,
        "statement": TEXT,
        "example": TEXT,
        "select_type": TEXT,
        "table": TEXT,
        "access": TEXT,
        "key": TEXT,
        "key_length": WHOLE,
        "key_parts": TEXT,
        "estimate": WHOLE,
        "extra": TEXT,
        "unknown": TEXT,
    },
    # What one query or transaction of a load point cost, in lines that add up (`assay.results.ledger`).
    "ledger_lines": {**RUNG, "ledger": TEXT, "group": TEXT, "line": TEXT, "amount": REAL, "unit": TEXT},
    # The call tree of the server, in microseconds of a query: each frame after its parent, the root first.
    "profile_frames": {
        **RUNG,
        "node": WHOLE,
        "parent": WHOLE,
        "name": TEXT,
        "group": TEXT,
        "amount": REAL,
    },
    # What the sources of a profile window read: a figure with its value; `missing`, `remedy`, `note` as text.
    "profile_sources": {**RUNG, "source": TEXT, "name": TEXT, "value": REAL, "text": TEXT},
    "doubts": {**RUNG, "kind": TEXT, "message": TEXT, "value": REAL, "limit_": REAL},
    # One row a series: the views `samples` and `rates` unfold the lists (see `views`).
    "sample_series": {
        **RUN,
        "source": TEXT,
        "name": TEXT,
        "wall_ns": WHOLES,
        "value": REALS,
    },
    "rate_series": {**RUNG, "source": TEXT, "name": TEXT, "t_s": REALS, "value": REALS},
}


def file_name(table: str, number: int) -> str:
    """Returns the name of a table's file in a part, counted from 0."""
    return f"{table}.{number}.parquet" if number else f"{table}.parquet"


def row_group(table: str) -> int:
    """Returns how many rows of a table a reader can pass over at once; a writer has them in memory."""
    return 1 << 12 if any(kind.endswith(LIST) for kind in TABLES[table].values()) else 1 << 17


def table_of(file: str) -> str:
    """Returns the table that a file of a part belongs to."""
    return file.partition(".")[0]


class _Series(NamedTuple):
    """Series of one source as `Rows` holds them: the values of all, of which each name has `counts`."""

    who: tuple[object, ...]
    names: list[str]
    counts: NDArray[np.int64]
    times: NDArray[np.generic]
    values: NDArray[np.float64]


class Rows:
    """Writes rows of all tables into `folder`, as Parquet files for each table that has any.

    Series, which are nearly all of the bytes, are written as they come, several files of a table where there
    are many; the rest on `close`.
    """

    def __init__(self, folder: InnerPath) -> None:
        self._folder = folder
        self._rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        self._series: dict[str, list[_Series]] = defaultdict(list)
        self._waiting_values: dict[str, int] = defaultdict(int)
        self._files: dict[str, int] = defaultdict(int)

    @property
    def held(self) -> int:
        """Number of rows in memory, without series."""
        return sum(map(len, self._rows.values()))

    def add(self, table: str, *values: object) -> None:
        """Adds one row, with values in the order of the table's columns."""
        self._rows[table].append(values)

    def extend(self, table: str, rows: Iterable[tuple[object, ...]]) -> None:
        self._rows[table].extend(rows)

    def add_series(
        self,
        table: str,
        who: tuple[object, ...],
        names: list[str],
        times: NDArray[np.generic],
        values: NDArray[np.float64],
    ) -> None:
        """Adds one row for each name: `values[i, j]` is `names[j]` at `times[i]`; nan values are left out.

        `who` fills the columns before the name.
        """
        if not names:
            return
        by_name = values.T
        known = np.isfinite(by_name)
        all_times = np.broadcast_to(times, by_name.shape)[known]
        self._series[table].append(_Series(who, names, known.sum(axis=1), all_times, by_name[known]))
        self._waiting_values[table] += all_times.size
        if self._waiting_values[table] > FILE_VALUES:
            with parquet.database() as connection:
                self._write_series(connection, table)

    def close(self) -> None:
        """Writes the remaining rows. Raises ValueError, with the column's name, for a value that it cannot
        hold.
        """
        found = {
            table: [
                _array(table, name, column, kind)
                for column, (name, kind) in zip(zip(*rows, strict=True), TABLES[table].items(), strict=True)
            ]
            for table, rows in self._rows.items()
            if rows
        }
        with parquet.database() as connection:
            for table, arrays in found.items():
                self._write(connection, table, arrays)
            for table in list(self._series):
                self._write_series(connection, table)

    def _write_series(self, connection: duckdb.DuckDBPyConnection, table: str) -> None:
        series = self._series.pop(table)
        self._waiting_values[table] = 0
        self._write(connection, table, _arrays(table, series))

    def _write(self, connection: duckdb.DuckDBPyConnection, table: str, arrays: Sequence[Any]) -> None:
        path = self._folder / file_name(table, self._files[table])
        parquet.write_table(connection, ColumnTable(TABLES[table], [arrays]), path, row_group(table))
        self._files[table] += 1


def _arrays(table: str, series: Sequence[_Series]) -> list[Any]:
    """Returns the columns of series, a row for each name."""
    *kinds, of_times, of_values = TABLES[table].items()
    rows = [(*one.who, name) for one in series for name in one.names]
    ends = np.concatenate(([0], np.cumsum(np.concatenate([one.counts for one in series]))))
    return [
        *(
            _array(table, name, column, kind)
            for column, (name, kind) in zip(zip(*rows, strict=True), kinds, strict=True)
        ),
        columns.lists(of_times[1], ends, np.concatenate([one.times for one in series])),
        columns.lists(of_values[1], ends, np.concatenate([one.values for one in series])),
    ]


def _array(table: str, name: str, values: Sequence[object], kind: str) -> Any:
    """Returns a column. Raises ValueError, with its name, for a value that it cannot hold."""
    try:
        return columns.array(kind, values)
    except UNREADABLE as error:
        raise ValueError(f"{name} of {table}: {why_unreadable(error)}") from error
