"""The rows of the catalogue: what the shelf says of a results folder without opening it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb

from assay.calibration import host_class_of
from assay.errors import AssayError
from assay.folder import ResultsFolder, StudyEntry, read_entry, read_looks
from assay.lab import Judged, figures_of, standing
from assay.printable import line

State = Literal["whole", "part", "broken", "foreign"]
"""`whole`: every planned run has ended. `part`: runs are missing. `broken`: a file cannot be read.
`foreign`: not results of a study.
"""

_GRAVEST_FIRST = ("invalid", "warning", "note")


@dataclass(frozen=True)
class DoubtCount:
    """How many doubts of a kind a result has."""

    severity: str
    kind: str
    count: int


@dataclass(frozen=True)
class Spark:
    """The headline measure of a result: of its first treatment over the load points, or of its treatments
    where there is one load point.
    """

    measure: str
    unit: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class CatalogueRow:
    """One folder. `place` is its path below the root, `stamp` the state of its files when they were read.

    `claims` are the study's claims with their outcome at the last look that was taken; a catalogue takes
    none.
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
    doubts: tuple[DoubtCount, ...] = ()
    spark: Spark | None = None
    is_live: bool = False

    @property
    def worst(self) -> DoubtCount | None:
        """The most frequent of the gravest doubts."""
        order = _GRAVEST_FIRST.index
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
        with figures_of(folder) as judged:
            row = _row(judged, place, stamp, rid, entry, found.planned, found.failed)
            return row, list(_measures(judged, place, rid))
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
    found: Judged, place: str, stamp: str, rid: str, entry: StudyEntry, planned: int, failed: int
) -> CatalogueRow:
    study, results, store = found.study, found.results, found.store
    looks = read_looks(found.folder)
    last = looks.seen[-1].outcomes if looks is not None and looks.seen else {}
    complete, ended = store.execute(
        "SELECT count(*) FILTER (WHERE status = 'complete'), max(ended_ns) FROM runs"
    ).fetchall()[0]
    counts = Counter((one.severity, one.kind) for one in results.doubts)
    return CatalogueRow(
        place=place,
        stamp=stamp,
        rid=rid,
        state="whole" if complete + failed >= planned else "part",
        study=entry.name,
        titles=tuple(study.title.items()),
        created_ns=entry.created_wall_ns,
        ended_ns=ended or 0,
        hosts=tuple(_hosts(store)),
        servers=tuple(_servers(store)),
        workloads=tuple(study.workloads),
        treatments=results.treatments,
        blocks=results.blocks_complete,
        blocks_planned=results.blocks_planned,
        runs=complete,
        runs_planned=planned,
        failed=failed,
        claims=tuple((one.text, last.get(one.text, "")) for one in study.hypotheses),
        looked=bool(last),
        gates=len(study.gates),
        doubts=tuple(DoubtCount(*kind, count) for kind, count in counts.items()),
        spark=_spark(found),
        is_live=is_live(found.folder),
    )


def is_live(folder: ResultsFolder) -> bool:
    """Returns whether a run is being carried out in the folder, or was when its lab died."""
    return folder.runs.is_dir() and any(folder.runs.glob(".*.unfinished"))


def _hosts(store: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yields the class of each host, each once."""
    rows = store.execute(
        "SELECT DISTINCT processor, max(value) FILTER (WHERE key = 'cpu.logical'),"
        " max(value) FILTER (WHERE key = 'memory.total_bytes')"
        " FROM runs LEFT JOIN facts USING (run_id) WHERE imported IS NULL"
        " AND (scope IS NULL OR (scope = 'host' AND moment = 'before')) GROUP BY run_id, processor"
    ).fetchall()
    yield from dict.fromkeys(host_class_of(*row) for row in rows)


def _servers(store: duckdb.DuckDBPyConnection) -> Iterator[str]:
    rows = store.execute(
        "SELECT DISTINCT coalesce(server_flavour, 'server'), server_version FROM runs"
        " WHERE server_version IS NOT NULL ORDER BY ALL"
    ).fetchall()
    yield from (f"{flavour} {version}" for flavour, version in rows)


def _spark(found: Judged) -> Spark | None:
    results, measure = found.results, found.study.subject.throughput
    values = {(one.treatment, one.load): one for one in results.estimates if one.measure == measure}
    if not values or not results.treatments:
        return None
    if len(results.loads) > 1:
        places: Sequence[tuple[str, float]] = [(results.treatments[0], load) for load in results.loads]
    else:
        places = [(name, load) for name in results.treatments for load in results.loads]
    shown = [values[place] for place in places if place in values]
    return Spark(measure, shown[0].unit, tuple(one.value for one in shown)) if shown else None


def _measures(found: Judged, place: str, rid: str) -> Iterator[MeasureRow]:
    kind = found.results.load_kind
    for one in found.results.estimates:
        yield MeasureRow(
            place, rid, one.treatment, one.load, kind, one.measure, one.unit, one.value, one.low, one.high,
            len(one.blocks),
        )  # fmt: skip
