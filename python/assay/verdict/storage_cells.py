"""What a study of files measured, cell by cell, with what was done to the disk there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import duckdb
import msgspec

from assay.folder import ResultsFolder, read_job, read_manifest
from assay.study import Scalar, level_text
from assay.study.storage import INNODB

_DISK = ("storage.directory", "host.")
"""Factors that make another disk of it: where the files are, how the machine drives it."""


@dataclass(frozen=True)
class Cell:
    """A treatment at a rung: `measures` are means over its blocks.

    `disk`: the treatment's levels of storage.directory and host.X, as a sentence has them; empty where the
    study varies neither. `in_flight`: operations at once, of all workers. `pattern`: it is `innodb-pattern`,
    of several jobs.
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
        """For a sentence."""
        return f"{self.treatment}, {self.kind} {self.load:g}"


def read_cells(folder: ResultsFolder, store: duckdb.DuckDBPyConnection) -> list[Cell]:
    """Every cell of the complete runs that is of one kind of load; none of a study of servers."""
    values: dict[tuple[str, float], dict[str, list[float]]] = {}
    query = "SELECT treatment, load, measure, value FROM measures JOIN runs USING (run_id, treatment, block)"
    for treatment, load, measure, value in store.execute(query).fetchall():
        values.setdefault((treatment, load), {}).setdefault(measure, []).append(value)
    found: dict[tuple[str, float], Cell] = {}
    for manifest, rung, jobs in _rungs(folder):
        key = (manifest["treatment"], rung["load"])
        if key in values and key not in found and jobs:
            means = {measure: fmean(each) for measure, each in values[key].items()}
            if (cell := cell_of(manifest, rung, jobs, means)) is not None:
                found[key] = cell
    return list(found.values())


def _rungs(folder: ResultsFolder) -> Iterator[tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]]:
    """Manifest, its entry of the rung, the storage jobs of the rung."""
    for run in folder.finished_runs():
        manifest = msgspec.to_builtins(read_manifest(run))
        for rung in manifest["rungs"]:
            if job := read_job(run, rung["dir"]):
                yield manifest, rung, job.get("storage", [])


def cell_of(
    manifest: Mapping[str, Any],
    rung: Mapping[str, Any],
    jobs: Sequence[Mapping[str, Any]],
    measures: Mapping[str, float],
) -> Cell | None:
    """None where jobs side by side do different things: the figures are of none of them."""
    pattern = manifest["workload"] == INNODB
    first = jobs[0]
    if not pattern and any(_kind(job) != _kind(first) for job in jobs):
        return None
    access, io = first["access"], first["io"]
    blocks = access["read_blocks" if access["read_share"] > 0 else "write_blocks"]
    queued = io["kind"] in ("libaio", "io_uring")
    return Cell(
        treatment=manifest["treatment"],
        disk=_disk(manifest["levels"]),
        kind=rung["kind"],
        load=rung["load"],
        pattern=pattern,
        random=access["order"] == "random",
        read_share=access["read_share"],
        block=blocks if isinstance(blocks, int) else 0,
        in_flight=sum(job.get("clones", 1) * (job.get("depth", 1) if queued else 1) for job in jobs),
        synced=first.get("sync", {}).get("writes") == 1,
        direct=bool(io.get("direct")),
        measures=measures,
    )


def _kind(job: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a job does, whatever its name, its files and its number of workers."""
    return job["access"], job["io"], job.get("sync")


def _disk(levels: Mapping[str, Scalar]) -> str:
    return ", ".join(
        f"{name}={level_text(level)}" for name, level in levels.items() if name.startswith(_DISK)
    )
