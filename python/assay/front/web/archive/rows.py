"""The rows of the catalogue: what the shelf says of a results folder without opening it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.base.errors import AssayError
from assay.base.printable import line
from assay.design.folder import ResultsFolder, StudyEntry, read_entry, read_looks
from assay.experiments.gate import gate_of_judged
from assay.experiments.lab import (
    CountedDoubt,
    Headline,
    ResultsSummary,
    is_looked_at,
    judged,
    standing,
    summary_of,
)
from assay.results.verdict import GRAVEST_FIRST

State = Literal["whole", "part", "broken", "foreign"]
"""`whole`: every planned run has ended. `part`: runs are missing. `broken`: a file cannot be read.
`foreign`: not results of a study.
"""

NO_LOOK = "none"
"""In place of an outcome: nobody has looked yet."""


@dataclass(frozen=True)
class CatalogueRow:
    """A folder of results in the list. `place` is its path below the root, `stamp` the state of its files
    when they were read.

    `claims` are the study's claims with their outcome at the last look that was taken; a catalogue takes
    none. `gate` is the outcome of its gates, `NO_LOOK` before the look at all runs; empty without gates.
    """

    place: str
    stamp: str
    rid: str
    state: State
    reason: str = ""
    study: str = ""
    titles: tuple[tuple[str, str], ...] = ()  # language, title
    created_ns: int = 0
    ended_ns: int = 0  # of the last run
    hosts: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()
    treatments: tuple[str, ...] = ()
    blocks: int = 0
    blocks_planned: int = 0
    runs: int = 0
    runs_planned: int = 0
    failed: int = 0
    claims: tuple[tuple[str, str], ...] = ()
    looked: bool = False
    gates: int = 0
    gate: str = ""
    doubts: tuple[CountedDoubt, ...] = ()
    headline: Headline | None = None
    is_live: bool = False

    @property
    def worst(self) -> CountedDoubt | None:
        """The most frequent of the gravest doubts."""
        order = GRAVEST_FIRST.index
        return min(self.doubts, key=lambda one: (order(one.severity), -one.count), default=None)

    @property
    def is_readable(self) -> bool:
        return self.state in ("whole", "part")


@dataclass(frozen=True)
class MeasureRow:
    """One estimate of a result."""

    place: str
    rid: str
    treatment: str
    load: float
    load_kind: str
    measure: str
    unit: str
    value: float
    low: float | None
    high: float | None
    blocks: int


def rid_of(entry: StudyEntry) -> str:
    """Returns the name of results in addresses: the study's, and a hash of what tells its results apart."""
    identity = f"{entry.hash}\n{entry.seed}\n{entry.created_wall_ns}"
    return f"{entry.name}~{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


def unread_row(place: str, stamp: str, state: State, reason: str) -> CatalogueRow:
    """Returns the row of a folder that cannot be read, or is not one of ours."""
    name = place.rpartition("/")[2] or "root"
    digest = hashlib.sha256(place.encode(errors="surrogateescape")).hexdigest()[:8]
    return CatalogueRow(place, stamp, f"{line(name, 80)}~{digest}", state, line(reason))


def read_rows(path: Path, place: str, stamp: str) -> tuple[CatalogueRow, list[MeasureRow]]:
    """Returns what the catalogue says of a results folder. A folder that cannot be read gives a row with the
    reason.
    """
    folder = ResultsFolder(path)
    try:
        entry = read_entry(folder)
    except AssayError as error:
        return unread_row(place, stamp, "broken", error.message), []
    rid = rid_of(entry)
    try:
        found = standing(folder)
        if found.damaged is not None:
            return _broken(place, stamp, rid, entry, found.damaged), []
        if not found.complete:
            return _begun(folder, place, stamp, rid, entry, found.planned, found.failed), []
        summary = summary_of(folder)
        row = _row(folder, summary, place, stamp, rid, entry, found.planned, found.failed)
        return row, list(_measures(summary, place, rid))
    except AssayError as error:
        return _broken(place, stamp, rid, entry, error.message), []
    except Exception as error:  # a folder that nobody foresaw must not hide all others
        return _broken(place, stamp, rid, entry, f"{type(error).__name__}: {error}"), []


def _broken(place: str, stamp: str, rid: str, entry: StudyEntry, reason: str) -> CatalogueRow:
    return CatalogueRow(
        place, stamp, rid, "broken", line(reason), study=entry.name, created_ns=entry.created_wall_ns
    )


def _begun(
    folder: ResultsFolder, place: str, stamp: str, rid: str, entry: StudyEntry, planned: int, failed: int
) -> CatalogueRow:
    return CatalogueRow(
        place, stamp, rid, "part", study=entry.name, created_ns=entry.created_wall_ns,
        runs_planned=planned, failed=failed, is_live=is_live(folder),
    )  # fmt: skip


def _row(
    folder: ResultsFolder,
    summary: ResultsSummary,
    place: str,
    stamp: str,
    rid: str,
    entry: StudyEntry,
    planned: int,
    failed: int,
) -> CatalogueRow:
    looks = read_looks(folder)
    last = looks.seen[-1].outcomes if looks is not None and looks.seen else {}
    is_whole = summary.runs + failed >= planned
    return CatalogueRow(
        place=place,
        stamp=stamp,
        rid=rid,
        state="whole" if is_whole else "part",
        study=entry.name,
        titles=tuple(summary.titles.items()),
        created_ns=entry.created_wall_ns,
        ended_ns=summary.ended_ns,
        hosts=summary.hosts,
        servers=summary.servers,
        workloads=summary.workloads,
        treatments=summary.treatments,
        blocks=summary.blocks,
        blocks_planned=summary.blocks_planned,
        runs=summary.runs,
        runs_planned=planned,
        failed=failed,
        claims=tuple((text, last.get(text, "")) for text in summary.claims),
        looked=bool(last),
        gates=summary.gates,
        gate=_gate(folder, is_whole=is_whole) if summary.gates else "",
        doubts=summary.doubts,
        headline=summary.headline,
        is_live=is_live(folder),
    )


def _gate(folder: ResultsFolder, *, is_whole: bool) -> str:
    """Returns the outcome of gates, judged again from results that were looked at."""
    if not is_whole or not is_looked_at(folder):
        return NO_LOOK
    with judged(folder) as found:
        gated = gate_of_judged(found)
    return NO_LOOK if gated is None else gated.outcome


def is_live(folder: ResultsFolder) -> bool:
    """Returns whether a run is being carried out in the folder, or was when its lab died."""
    return folder.runs.is_dir() and any(folder.runs.glob(".*.unfinished"))


def _measures(summary: ResultsSummary, place: str, rid: str) -> Iterator[MeasureRow]:
    for one in summary.estimates:
        yield MeasureRow(
            place, rid, one.treatment, one.load, summary.load_kind, one.measure, one.unit, one.value, one.low,
            one.high, one.blocks,
        )  # fmt: skip
