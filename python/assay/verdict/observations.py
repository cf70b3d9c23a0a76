"""All measures of a study, read once: one value a treatment, block, load and measure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from assay.study import HIGHER_IS_BETTER, MEASURES, LoadKind, parted

Blocks = Mapping[int, float]  # block -> value
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """A treatment at a load point."""

    treatment: str
    load: float
    load_kind: LoadKind = "threads"

    @property
    def at(self) -> str:
        """The load as people say it: "at 8 threads", "at 500/s"."""
        if self.load_kind == "rate":
            return f"at {self.load:g}/s"
        if self.load_kind == "iodepth":
            return f"at a depth of {self.load:g}"
        return f"at {self.load:g} thread{'' if self.load == 1 else 's'}"

    def __str__(self) -> str:
        return f"{self.treatment} {self.at}"


@dataclass(frozen=True)
class Observations:
    """`values[measure, treatment, load]` holds the blocks; units by measure, those a claim may name first."""

    values: Mapping[tuple[str, str, float], Blocks]
    units: Mapping[str, str]

    def blocks(self, measure: str, treatment: str, load: float) -> Blocks:
        """Empty when nothing was measured there."""
        return self.values.get((measure, treatment, load), {})

    def paired(
        self, measure: str, one: Place, other: Place, others_measure: str | None = None
    ) -> tuple[Floats, Floats]:
        """Values at two places in the blocks that have both, in order of block; None: of the same measure."""
        first = self.blocks(measure, one.treatment, one.load)
        second = self.blocks(others_measure or measure, other.treatment, other.load)
        common = sorted(first.keys() & second.keys())
        return np.array([first[b] for b in common]), np.array([second[b] for b in common])


def read_observations(store: duckdb.DuckDBPyConnection) -> Observations:
    """Every measure of every complete run."""
    values: dict[tuple[str, str, float], dict[int, float]] = defaultdict(dict)
    found: dict[str, str] = {}
    query = "SELECT measure, treatment, load, block, value, unit FROM measures ORDER BY measure, block"
    for measure, treatment, load, block, value, unit in store.execute(query).fetchall():
        values[measure, treatment, load][block] = value
        found.setdefault(measure, unit)
    known = [measure for measure in MEASURES if measure in found]
    units = {measure: found[measure] for measure in (*known, *(m for m in found if m not in MEASURES))}
    return Observations(values, units)


def higher_is_better(measure: str) -> bool:
    """True for throughput; latencies, errors, waits and costs are better when lower."""
    return parted(measure)[1] in HIGHER_IS_BETTER
