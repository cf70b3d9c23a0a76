"""The tables of the store, with their columns in order; `views` gives each a view of the same name.

Times named `_ns` are on the wall clock, nanoseconds since 1970; `t_s` is seconds since the measured window
began.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray

from assay.base.arrow import pa, pq
from assay.base.decoding import UNREADABLE, why_unreadable
from assay.base.inner_path import InnerPath
from assay.results.store import identity

TEXT, WHOLE, REAL, FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()

#: Series wait in memory until they have so many values.
ROW_GROUP_VALUES = 2_000_000

RUN = {"run_id": TEXT, "treatment": TEXT, "block": WHOLE}
RUNG = {**RUN, "rung": WHOLE, "load": REAL}

TABLES: dict[str, dict[str, pa.DataType]] = {
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
        "counts": pa.list_(WHOLE),
    },
    "error_counts": {**RUNG, "code": WHOLE, "count": WHOLE},
    "facts": {"run_id": TEXT, "scope": TEXT, "moment": TEXT, "key": TEXT, "value": TEXT},
    # Of runs of the first block: one row for each row of EXPLAIN of a statement of the load, in order of
    # `place`, and one for a statement that the server did not explain. `unknown`: why a plan is not known.
    "plans": {
        **RUN,
        "place": WHOLE,
        "statement": TEXT,
        "example": TEXT,
        "select_type": TEXT,
        "table": TEXT,
        "access": TEXT,
        "key": TEXT,
        "estimate": WHOLE,
        "extra": TEXT,
        "unknown": TEXT,
    },
    "doubts": {**RUNG, "kind": TEXT, "message": TEXT, "value": REAL, "limit_": REAL},
    # One row a series: the views `samples` and `rates` unfold the lists (see `views`).
    "sample_series": {
        **RUN,
        "source": TEXT,
        "name": TEXT,
        "wall_ns": pa.list_(WHOLE),
        "value": pa.list_(REAL),
    },
    "rate_series": {**RUNG, "source": TEXT, "name": TEXT, "t_s": pa.list_(REAL), "value": pa.list_(REAL)},
}


class Rows:
    """Writes rows of all tables into `folder`, as a Parquet file for each table that has any.

    Series, which are nearly all of the bytes, are written as they come; the rest on `close`.
    """

    def __init__(self, folder: InnerPath) -> None:
        self._folder = folder
        self._rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        self._waiting: dict[str, list[pa.RecordBatch]] = defaultdict(list)
        self._waiting_values: dict[str, int] = defaultdict(int)
        self._files: dict[str, pq.ParquetWriter] = {}
        self._open: list[IO[bytes]] = []

    @property
    def held(self) -> int:
        """Number of rows in memory, without series."""
        return sum(map(len, self._rows.values()))

    def begin_all(self) -> None:
        """Makes a file for every table, with or without rows."""
        for table in TABLES:
            self._file(table)

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
        columns = TABLES[table]
        kinds = list(columns.values())
        by_name = values.T
        known = np.isfinite(by_name)
        ends = np.concatenate(([0], np.cumsum(known.sum(axis=1)))).astype(np.int32)
        all_times = np.broadcast_to(times, by_name.shape)[known]
        constants = [
            pa.repeat(pa.scalar(value, type=kind), len(names))
            for value, kind in zip(who, kinds, strict=False)
        ]
        lists = [
            pa.ListArray.from_arrays(ends, pa.array(flat)).cast(kind)
            for flat, kind in zip((all_times, by_name[known]), kinds[-2:], strict=True)
        ]
        arrays = [*constants, pa.array(names, type=TEXT), *lists]
        self._waiting[table].append(pa.record_batch(arrays, schema=pa.schema(columns)))
        self._waiting_values[table] += int(ends[-1])
        if self._waiting_values[table] > ROW_GROUP_VALUES:
            self._flush(table)

    def close(self) -> None:
        """Writes the remaining rows and closes the files."""
        for table, rows in self._rows.items():
            if rows:
                columns = TABLES[table]
                arrays = [
                    _array(table, name, column, kind)
                    for column, (name, kind) in zip(zip(*rows, strict=True), columns.items(), strict=True)
                ]
                self._waiting[table].append(pa.record_batch(arrays, schema=pa.schema(columns)))
        for table in list(self._waiting):
            self._flush(table)
        for file in self._files.values():
            file.close()
        for out in self._open:
            out.close()

    def _flush(self, table: str) -> None:
        batches = self._waiting.pop(table)
        self._waiting_values[table] = 0
        self._file(table).write_table(pa.Table.from_batches(batches, schema=pa.schema(TABLES[table])))

    def _file(self, table: str) -> pq.ParquetWriter:
        if table not in self._files:
            out = (self._folder / f"{table}.parquet").open("xb")
            self._open.append(out)
            self._files[table] = pq.ParquetWriter(out, pa.schema(TABLES[table]), compression="zstd")
        return self._files[table]


def _array(table: str, name: str, values: Sequence[object], kind: pa.DataType) -> pa.Array:
    """Returns a column. Raises ValueError, with its name, for a value that it cannot hold."""
    try:
        return pa.array(values, type=kind)
    except UNREADABLE as error:
        raise ValueError(f"{name} of {table}: {why_unreadable(error)}") from error
