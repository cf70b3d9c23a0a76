"""The figures that the checks read: one rung of one complete run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from assay.design.study import Kind
from assay.results.verdict.results import DoubtNote, Severity

# The server's own counters of rows written and of transactions rolled back, as costs of a query.
WRITTEN, ROLLED_BACK, PER_QUERY = (
    ("Handler_write", "Handler_update", "Handler_delete"),
    "Handler_rollback",
    "_per_query",
)

_WANTED = [
    *("tps", "iops", "mean_ms", "max_ms", "mean_think_ms", "pacing_lateness_p99_ms"),
    *(name + PER_QUERY for name in (*WRITTEN, ROLLED_BACK)),
]
"""The measures that the checks read."""

# What a server says of its state; each flavour's name where they differ.
HELD, ROOM = "Innodb_buffer_pool_pages_data", "Innodb_buffer_pool_pages_total"
DIRTY, READ = "Innodb_buffer_pool_pages_dirty", "Innodb_pages_read_total"
CHECKPOINT_AGE = ("Innodb_checkpoint_age", "log_lsn_checkpoint_age")
HISTORY = ("Innodb_history_list_length", "trx_rseg_history_len")


@dataclass(frozen=True)
class RungSeen:
    """Figures of one rung's measured window; `columns` are those of the view `rungs`."""

    run_id: str
    load: float
    columns: Mapping[str, object]
    measures: Mapping[str, float]
    tps: NDArray[np.float64]  # per second
    errors: Mapping[int, int]  # server code -> count
    readings: Mapping[str, int]  # sampler -> readings inside the window
    cores: int | None  # logical CPUs of the host
    state: Mapping[str, NDArray[np.float64]]  # name -> a value a second: levels, and pages read per second
    each_second: bool = True  # False: another tool printed longer intervals

    def number(self, column: str) -> float:
        """Returns a numeric column; 0 where it is null."""
        value = self.columns[column]
        return float(value) if isinstance(value, int | float) else 0.0

    @property
    def subject(self) -> Kind:
        """The kind of thing under load: server or storage.

        On storage the engine's own processor time is part of the load.
        """
        return "storage" if "iops" in self.measures else "server"

    @property
    def elapsed_s(self) -> float:
        return self.number("elapsed_s")

    def note(self, kind: str, severity: Severity, message: str, **facts: str | float) -> DoubtNote:
        """Returns a doubt about this rung."""
        return DoubtNote(kind, message, self.run_id, self.load, severity, facts)


Key = tuple[str, int]  # run, rung


def read_rungs(store: duckdb.DuckDBPyConnection) -> list[RungSeen]:
    """Returns every rung with a result of every complete run."""
    cursor = store.execute(
        "SELECT rungs.* FROM rungs JOIN runs USING (run_id)"
        " WHERE runs.status = 'complete' AND elapsed_s IS NOT NULL ORDER BY run_id, rung"
    )
    names = [column[0] for column in cursor.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    measures, seconds = _measures(store), _seconds(store)
    errors, readings, cores = _errors(store), _readings(store), _cores(store)
    state, longer = _state(store), _longer(store)
    found = []
    for row in rows:
        key = (row["run_id"], row["rung"])
        found.append(
            RungSeen(
                run_id=row["run_id"],
                load=row["load"],
                columns=row,
                measures=measures[key],
                tps=np.array(seconds.get(key, [])),
                errors=errors[key],
                readings=readings[key],
                cores=cores.get(row["run_id"]),
                state=state.get(key, {}),
                each_second=key not in longer,
            )
        )
    return found


def _measures(store: duckdb.DuckDBPyConnection) -> dict[Key, dict[str, float]]:
    found: dict[Key, dict[str, float]] = defaultdict(dict)
    query = "SELECT run_id, rung, measure, value FROM measures WHERE list_contains(?, measure)"
    for run, rung, measure, value in store.execute(query, [_WANTED]).fetchall():
        found[run, rung][measure] = value
    return found


def _seconds(store: duckdb.DuckDBPyConnection) -> dict[Key, list[float]]:
    query = (
        "SELECT run_id, rung, list(tps ORDER BY index) FROM intervals"
        " WHERE phase = 'measure' AND seconds > 0.5 AND tps IS NOT NULL GROUP BY run_id, rung"
    )
    return {(run, rung): tps for run, rung, tps in store.execute(query).fetchall()}


def _longer(store: duckdb.DuckDBPyConnection) -> set[Key]:
    query = "SELECT DISTINCT run_id, rung FROM intervals WHERE phase = 'measure' AND seconds > 1.5"
    return set(store.execute(query).fetchall())


def _errors(store: duckdb.DuckDBPyConnection) -> dict[Key, dict[int, int]]:
    found: dict[Key, dict[int, int]] = defaultdict(dict)
    for run, rung, code, count in store.execute(
        "SELECT run_id, rung, code, count FROM error_counts ORDER BY code"
    ).fetchall():
        found[run, rung][code] = count
    return found


def _readings(store: duckdb.DuckDBPyConnection) -> dict[Key, dict[str, int]]:
    # All names of a source are read together, but for some that come late: the fullest one stands for it.
    query = """
        WITH clock AS (
            SELECT run_id, source, arg_max(wall_ns, len(wall_ns)) AS wall_ns FROM sample_series GROUP BY ALL
        )
        SELECT run_id, rung, source, len(list_filter(wall_ns, lambda t: t >= start_ns AND t <= end_ns))
        FROM rungs JOIN clock USING (run_id)"""
    found: dict[Key, dict[str, int]] = defaultdict(dict)
    for run, rung, source, count in store.execute(query).fetchall():
        found[run, rung][source] = count
    return found


def _state(store: duckdb.DuckDBPyConnection) -> dict[Key, dict[str, NDArray[np.float64]]]:
    names = [HELD, ROOM, DIRTY, READ, *CHECKPOINT_AGE, *HISTORY]
    query = (
        "SELECT run_id, rung, name, wall_ns, value, start_ns, end_ns FROM rungs JOIN sample_series"
        " USING (run_id) WHERE source = 'status' AND list_contains(?, name) AND end_ns IS NOT NULL"
    )
    found: dict[Key, dict[str, NDArray[np.float64]]] = defaultdict(dict)
    for run, rung, name, wall_ns, values, start, end in store.execute(query, [names]).fetchall():
        at, level = np.array(wall_ns, dtype=np.float64), np.array(values, dtype=np.float64)
        inside = (at >= start) & (at <= end)
        at, level = at[inside], level[inside]
        found[run, rung][name] = np.diff(level) / (np.diff(at) / 1e9) if name == READ else level
    return found


def _cores(store: duckdb.DuckDBPyConnection) -> dict[str, int]:
    query = (
        "SELECT run_id, value FROM facts WHERE scope = 'host' AND moment = 'before' AND key = 'cpu.logical'"
    )
    return {run: int(value) for run, value in store.execute(query).fetchall()}
