"""Makes series of cells from many results folders: one value a build, relative to a canary where there is
one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import numpy as np

from assay.design.study import Conditions
from assay.experiments.history.reading import OF_BLOCKS, OF_LEVELS, OF_RATIOS, Build, Cell
from assay.measurement.calibration import Noise
from assay.results.stats import LEAST_CHANGE, bound_of_equals, geometric_interval, noise_between

Order = Literal["build", "date"]


@dataclass(frozen=True)
class Point:
    """A build's value: the geometric mean over blocks. `low`, `high`: 95 % interval; None for one block."""

    build: str  # as it is called here; with the beginning of its sha256 where a version has several
    use: str  # as a study names it
    started_ns: int
    value: float  # in the unit of the series, or a ratio to the canary
    low: float | None
    high: float | None
    logs: tuple[float, ...]  # of each block
    folders: tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """Values of one measure over builds. `canary`: the build to which each value is a ratio; None: plain
    levels.

    Levels include changes of the host and hold for one version of the engine; ratios within the same blocks
    include neither. `where` has what all values share.
    """

    where: Conditions
    measure: str
    unit: str
    canary: str | None
    points: tuple[Point, ...]
    noise: tuple[Noise, ...] = ()  # of equal copies that ran as the builds did

    @property
    def identity(self) -> tuple[str, ...]:
        """The texts that tell it from any other series, by which series are ordered."""
        of, load = self.where, f"{self.where.load:020.6f}"
        return (
            *(of.workload, of.configuration, of.study, of.host, of.load_kind, load),
            *(self.measure, self.flavour, self.canary or "", self.engine),
        )

    @property
    def flavour(self) -> str:
        """The flavour of its builds."""
        return self.where.server_flavour or "server"

    @property
    def engine(self) -> str:
        """The version that measured; empty for ratios, of any version."""
        return self.where.engine

    @property
    def least(self) -> float:
        """The smallest change that counts: 2 %, or what noise alone makes of two values of one build.

        The noise is that of equal copies where `assay aa` has found it, otherwise that between the blocks of
        a build. Copies share their blocks, but levels of different days do not: for these, the larger of the
        two counts.
        """
        between = noise_between([point.logs for point in self.points])
        if not self.noise:
            return max(LEAST_CHANGE, between)
        degrees = sum(one.degrees for one in self.noise)
        log_sd = math.sqrt(sum(one.degrees * one.log_sd**2 for one in self.noise) / degrees)
        blocks = round(float(np.median([len(point.logs) for point in self.points])))
        if self.canary is None:
            return max(LEAST_CHANGE, between, bound_of_equals(log_sd, degrees, blocks))
        # A ratio to the canary has the noise of both.
        return max(LEAST_CHANGE, bound_of_equals(math.sqrt(2) * log_sd, degrees, blocks))


class _Key(NamedTuple):
    """The properties that the values of one series share."""

    where: Conditions
    measure: str
    unit: str
    canary: str | None


Parts = Sequence[tuple[Cell, Mapping[int, float]]]
"""Cells with the value of each block: their own, or ratios to the canary's."""


def series_of(cells: Iterable[Cell], order: Order, canary: str | None) -> list[Series]:
    """Returns the series in the cells. By build, several folders give a build one value; by date each gives
    its own.

    `canary` names a build; values of blocks in which it ran too become ratios to it.
    """
    there = list(cells)
    canaries = {_place(one): one for one in there if canary and one.build.is_named(canary, one.use)}
    groups: dict[_Key, list[tuple[Cell, Mapping[int, float]]]] = defaultdict(list)
    for one in there:
        beside = canaries.get(_place(one))
        if beside is one:
            continue
        if beside is not None and (common := one.blocks.keys() & beside.blocks.keys()):
            ratios = {block: one.blocks[block] / beside.blocks[block] for block in common}
            key = _Key(one.where.only(OF_RATIOS), one.measure, "", str(beside.build))
            groups[key].append((one, ratios))
        else:
            key = _Key(one.where.only(OF_LEVELS), one.measure, one.unit, None)
            groups[key].append((one, one.blocks))
    labels = _labels([one.build for one in there])
    return [
        Series(*key, points=_points(parts, order, labels), noise=_noise(parts))
        for key, parts in groups.items()
    ]


def _noise(parts: Parts) -> tuple[Noise, ...]:
    return tuple(dict.fromkeys(noise for one, _ in parts for noise in one.noise))


def _place(cell: Cell) -> tuple[object, ...]:
    return cell.folder, cell.where.only(OF_BLOCKS), cell.measure


def _labels(builds: Sequence[Build]) -> dict[Build, str]:
    """Returns the name of each build, with its binary's hash where one version has several."""
    several = defaultdict(set)
    for one in builds:
        several[str(one)].add(one)
    return {
        one: str(one) if len(several[str(one)]) == 1 else f"{one} ({(one.sha256 or 'unknown')[:8]})"
        for one in builds
    }


def _points(parts: Parts, order: Order, labels: Mapping[Build, str]) -> tuple[Point, ...]:
    by_value: dict[object, list[tuple[Cell, Mapping[int, float]]]] = defaultdict(list)
    for one, blocks in parts:
        by_value[one.build if order == "build" else (one.build, one.folder)].append((one, blocks))
    found = [(_point(alike, order, labels), alike[0][0].build.numbers) for alike in by_value.values()]
    if order == "date":
        return tuple(sorted((point for point, _ in found), key=lambda point: point.started_ns))
    ordered = sorted(found, key=lambda pair: (pair[1], pair[0].started_ns))
    return tuple(point for point, _ in ordered)


def _point(parts: Parts, order: Order, labels: Mapping[Build, str]) -> Point:
    values = [value for _, blocks in parts for value in blocks.values()]
    found = geometric_interval(values)
    first = min((one for one, _ in parts), key=lambda one: one.started_ns)
    label = labels[first.build]
    return Point(
        build=label if order == "build" else f"{label}, {_moment(first.started_ns)}",
        use=first.use,
        started_ns=first.started_ns,
        value=found.value,
        low=found.low,
        high=found.high,
        logs=tuple(float(log) for log in np.log(values)),
        folders=tuple(dict.fromkeys(one.folder for one, _ in parts)),
    )


def _moment(wall_ns: int) -> str:
    return datetime.fromtimestamp(wall_ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S")
