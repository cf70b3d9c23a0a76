"""Percentiles out of the cells of a heat map."""

from __future__ import annotations

import numpy as np
import pytest
from assay.base.tally import CELLS, EDGES_MS, ROWS_A_DECADE, percentile_of_cells


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_percentile_of_cells_is_off_by_less_than_a_cell(share: float) -> None:
    times = np.random.default_rng(5).lognormal(1.0, 0.8, 5000)
    numbers, counts = np.unique(np.searchsorted(EDGES_MS, times), return_counts=True)
    found = percentile_of_cells(dict(zip(numbers.tolist(), counts.tolist(), strict=True)), share)
    exact = float(np.quantile(times, share))
    assert abs(np.log10(found / exact)) < 1 / ROWS_A_DECADE


def test_what_is_slower_than_the_map_counts_as_its_end() -> None:
    assert percentile_of_cells({CELLS - 1: 3}, 0.5) == pytest.approx(EDGES_MS[-1])
