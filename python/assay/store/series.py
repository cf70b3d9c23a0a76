"""Samples of one source as arrays, and what becomes of them: rates of counters, values of gauges.

A name that ends in `_total` is a cumulative counter; any other is a gauge. Rates drop the ending.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.folder import read_samples
from assay.store.damage import damaged

COUNTER = "_total"

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Series:
    """Readings of one source: `values[i, j]` is `names[j]` at `wall_ns[i]`; nan where it was not read."""

    source: str
    names: list[str]
    wall_ns: Ints
    values: Floats

    def columns(self) -> Iterator[tuple[str, Ints, Floats]]:
        """(name, times, values) without the readings that were missed."""
        for name, column in zip(self.names, self.values.T, strict=True):
            known = np.isfinite(column)
            if known.all():
                yield name, self.wall_ns, column
            else:
                yield name, self.wall_ns[known], column[known]

    def between(self, start_ns: int, end_ns: int) -> Series:
        """The readings inside a stretch of time."""
        inside = (self.wall_ns >= start_ns) & (self.wall_ns <= end_ns)
        return Series(self.source, self.names, self.wall_ns[inside], self.values[inside])

    def rates(self, origin_ns: int) -> Iterator[tuple[str, Floats, Floats]]:
        """(name, seconds since `origin_ns`, value): counters per second between two readings, and gauges.

        A rate stands at the later of its two readings; one that went backwards (a restart) is left out.
        """
        for name, times, values in self.columns():
            seconds = (times - origin_ns) / 1e9
            if not name.endswith(COUNTER):
                yield name, seconds, values
            elif values.size > 1:
                steps = np.diff(values)
                forward = steps >= 0
                rate = steps / np.diff(seconds)
                yield name.removesuffix(COUNTER), seconds[1:][forward], rate[forward]

    def growth(self) -> dict[str, float]:
        """Counter (without `_total`) -> how far it moved from the first to the last reading."""
        if self.wall_ns.size < 2:
            return {}
        moved = self.values[-1] - self.values[0]
        return {
            name.removesuffix(COUNTER): by
            for name, by in zip(self.names, moved.tolist(), strict=True)
            if name.endswith(COUNTER) and by >= 0
        }

    def means(self) -> dict[str, float]:
        """Gauge -> mean of its readings."""
        if not self.wall_ns.size:
            return {}
        return {
            name: float(values.mean())
            for name, _, values in self.columns()
            if values.size and name[-6:] != COUNTER
        }


def read_series(path: Path) -> Series:
    """The samples in a file. Raises `InputError` when it is damaged."""
    try:
        samples = list(read_samples(path))
    except msgspec.DecodeError as error:
        raise damaged(path, path.parents[1], error) from error
    wall = np.array([sample.wall_ns for sample in samples], dtype=np.int64)
    names = list(samples[0].values) if samples else []
    if all(list(sample.values) == names for sample in samples):
        values = np.array([list(sample.values.values()) for sample in samples], dtype=np.float64)
        return Series(path.stem, names, wall, values.reshape(wall.size, len(names)))
    names = list(dict.fromkeys(name for sample in samples for name in sample.values))
    values = np.array([[sample.values.get(name, np.nan) for name in names] for sample in samples])
    return Series(path.stem, names, wall, values)
