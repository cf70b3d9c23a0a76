"""The course of a measure within its window, second by second: parts of it, and summaries.

A figure of a part is what it would be if the part had been measured alone: a rate is the mean over its time,
and a percentile or a mean of times is that of the merged histograms of its seconds. Neither is ever a mean of
the figures of seconds, in which a stall of a second would count as little as any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from assay.base.tally import SHARES, Histogram, WindowTimes, decode_many, merge
from assay.design.study import parted
from assay.design.study.claims import Summary, Window
from assay.results.verdict.decision import Floats

Cell = tuple[str, float]  # treatment, load
CoursesOf = Callable[[str], Mapping[Cell, Mapping[int, "Course"]]]

_COLUMNS = ("tps", "qps", "read_mib_per_s", "write_mib_per_s")
_TIMES: Mapping[str, float | None] = {
    "mean_ms": None,
    **{f"{p}_ms": SHARES[p] for p in ("p50", "p95", "p99")},
}
"""Columns of times, with the share of each that is a percentile."""
_GAUGES = {
    "run_queue": ("cpu", "procs_running"),
    "load_average": ("cpu", "load_1m"),
    "server_rss_mib": ("processes", "server.rss_bytes"),
}
_SCALES = {"server_rss_mib": 2.0**-20}
_LARGEST = ("server_rss_mib",)
"""Gauges of which a stretch has its largest value, not its mean: what must be there is the most."""


@dataclass(frozen=True)
class Slice:
    """One of `count` equal parts of a stretch of the window, 0 for the first."""

    number: int
    count: int
    of: Window | None = None


@dataclass(frozen=True)
class TimesByInterval:
    """The times of operations by interval, of which a figure is made when a part is chosen.

    `share` is that of a percentile; None for the mean. `histograms` has None where nothing ended; a run that
    another tool measured has none (`is_printed`), but the figures that it printed and the operations of each
    interval. `lost` is the number of operations of the window that never ended: each may be of any part.
    """

    share: float | None
    histograms: Sequence[Histogram | None]
    operations: Floats
    is_printed: bool = False
    lost: int = 0


@dataclass(frozen=True)
class Course:
    """The course of a measure: `values` from `begin_s` on, each for `seconds`, in seconds since the window
    began.

    `moments` has the times of named events. `timed` is there where the measure is one of times. `largest`:
    its figure is the largest value, not the mean.
    """

    begin_s: Floats
    seconds: Floats
    values: Floats
    moments: Mapping[str, float]
    timed: TimesByInterval | None = None
    largest: bool = False

    def figure(self) -> tuple[float, bool] | None:
        """Returns the measure over the whole course, and whether the true value may be any above; None where
        nothing ended in it, or only percentiles of its intervals are known.
        """
        if self.largest:
            return float(self.values.max()), False
        if self.timed is None:
            return float(self.values @ self.seconds / self.seconds.sum()), False
        of = self.timed
        if of.is_printed:
            some = of.operations > 0
            if of.share is None and some.any():
                return float(self.values[some] @ of.operations[some] / of.operations[some].sum()), False
            return (float(self.values[0]), False) if self.values.size == 1 and some.all() else None
        there = [one for one in of.histograms if one is not None]
        if not there:
            return None
        times = WindowTimes(merge(there), lost=of.lost)
        found = times.mean if of.share is None else times.percentile(of.share)
        return found.ms, found.at_least

    def part(self, window: Window | Slice) -> Course | None:
        """Returns the course within a part of the window; None where it has no values, or its moment never
        came.
        """
        if isinstance(window, Slice):
            whole = self if window.of is None else self.part(window.of)
            return None if whole is None else whole.slice(window.number, window.count)
        end = float((self.begin_s + self.seconds).max()) if self.begin_s.size else 0.0
        edge = self.moments.get(window.edge) if isinstance(window.edge, str) else window.edge
        if edge is None:
            return None
        low, high = {
            "first": (0.0, edge),
            "last": (end - edge, end),
            "before": (0.0, edge),
            "after": (edge, end),
        }[window.side]
        middle = self.begin_s + self.seconds / 2
        inside = (middle >= low) & (middle <= high)
        if not inside.any():
            return None
        return self._at(np.flatnonzero(inside))

    def _at(self, places: NDArray[np.intp]) -> Course:
        timed = self.timed
        if timed is not None:
            some = [timed.histograms[place] for place in places] if timed.histograms else []
            timed = replace(timed, histograms=some, operations=timed.operations[places])
        return replace(
            self,
            begin_s=self.begin_s[places],
            seconds=self.seconds[places],
            values=self.values[places],
            timed=timed,
        )

    def slice(self, number: int, count: int) -> Course | None:
        """Returns one of `count` equal parts; None where there are fewer values than parts."""
        if self.values.size < count:
            return None
        return self._at(np.array_split(np.arange(self.values.size), count)[number])

    @property
    def operations(self) -> float:
        """How many operations its times are of; without end where it has none."""
        return float("inf") if self.timed is None else float(self.timed.operations.sum())

    def pieces(self, every_s: float) -> list[Course]:
        """Returns the whole slices of a given length."""
        number = ((self.begin_s - self.begin_s.min() + self.seconds / 2) // every_s).astype(int)
        full = [at for at in np.unique(number) if self.seconds[number == at].sum() >= 0.9 * every_s]
        return [self._at(np.flatnonzero(number == at)) for at in full]

    def summary(self, of: Summary) -> float | None:
        """Returns one figure computed from those of slices of a given length; None below two whole slices,
        and where one of them has no figure.
        """
        if of.every_s is None:
            return None
        figures = [piece.figure() for piece in self.pieces(of.every_s)]
        if len(figures) < 2 or None in figures:
            return None
        means = np.array([one[0] for one in figures if one is not None])
        match of.statistic:
            case "cv":
                return float(100 * means.std(ddof=1) / means.mean()) if means.mean() else None
            case "sd":
                return float(means.std(ddof=1))
            case "median":
                return float(np.median(means))
            case "max":
                return float(means.max())
            case "min":
                return float(means.min())


def courses(store: duckdb.DuckDBPyConnection) -> CoursesOf:
    """Returns a function that reads a measure's course in every block of every cell, once, when it is asked
    for.
    """
    known: dict[str, Mapping[Cell, Mapping[int, Course]]] = {}

    def of(measure: str) -> Mapping[Cell, Mapping[int, Course]]:
        if measure not in known:
            known[measure] = _read(store, measure)
        return known[measure]

    return of


def _read(store: duckdb.DuckDBPyConnection, measure: str) -> Mapping[Cell, Mapping[int, Course]]:
    kind, whole = parted(measure)
    if kind is None and whole in _TIMES:
        return _read_times(store, whole)
    if kind is None and whole in _COLUMNS:
        query, given = f"SELECT treatment, load, block, t_s, seconds, {whole} FROM intervals", ()
        query += f" WHERE phase = 'measure' AND {whole} IS NOT NULL ORDER BY t_s"
        rows = store.execute(query, given).fetchall()
    else:
        source, name = ("kinds", kind) if kind and whole == "tps" else _sampled(measure)
        rows = store.execute(
            "SELECT r.treatment, r.load, r.block, r.t_s, 1.0, r.value FROM rates r"
            " JOIN rungs g ON g.run_id = r.run_id AND g.rung = r.rung"
            " WHERE r.source = ? AND r.name = ? AND r.t_s >= 0 AND r.t_s < g.elapsed_s ORDER BY r.t_s",
            (source, name),
        ).fetchall()
    found: dict[Cell, dict[int, list[tuple[float, float, float]]]] = defaultdict(lambda: defaultdict(list))
    for treatment, load, block, t_s, seconds, value in rows:
        found[treatment, load][block].append((t_s, seconds, value * _SCALES.get(measure, 1.0)))
    moments = _moments(store)
    largest = measure in _LARGEST
    return {
        cell: {
            block: replace(_course(points, moments.get((*cell, block), {})), largest=largest)
            for block, points in blocks.items()
        }
        for cell, blocks in found.items()
    }


def _read_times(store: duckdb.DuckDBPyConnection, measure: str) -> Mapping[Cell, Mapping[int, Course]]:
    """Returns the courses of times, with the seconds in which nothing ended."""
    rows = store.execute(
        f"SELECT i.treatment, i.load, i.block, i.t_s, i.seconds, i.{measure}, coalesce(i.tps, 0) * i.seconds,"
        " i.hdr, r.imported IS NOT NULL,"
        " coalesce(g.abandoned, 0) + coalesce(g.dropped, 0)"
        " FROM intervals i JOIN rungs g ON g.run_id = i.run_id AND g.rung = i.rung"
        " JOIN runs r ON r.run_id = i.run_id WHERE i.phase = 'measure' ORDER BY i.t_s"
    ).fetchall()
    found: dict[Cell, dict[int, list[tuple[Any, ...]]]] = defaultdict(lambda: defaultdict(list))
    for treatment, load, block, *point in rows:
        found[treatment, load][block].append(tuple(point))
    moments = _moments(store)
    return {
        cell: {
            block: _course_of_times(points, _TIMES[measure], moments.get((*cell, block), {}))
            for block, points in blocks.items()
        }
        for cell, blocks in found.items()
    }


def _course_of_times(
    points: list[tuple[Any, ...]], share: float | None, moments: Mapping[str, float]
) -> Course:
    begins, seconds, values, operations, texts, printed, lost = zip(*points, strict=True)
    decoded = iter(decode_many([text for text in texts if text is not None]))
    timed = TimesByInterval(
        share,
        [None if text is None else next(decoded) for text in texts],
        np.array([0.0 if value is None else count for value, count in zip(values, operations, strict=True)]),
        is_printed=bool(printed[0]),
        lost=int(lost[0]),
    )
    filled = [np.nan if value is None else value for value in values]
    return Course(_floats(begins), _floats(seconds), _floats(filled), moments, timed)


def _floats(values: Sequence[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def _course(points: list[tuple[float, float, float]], moments: Mapping[str, float]) -> Course:
    begin, seconds, values = np.array(points, dtype=np.float64).T
    return Course(begin, seconds, values, moments)


def _sampled(measure: str) -> tuple[str, str]:
    """Returns the source and the name of a measure's samples."""
    if measure.startswith("status."):
        return "status", measure.removeprefix("status.").partition(" ")[0]
    return _GAUGES.get(measure, ("", ""))


def _moments(store: duckdb.DuckDBPyConnection) -> Mapping[tuple[str, float, int], Mapping[str, float]]:
    """Returns the moments that experiments noted, and the first second in which the buffer pool was full.

    A server that has innodb_lru_scan_depth keeps as many pages of each instance free, by throwing others
    out: a pool with no more free ones is full.
    """
    found: dict[tuple[str, float, int], dict[str, float]] = defaultdict(dict)
    full = (
        "WITH kept AS (SELECT run_id, max(value::DOUBLE) FILTER (key = 'variables.innodb_lru_scan_depth')"
        " * coalesce(max(value::DOUBLE) FILTER (key = 'variables.innodb_buffer_pool_instances'), 1) AS pages"
        " FROM facts WHERE scope = 'server' AND moment = 'before' AND key IN"
        " ('variables.innodb_lru_scan_depth', 'variables.innodb_buffer_pool_instances') GROUP BY run_id)"
        " SELECT r.treatment, r.load, r.block, 'full_pool', min(r.t_s)"
        " FROM rates r LEFT JOIN kept k ON k.run_id = r.run_id WHERE r.source = 'status'"
        " AND r.name = 'Innodb_buffer_pool_pages_free' AND r.value <= coalesce(k.pages, 0) AND r.t_s >= 0"
        " GROUP BY ALL"
    )
    for query in ("SELECT treatment, load, block, name, t_s FROM moments", full):
        for treatment, load, block, name, t_s in store.execute(query).fetchall():
            found[treatment, load, block][name] = t_s
    return found
