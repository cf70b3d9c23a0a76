"""Arrays of one source's samples, from which rates of counters and means of gauges are computed.

A name that ends in `_total` is a cumulative counter; any other is a gauge. Rates drop the ending.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.base.inner_path import InnerPath
from assay.design.folder import damaged, read_samples

COUNTER = "_total"
_UPTIME = f"Uptime{COUNTER}"
"""A server's own count of seconds since it started."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Series:
    """The readings of one source: `values[i, j]` is `names[j]` at `wall_ns[i]`; nan where it was not read."""

    source: str
    names: list[str]
    wall_ns: Ints
    values: Floats

    def between(self, start_ns: int, end_ns: int) -> Series:
        """Returns the readings from `start_ns` to `end_ns`."""
        inside = (self.wall_ns >= start_ns) & (self.wall_ns <= end_ns)
        return Series(self.source, self.names, self.wall_ns[inside], self.values[inside])

    def rates(self) -> tuple[list[str], Floats]:
        """Returns names without `_total`, and values at the same times: counters per second, gauges
        unchanged.

        A rate is that at the later of its two readings, so the first is nan; so is that of a counter that
        went backwards, because the server started again.
        """
        values = self.values.copy()
        counters = np.array([name.endswith(COUNTER) for name in self.names], dtype=bool)
        steps = np.diff(self.values[:, counters], axis=0)
        steps[steps < 0] = np.nan
        steps[self._began_again()] = np.nan
        values[1:, counters] = steps / (np.diff(self.wall_ns)[:, None] / 1e9)
        values[:1, counters] = np.nan
        return [name.removesuffix(COUNTER) for name in self.names], values

    def growth(self) -> dict[str, float]:
        """Returns how far each counter moved from the first to the last reading, by name without `_total`.

        A counter that went backwards in between is left out, also where it has caught up since: how far it
        moved is not known. So are all of a server that started again.
        """
        if self.wall_ns.size < 2 or self._began_again().any():
            return {}
        moved = self.values[-1] - self.values[0]
        rises = [_rises(column) for column in self.values.T]
        return {
            name.removesuffix(COUNTER): by
            for name, by, only_rises in zip(self.names, moved.tolist(), rises, strict=True)
            if name.endswith(COUNTER) and by >= 0 and only_rises
        }

    def _began_again(self) -> NDArray[np.bool_]:
        """Returns, for each reading but the first, whether the server started since the one before: its other
        counters began anew, wherever they are by now.
        """
        if _UPTIME not in self.names:
            return np.zeros(max(self.wall_ns.size - 1, 0), dtype=bool)
        return np.diff(self.values[:, self.names.index(_UPTIME)]) < 0

    def means(self) -> dict[str, float]:
        """Returns the mean of each gauge's readings."""
        return {name: float(column.mean()) for name, column in self._gauges()}

    def largest(self) -> dict[str, float]:
        """Returns the largest of each gauge's readings."""
        return {name: float(column.max()) for name, column in self._gauges()}

    def _gauges(self) -> Iterator[tuple[str, Floats]]:
        """Yields each gauge with the readings that it has."""
        for number, name in enumerate(self.names):
            column = self.values[:, number] if self.wall_ns.size else np.array([])
            known = column[np.isfinite(column)]
            if known.size and not name.endswith(COUNTER):
                yield name, known


def _rises(column: Floats) -> bool:
    """Returns whether a counter never goes backwards, over readings that it is missing from, too."""
    known = column[np.isfinite(column)]
    return bool((np.diff(known) >= 0).all())


def read_series(path: InnerPath) -> Series:
    """Returns the samples in a file. Raises `InputError` when it is damaged."""
    try:
        samples = list(read_samples(path))
    except (OSError, msgspec.DecodeError) as error:
        raise damaged(path, path.parent.parent.path, error) from error
    wall = np.array([sample.wall_ns for sample in samples], dtype=np.int64)
    names = list(samples[0].values) if samples else []
    if all(list(sample.values) == names for sample in samples):
        values = np.array([list(sample.values.values()) for sample in samples], dtype=np.float64)
        return Series(path.stem, names, wall, values.reshape(wall.size, len(names)))
    names = list(dict.fromkeys(name for sample in samples for name in sample.values))
    values = np.array([[sample.values.get(name, np.nan) for name in names] for sample in samples])
    return Series(path.stem, names, wall, values)
