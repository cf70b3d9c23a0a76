"""Writes planted figures as rows of the store, as runs with these measures would have left them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

import duckdb
import numpy as np
from numpy.typing import NDArray

from assay.design.folder import ResultsFolder
from assay.design.study.claims import Window
from assay.results.store import columns, tables
from assay.results.store.parts import PREFIX, STUDY, VERSION, Index, part_of, write_index
from assay.results.store.tables import TABLES
from assay.results.store.views import DERIVED
from assay.testing.planted.ground import Ground, Levels, Spot, name_of
from assay.testing.planted.wants import SLOTS, Course, Figures

Rows = dict[str, list[dict[str, object]]]
Floats = NDArray[np.float64]

BLOCKS = 6
SECOND = 1_000_000_000
FULL_POOL_S = 600.0
"""Seconds after which the buffer pool has no free page."""
_WINDOW_S, _STEP_S, _SLICE_S = 1200.0, 20.0, 10.0
_ELSEWHERE = 100.0
"""Value of every treatment in parts of the window that a claim does not name."""
_COUNTER, _FACT, _CRASHES = "status.", "fact.", "crashes"
_PLAIN = {"tps": 100.0, "qps": 2000.0}
"""Throughput where a claim plants none."""


class PlantedStore:
    """A store in memory, with the tables and views of a results folder's store."""

    def __init__(self) -> None:
        self.connection = duckdb.connect(":memory:", config={"threads": 1})
        self._filled: set[str] = set()
        self._register({name: [] for name in TABLES})
        for name, query in DERIVED.items():
            self.connection.execute(f"CREATE TEMP VIEW {name} AS {query}")

    def fill(self, rows: Rows) -> duckdb.DuckDBPyConnection:
        """Replaces all rows of the store with these."""
        self._register({name: [] for name in self._filled} | rows)
        self._filled = set(rows)
        return self.connection

    def _register(self, rows: Mapping[str, list[dict[str, object]]]) -> None:
        for name, found in rows.items():
            self.connection.register(name, columns.table(TABLES[name], found))


def write_store(rows: Rows, folder: ResultsFolder) -> None:
    """Writes the rows as the files of a results folder's store."""
    place = folder.store / f"{PREFIX}planted"
    place.mkdir(parents=True)
    files = tables.Rows(place)
    for name, found in rows.items():
        files.extend(name, (tuple(row.get(column) for column in TABLES[name]) for row in found))
    files.close()
    write_index(folder.store, Index(VERSION, [part_of({STUDY: "planted"}, place)]))


def rows_of(figures: Figures, ground: Ground, *, noise: float, seed: int = 1) -> Rows:
    """Returns a run of every treatment in every block. `noise` is the standard deviation of a run's
    logarithm.

    Over the blocks of each spot the noise has a mean of zero, so that the mean is the planted value.
    """
    random = np.random.default_rng(seed)
    spots = {**figures.courses, **dict.fromkeys(figures.exact)}
    by_block: dict[Spot, list[Course]] = {}
    for spot, course in spots.items():
        if course is None:
            value, last = figures.exact[spot]
            by_block[spot] = [Course(value)] * (BLOCKS - 1) + [Course(last)]
            continue
        luck = random.normal(0.0, 1.0, BLOCKS)
        luck = noise * (luck - luck.mean()) / luck.std(ddof=1)
        swings = random.normal(0.0, 1.0, BLOCKS)
        swings = noise * (swings - swings.mean()) / swings.std(ddof=1)
        by_block[spot] = [
            replace(
                course,
                level=course.level * up,
                swing=course.swing * wide,
                growth=None if course.growth is None else course.growth * up,
            )
            for up, wide in zip(np.exp(luck).tolist(), np.exp(swings).tolist(), strict=True)
        ]
    rows: Rows = defaultdict(list)
    for block in range(1, BLOCKS + 1):
        for position, treatment in enumerate(ground.treatments, start=1):
            mine = {spot: of[block - 1] for spot, of in by_block.items() if spot.treatment == treatment}
            _run(rows, treatment, ground, block, position, mine)
    return dict(rows)


def _run(
    rows: Rows,
    treatment: Levels,
    ground: Ground,
    block: int,
    position: int,
    courses: Mapping[Spot, Course],
) -> None:
    name, start = name_of(treatment), (block * 1000 + position) * SECOND
    run = {"run_id": f"b{block:02}-{position:02}", "treatment": name, "block": block}
    failed = any(spot.measure == _CRASHES and course.level > 0 for spot, course in courses.items())
    status = "failed" if failed else "complete"
    rows["runs"].append(
        {**run, "position": position, "status": status, "started_ns": start, "ended_ns": start + SECOND}
    )
    for factor, level in treatment:
        rows["levels_by_run"].append({"treatment": name, "factor": factor, "level": level})
    for spot, course in courses.items():
        if spot.measure.startswith(_FACT):
            key = spot.measure.removeprefix(_FACT)
            fact = {"run_id": run["run_id"], "scope": "run", "moment": "after", "key": key}
            rows["facts"].append({**fact, "value": repr(course.level)})
    for number, load in enumerate(ground.loads, start=1):
        here = {**run, "rung": number, "load": load}
        there = {spot: course for spot, course in courses.items() if spot.load == load}
        seconds, step = _length(there)
        rows["rungs"].append({**here, "kind": ground.kind, "elapsed_s": seconds, "complete": True})
        if failed:
            continue
        rows["measures"] += [
            {**here, "measure": measure, "unit": "", "value": value} for measure, value in _measures(there)
        ]
        for measure in dict.fromkeys(spot.measure for spot in there):
            of = {spot.window: course for spot, course in there.items() if spot.measure == measure}
            if any(window or course.swing or course.growth for window, course in of.items()):
                _series(rows, here, measure, of, seconds, step)


def _measures(courses: Mapping[Spot, Course]) -> Iterator[tuple[str, float]]:
    whole = {spot.measure: course.level for spot, course in courses.items() if spot.window is None}
    rates = {name: whole.get(name, usual) for name, usual in _PLAIN.items()}
    for measure, value in whole.items():
        if measure.startswith(_COUNTER):
            name, _, by = measure.removeprefix(_COUNTER).partition(" per ")
            queries = {"query": 1.0, "s": rates["qps"], "transaction": rates["qps"] / rates["tps"]}[by]
            yield f"{name}_per_query", value / queries
        elif not measure.startswith(_FACT) and measure != _CRASHES:
            yield measure, value
    if "mean_ms" in whole:  # connections = tps x mean time
        rates["tps"] = next(spot.load for spot in courses) / whole["mean_ms"] * 1000
        beside = {"max_ms": 2 * whole["mean_ms"], "tps": rates["tps"]}
        yield from ((name, value) for name, value in beside.items() if name not in whole)
    elif any(measure.startswith(_COUNTER) for measure in whole):
        yield from ((name, rate) for name, rate in rates.items() if name not in whole)


def _length(courses: Mapping[Spot, Course]) -> tuple[float, float]:
    """Returns the seconds of the window, and the seconds between two of its figures."""
    if all(spot.window is None for spot in courses):
        return SLOTS * _SLICE_S, 1.0
    return _WINDOW_S, _STEP_S


def _series(
    rows: Rows,
    here: Mapping[str, object],
    measure: str,
    of: Mapping[Window | None, Course],
    seconds: float,
    step: float,
) -> None:
    times = np.arange(0.0, seconds, step)
    values = np.full(times.size, _ELSEWHERE)
    for window, course in of.items():
        inside = _inside(window, times + step / 2, seconds)
        values[inside] = _figures(course, times[inside])
    kind, _, name = measure.rpartition(".")
    if kind:
        rows["rate_series"].append(
            {**here, "source": "kinds", "name": kind, "t_s": times.tolist(), "value": values.tolist()}
        )
    else:
        rows["intervals"] += [
            {**here, "phase": "measure", "index": number, "t_s": at, "seconds": step, name: value}
            for number, (at, value) in enumerate(zip(times.tolist(), values.tolist(), strict=True))
        ]
    if any(window is not None and window.edge == "full_pool" for window in of):
        rows["rate_series"].append(
            {
                **here,
                "source": "status",
                "name": "Innodb_buffer_pool_pages_free",
                "t_s": [0.0, FULL_POOL_S],
                "value": [10.0, 0.0],
            }
        )


def _inside(window: Window | None, middles: Floats, seconds: float) -> NDArray[np.bool_]:
    if window is None:
        return np.full(middles.size, True)
    edge = FULL_POOL_S if isinstance(window.edge, str) else window.edge
    match window.side:
        case "first" | "before":
            return middles < edge
        case "last":
            return middles > seconds - edge
        case "after":
            return middles > edge


def _figures(course: Course, times: Floats) -> Floats:
    """Returns the course at these times: slices alternate above and below the level, which grows from first
    to last.
    """
    slots = ((times - times[0]) // _SLICE_S).astype(int)
    turns = np.where(slots % 2 == 0, 1.0, -1.0)
    through = (times - times[0]) / max(times[-1] - times[0], 1.0) - 0.5
    growth = np.exp(through * np.log(course.growth or 1.0) / 0.8)
    return np.asarray(course.level * (1 + course.swing * turns) * growth)
