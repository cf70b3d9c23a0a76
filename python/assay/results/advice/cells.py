"""Reads what a study of storage measured, cell by cell, with the load on the disk there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby

import duckdb

from assay.design.study import Study, work_of
from assay.design.study.storage import INNODB
from assay.results.stats import fewest_blocks
from assay.results.verdict import Decision, Estimate, Results, doubts_about

_DISK = ("storage.directory", "host.")
"""Factors whose levels make another disk: where the files are, and how the machine drives it."""


@dataclass(frozen=True)
class Cell:
    """A treatment at a rung: `figures` are means over its blocks, each with all that it rests on.

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
    figures: Mapping[str, Decision]

    def figure(self, measure: str) -> float:
        """Returns the mean of a measure over the blocks. Raises KeyError for one that was not measured."""
        return self.figures[measure].figure

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


def read_cells(study: Study, results: Results, store: duckdb.DuckDBPyConnection) -> list[Cell]:
    """Returns every cell of the complete runs that has one kind of load; none for a study of servers.

    Runs with an invalid doubt are in no cell.
    """
    figures: dict[tuple[str, float], dict[str, Decision]] = {}
    for one in results.estimates:
        figures.setdefault((one.treatment, one.load), {})[one.measure] = _decision(study, results, one)
    levels: dict[str, dict[str, str]] = {}
    for treatment, factor, level in store.execute(
        "SELECT treatment, factor, level FROM levels_by_run"
    ).fetchall():
        levels.setdefault(treatment, {})[factor] = level
    found: dict[tuple[str, float], Cell] = {}
    for rung in _rungs(store):
        key = (rung.treatment, rung.load)
        if key in figures and key not in found:
            cell = cell_of(rung, levels.get(rung.treatment, {}), figures[key])
            if cell is not None:
                found[key] = cell
    return list(found.values())


def slowest(cells: Sequence[Cell], measure: str) -> Cell:
    """Returns the cell with the highest value: whoever promises a latency promises the worst that was
    seen.
    """
    return max(cells, key=lambda cell: cell.figure(measure))


def lowest(cells: Sequence[Cell], measure: str) -> Cell:
    """Returns the cell with the lowest value: a rate that all of them reach."""
    return min(cells, key=lambda cell: cell.figure(measure))


def median(cells: Sequence[Cell], measure: str) -> Cell:
    """Returns the cell in the middle; of two in the middle the higher one."""
    return sorted(cells, key=lambda cell: cell.figure(measure))[len(cells) // 2]


def _decision(study: Study, results: Results, one: Estimate) -> Decision:
    return Decision(
        work=work_of([study.workload.use]),
        figure=one.value,
        low=one.low,
        high=one.high,
        blocks=(len(one.blocks),),
        fewest=fewest_blocks(study.verdict.confidence),
        confidence=study.verdict.confidence,
        doubts=doubts_about(results, [one.treatment], one.load, one.measure),
    )


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


def cell_of(rung: Rung, levels: Mapping[str, str], figures: Mapping[str, Decision]) -> Cell | None:
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
        figures=figures,
    )
