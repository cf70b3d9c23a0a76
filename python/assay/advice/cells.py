"""Reads what a study of storage measured, cell by cell, with the load on the disk there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from statistics import fmean

import duckdb

from assay.study.storage import INNODB

_DISK = ("storage.directory", "host.")
"""Factors whose levels make another disk: where the files are, and how the machine drives it."""


@dataclass(frozen=True)
class Cell:
    """A treatment at a rung: `measures` are means over its blocks.

    `disk`: the treatment's levels of storage.directory and host.X, as text; empty where the study varies
    neither. `in_flight`: operations at once, of all workers. `pattern`: it is `innodb-pattern`, of several
    jobs.
    """

    treatment: str
    disk: str
    kind: str  # of the ladder
    load: float
    pattern: bool
    random: bool
    read_share: float
    block: int
    in_flight: int
    synced: bool  # an fsync after each write
    direct: bool
    measures: Mapping[str, float]

    @property
    def place(self) -> str:
        """The cell's place in words, for a sentence."""
        return f"{self.treatment}, {self.kind} {self.load:g}"


@dataclass(frozen=True)
class FileJob:
    """One job of a load on files, as the table `file_jobs` has it."""

    does: str
    random: bool
    read_share: float
    block_bytes: int | None
    direct: bool
    sync_writes: int | None
    in_flight: int


@dataclass(frozen=True)
class Rung:
    """A rung of a run on files, with the jobs that ran side by side."""

    treatment: str
    load: float
    kind: str
    workload: str
    jobs: Sequence[FileJob]


def read_cells(store: duckdb.DuckDBPyConnection) -> list[Cell]:
    """Returns every cell of the complete runs that has one kind of load; none for a study of servers."""
    values: dict[tuple[str, float], dict[str, list[float]]] = {}
    query = "SELECT treatment, load, measure, value FROM measures"
    for treatment, load, measure, value in store.execute(query).fetchall():
        values.setdefault((treatment, load), {}).setdefault(measure, []).append(value)
    levels: dict[str, dict[str, str]] = {}
    for treatment, factor, level in store.execute(
        "SELECT treatment, factor, level FROM levels_by_run"
    ).fetchall():
        levels.setdefault(treatment, {})[factor] = level
    found: dict[tuple[str, float], Cell] = {}
    for rung in _rungs(store):
        key = (rung.treatment, rung.load)
        if key in values and key not in found:
            means = {measure: fmean(each) for measure, each in values[key].items()}
            if (cell := cell_of(rung, levels.get(rung.treatment, {}), means)) is not None:
                found[key] = cell
    return list(found.values())


def _rungs(store: duckdb.DuckDBPyConnection) -> Iterator[Rung]:
    columns = ", ".join(f"file_jobs.{field.name}" for field in fields(FileJob))
    query = (
        f"SELECT run_id, treatment, load, kind, workload, {columns}"
        " FROM file_jobs JOIN rungs USING (run_id, treatment, block, rung, load)"
        " JOIN runs USING (run_id, treatment, block) ORDER BY block, position, rung, number"
    )
    for about, rows in groupby(store.execute(query).fetchall(), key=lambda row: row[:5]):
        _, treatment, load, kind, workload = about
        yield Rung(treatment, load, kind, workload, [FileJob(*row[5:]) for row in rows])


def cell_of(rung: Rung, levels: Mapping[str, str], measures: Mapping[str, float]) -> Cell | None:
    """Returns a rung's cell; None where jobs side by side do different things, since the figures belong to
    none of them.
    """
    pattern, first = rung.workload == INNODB, rung.jobs[0]
    if not pattern and any(job.does != first.does for job in rung.jobs):
        return None
    return Cell(
        treatment=rung.treatment,
        disk=", ".join(f"{name}={level}" for name, level in levels.items() if name.startswith(_DISK)),
        kind=rung.kind,
        load=rung.load,
        pattern=pattern,
        random=first.random,
        read_share=first.read_share,
        block=first.block_bytes or 0,
        in_flight=sum(job.in_flight for job in rung.jobs),
        synced=first.sync_writes == 1,
        direct=first.direct,
        measures=measures,
    )
