"""What a study of files measured, cell by cell, with what was done to the disk there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import duckdb

from assay.folder import ResultsFolder
from assay.study.on_files import READS, REDO


@dataclass(frozen=True)
class Cell:
    """A treatment at a rung: `measures` are means over its blocks.

    `in_flight`: operations at once, of all workers. `pattern`: it is `innodb-pattern`, of several jobs.
    """

    treatment: str
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
    """Every cell of the complete runs; none of a study of servers."""
    values: dict[tuple[str, float], dict[str, list[float]]] = {}
    query = "SELECT treatment, load, measure, value FROM measures JOIN runs USING (run_id, treatment, block)"
    for treatment, load, measure, value in store.execute(query).fetchall():
        values.setdefault((treatment, load), {}).setdefault(measure, []).append(value)
    found: dict[tuple[str, float], Cell] = {}
    for treatment, kind, load, jobs in _jobs(folder):
        key = (treatment, load)
        if key in values and key not in found and jobs:
            means = {measure: fmean(each) for measure, each in values[key].items()}
            found[key] = _cell(treatment, kind, load, jobs, means)
    return list(found.values())


def _jobs(folder: ResultsFolder) -> Iterator[tuple[str, str, float, list[dict[str, Any]]]]:
    for run in folder.finished_runs():
        manifest = json.loads(run.manifest.read_bytes())
        for rung in manifest["rungs"]:
            job = run.path / rung["dir"] / "job.json"
            if job.is_file():
                jobs = json.loads(job.read_bytes()).get("storage", [])
                yield manifest["treatment"], rung["kind"], rung["load"], jobs


def _cell(
    treatment: str, kind: str, load: float, jobs: list[dict[str, Any]], measures: Mapping[str, float]
) -> Cell:
    first = jobs[0]
    access, io = first["access"], first["io"]
    blocks = access["read_blocks" if access["read_share"] > 0 else "write_blocks"]
    queued = io["kind"] in ("libaio", "io_uring")
    return Cell(
        treatment=treatment,
        kind=kind,
        load=load,
        pattern={READS, REDO} <= {job["name"] for job in jobs},
        random=access["order"] == "random",
        read_share=access["read_share"],
        block=blocks if isinstance(blocks, int) else 0,
        in_flight=sum(job.get("clones", 1) * (job.get("depth", 1) if queued else 1) for job in jobs),
        synced=first.get("sync", {}).get("writes") == 1,
        direct=bool(io.get("direct")),
        measures=measures,
    )
