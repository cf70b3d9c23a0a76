"""Reads from the store what results were measured under."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Any, NamedTuple

import duckdb

from assay.design.study import Conditions, Study, host_class_of, work_of
from assay.results.verdict.fairness import SUBJECTS, variables_in_force

_COLUMNS = {
    "processor": "processor", "kernel": "kernel", "hostname": "host", "server_flavour": "server_flavour",
    "server_version": "server_version", "server_sha256": "server_sha256", "server_address": "server_address",
    "dataset": "dataset", "data": "data", "workload": "workload", "imported": "imported", "assay": "assay",
    "engine": "engine",
}  # fmt: skip
"""Columns of the table `runs` that say what was measured where and with what, by parts of the conditions."""


class MeasuredRun(NamedTuple):
    """A complete run, and what it was measured under."""

    run_id: str
    treatment: str
    block: int
    started_ns: int | None  # None: imported, and no file says it
    ended_ns: int | None
    conditions: Conditions


def conditions_of(
    study: Study, store: duckdb.DuckDBPyConnection, treatments: Sequence[str] | None = None
) -> Conditions:
    """Returns the conditions of the complete runs of treatments, or of all."""
    wanted = None if treatments is None else list(treatments)
    runs = measured_runs(store, wanted)
    found = [one.conditions for one in runs]
    parts: dict[str, Any] = {
        name: _joined(getattr(one, name) for one in found) for name in (*_COLUMNS, "processors", "memory")
    }
    return Conditions(
        **parts,
        host=_joined(("" if one.imported else one.host for one in found), " and "),
        time=_time(runs),
        blocks=str(len({one.block for one in runs})),
        canary_us=canary_of(store, runs),
        work=work_of([one.workload for one in found if one.workload] or [study.workload.use]),
        stated=study,
        variables=_in_force(store, wanted),
    )


def measured_runs(
    store: duckdb.DuckDBPyConnection, treatments: Sequence[str] | None = None
) -> list[MeasuredRun]:
    """Returns the complete runs of treatments, or of all, in the order of blocks, each with what it says of
    its machine, server, data and tools.
    """
    facts: dict[str, dict[str, str]] = defaultdict(dict)
    for run, key, value in store.execute(
        "SELECT run_id, key, value FROM facts WHERE scope = 'host' AND moment = 'before'"
        " AND key IN ('cpu.logical', 'memory.total_bytes')"
    ).fetchall():
        facts[run][key] = value
    rows = store.execute(
        f"SELECT run_id, treatment, block, started_ns, ended_ns, {', '.join(_COLUMNS.values())} FROM runs"
        " WHERE status = 'complete' AND ($1 IS NULL OR list_contains($1, treatment))"
        " ORDER BY block, position",
        [None if treatments is None else list(treatments)],
    ).fetchall()
    return [
        MeasuredRun(run, treatment, block, began, ended, _of_run(known, facts[run]))
        for run, treatment, block, began, ended, *known in rows
    ]


def first_conditions(store: duckdb.DuckDBPyConnection) -> dict[str, Conditions]:
    """Returns the conditions of the first complete run of each treatment."""
    return {one.treatment: one.conditions for one in reversed(measured_runs(store))}


def _of_run(values: Sequence[str | None], facts: Mapping[str, str]) -> Conditions:
    known: dict[str, Any] = {name: value or "" for name, value in zip(_COLUMNS, values, strict=True)}
    logical, memory = facts.get("cpu.logical"), facts.get("memory.total_bytes")
    return Conditions(
        **known,
        host=host_class_of(known["processor"], logical, memory),
        processors=logical or "",
        memory=memory or "",
    )


def canary_of(store: duckdb.DuckDBPyConnection, runs: Iterable[MeasuredRun]) -> float | None:
    """Returns the cost of the canary in these runs, the median of their medians; None where none was
    sampled.
    """
    costs = store.execute(
        "SELECT median(value) FROM samples WHERE source = 'canary' AND name = 'cpu_us'"
        " AND list_contains($1, run_id) GROUP BY run_id",
        [[one.run_id for one in runs]],
    ).fetchall()
    return round(median(cost for (cost,) in costs), 2) if costs else None


def _in_force(store: duckdb.DuckDBPyConnection, treatments: list[str] | None) -> dict[str, str]:
    """Returns the server variables of runs, those first by which a comparison is unfair. Several values are
    joined by " / ".
    """
    first = {name for subject in SUBJECTS for name in subject.variables}
    found: dict[str, str] = {}
    for name, by in sorted(variables_in_force(store).items(), key=lambda one: (one[0] not in first, one[0])):
        values = {
            value for of, each in by.items() if treatments is None or of in treatments for value in each
        }
        if values:
            found[name] = " / ".join(sorted(values))
    return found


def _joined(texts: Iterable[str], joint: str = ", ") -> str:
    return joint.join(sorted({text for text in texts if text}))


def _time(runs: Sequence[MeasuredRun]) -> str:
    began = [one.started_ns for one in runs if one.started_ns is not None]
    ended = [one.ended_ns for one in runs if one.ended_ns is not None]
    return f"{_minute(min(began))} to {_minute(max(ended))}" if began and ended else ""


def _minute(ns: int) -> str:
    return datetime.fromtimestamp(ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M")
