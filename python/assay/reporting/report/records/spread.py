"""Records of how the seconds of one block lie around their median: how steady a treatment is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assay.reporting.report.material import Material
from assay.results.stats import density

MOST = 300
"""The largest number of seconds of a treatment that the chart of steadiness draws."""


@dataclass(frozen=True)
class SecondOfLoad:
    """One interval of the measured window, at `t_s` in seconds from its start.

    `density` is that of the treatment's intervals at this value, relative to where they are densest.
    `stands_for`: so many intervals with neighbouring values are drawn as this one.
    """

    treatment: str
    run_id: str
    load: float
    block: int
    unit: str
    t_s: float
    value: float
    density: float
    stands_for: int


@dataclass(frozen=True)
class Spread:
    """The throughput of all intervals of one treatment's measured window, in operations per second."""

    treatment: str
    run_id: str
    load: float
    block: int
    seconds: int
    lowest: float
    quarter: float
    median: float
    three_quarters: float
    highest: float

    @property
    def middle_half_pct(self) -> float | None:
        """How far the middle half of the intervals reaches, in % of the median."""
        return 100 * (self.three_quarters - self.quarter) / self.median if self.median > 0 else None


@dataclass(frozen=True)
class _Window:
    """The intervals of one treatment: `rows` has time and value, in the order of values."""

    treatment: str
    run_id: str
    rows: Sequence[tuple[float, float]]


def spreads(material: Material, load: float, block: int) -> list[Spread]:
    """Returns the spread of each treatment in one block at one load point."""
    found = []
    for window in _windows(material, load, block):
        ends = np.percentile([value for _, value in window.rows], [0, 25, 50, 75, 100]).tolist()
        found.append(Spread(window.treatment, window.run_id, load, block, len(window.rows), *ends))
    return found


def seconds(material: Material, load: float, block: int) -> list[SecondOfLoad]:
    """Returns the intervals of each treatment in the order of their values.

    Of more than `MOST`, every so-manieth is kept, and the lowest and the highest always.
    """
    return [
        SecondOfLoad(
            window.treatment, window.run_id, load, block, "1/s", t_s, value, float(height), stands_for
        )
        for window in _windows(material, load, block)
        for (t_s, value, stands_for), height in _with_density(window.rows)
    ]


def _windows(material: Material, load: float, block: int) -> Iterator[_Window]:
    rows = material.rows(
        "select treatment, run_id, t_s, tps from intervals"
        " where load = ? and block = ? and phase = 'measure' and tps is not null order by tps, t_s",
        (load, block),
    )
    for treatment in material.results.treatments:
        here = [row for row in rows if row["treatment"] == treatment and math.isfinite(row["tps"])]
        if here:
            yield _Window(treatment, here[0]["run_id"], [(row["t_s"], row["tps"]) for row in here])


def _with_density(
    rows: Sequence[tuple[float, float]],
) -> Iterator[tuple[tuple[float, float, int], np.float64]]:
    step = math.ceil(len(rows) / MOST)
    at = sorted({*range(step // 2, len(rows), step), 0, len(rows) - 1})
    ends = [0, *((one + other + 1) // 2 for one, other in pairwise(at)), len(rows)]
    kept = [(*rows[place], end - start) for place, (start, end) in zip(at, pairwise(ends), strict=True)]
    yield from zip(kept, density([value for _, value in rows], [value for _, value, _ in kept]), strict=True)
