"""The cells of a latency heat map: rows of equal height on a logarithmic axis, the same in every display."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.base.tally.histogram import Histogram

CELLS = 64
ROWS_A_DECADE = 12
LOWEST_MS = 0.01
"""Upper edge of the first cell of a heat map is one row above this; the last cell has all that is slower."""

EDGES_MS: tuple[float, ...] = tuple((LOWEST_MS * 10 ** (np.arange(1, CELLS) / ROWS_A_DECADE)).tolist())
"""Between each cell and the next."""

_EDGES_NS = [edge * 1e6 for edge in EDGES_MS]


def cells_of_times(histogram: Histogram) -> tuple[int, list[int]]:
    """Returns the number of the first cell that is not empty, and the counts from there to the last such one.

    The histogram has at least one value, in ns.
    """
    cells = histogram.counts_between(_EDGES_NS)
    used = [number for number, count in enumerate(cells) if count]
    return used[0], cells[used[0] : used[-1] + 1]


def percentile_of_cells(counts: Mapping[int, int], share: float) -> float:
    """Returns a percentile in ms from the counts of cells by their number: interpolated on the logarithmic
    axis within the cell that holds it, so it is off by less than a cell, 21 %.

    There is at least one count. The last cell has no upper edge, and gives its lower one.
    """
    rank, before = share * sum(counts.values()), 0
    for number in sorted(counts):
        inside = counts[number]
        if before + inside >= rank and inside:
            part = (rank - before) / inside if number < CELLS - 1 else 0.0
            return float(LOWEST_MS * 10.0 ** ((number + part) / ROWS_A_DECADE))
        before += inside
    return EDGES_MS[-1]
