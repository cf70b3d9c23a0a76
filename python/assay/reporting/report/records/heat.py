"""Records of a latency heat map: how the times of one block's operations were spread, second by second."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.base.tally import EDGES_MS, LOWEST_MS, percentile_of_cells
from assay.reporting.report.material import Material

COLUMNS = 180
"""The largest number of columns of a heat map, of all its treatments together: more would be too narrow to
see.
"""
FEWEST = 30


@dataclass(frozen=True)
class HeatCell:
    """The operations of one column of time whose times lie between two edges.

    `t_s` is the begin, in seconds from the start of the measured window (warm-up is negative); `share` is of
    the column's operations, and `max_ms` the longest time in it. `p50_ms` and `p99_ms` of the column come
    from its cells: they are off by less than a cell, 21 %.
    """

    treatment: str
    run_id: str
    load: float
    t_s: float
    seconds: float
    warmup: bool
    low_ms: float
    high_ms: float
    operations: int
    share: float
    p50_ms: float
    p99_ms: float
    max_ms: float


def heat(
    material: Material, load: float, block: int, treatments: Sequence[str] | None = None
) -> list[HeatCell]:
    """Returns the cells of one block at one load point, of these treatments; by default of all of the study,
    in its order.

    Where there are too many seconds, neighbours of one phase are added, never averaged.
    """
    rows = material.rows(
        "select treatment, run_id, phase, t_s, seconds, max_ms, first, counts from heat"
        " where load = ? and block = ? and phase in ('warmup', 'measure') order by t_s",
        (load, block),
    )
    by_treatment = {
        treatment: [row for row in rows if row["treatment"] == treatment]
        for treatment in treatments or material.results.treatments
    }
    longest = max(map(len, by_treatment.values()), default=0)
    shown = sum(map(bool, by_treatment.values()))
    together = math.ceil(longest / max(FEWEST, COLUMNS // shown)) if shown else 1
    return [
        cell
        for found in by_treatment.values()
        for column in _columns(found, together)
        for cell in _cells(column, load)
    ]


def _columns(rows: Sequence[Mapping[str, Any]], together: int) -> Iterator[list[Mapping[str, Any]]]:
    for phase in ("warmup", "measure"):
        of_phase = [row for row in rows if row["phase"] == phase]
        for start in range(0, len(of_phase), together):
            yield of_phase[start : start + together]


def _cells(column: Sequence[Mapping[str, Any]], load: float) -> Iterator[HeatCell]:
    counts: Counter[int] = Counter()
    for row in column:
        counts.update({row["first"] + at: count for at, count in enumerate(row["counts"]) if count})
    first, last, operations = column[0], column[-1], counts.total()
    max_ms = max(row["max_ms"] for row in column)
    p50_ms, p99_ms = (min(percentile_of_cells(counts, share), max_ms) for share in (0.5, 0.99))
    for number in sorted(counts):
        yield HeatCell(
            treatment=first["treatment"],
            run_id=first["run_id"],
            load=load,
            t_s=first["t_s"],
            seconds=last["t_s"] + last["seconds"] - first["t_s"],
            warmup=first["phase"] == "warmup",
            low_ms=EDGES_MS[number - 1] if number else LOWEST_MS,
            # The last cell has all that is slower.
            high_ms=EDGES_MS[number] if number < len(EDGES_MS) else max(max_ms, EDGES_MS[-1] * 1.01),
            operations=counts[number],
            share=counts[number] / operations,
            p50_ms=p50_ms,
            p99_ms=p99_ms,
            max_ms=max_ms,
        )


def columns(cells: Sequence[HeatCell]) -> list[HeatCell]:
    """Returns one cell of each column, for what is the same in all of them."""
    return list({(cell.treatment, cell.t_s): cell for cell in cells}.values())
