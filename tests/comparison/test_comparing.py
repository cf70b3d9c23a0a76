"""Two grids beside each other, by figures that can be checked by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from assay.comparison import Grid, GridAxis, GridFigure, compare
from assay.published import published_reports

TABLES = [table for report in published_reports() for table in report.tables]
THREADS = GridAxis("threads", ("8", "16", "32", "64"))
NUMA = GridAxis("numa", ("off", "on"))


def grid(
    axes: tuple[GridAxis, ...], rows: Mapping[tuple[str, ...], float], name: str = "a", **more: object
) -> Grid:
    """A grid of tps."""
    cells = {("tps", place): GridFigure(value) for place, value in rows.items()}
    return Grid(name, axes, cells, {"tps": "1/s"}, ("tps",), **more)  # type: ignore[arg-type]


def ladder(*values: float, name: str = "a") -> Grid:
    return grid((THREADS,), {(x,): y for x, y in zip(THREADS.levels, values, strict=True)}, name)


def test_cells_have_ratios_left_over_right() -> None:
    found = compare(ladder(10, 30, 20, 40), ladder(1, 2, 4, 8))
    assert [one.ratio for one in found.cells] == pytest.approx([10, 15, 5, 5])
    assert [one.levels for one in found.cells] == [((x, x),) for x in THREADS.levels]
    assert all(one.low is None for one in found.cells)


def test_shapes_have_ranks_best_and_knee() -> None:
    (shape,) = compare(ladder(10, 30, 20, 31), ladder(1, 2, 3, 1.5)).shapes
    assert shape.points == 4
    assert shape.best == ("64", "32")
    assert shape.knee == ("16", "32")  # 30 is more than 95 % of 31
    assert shape.ranks is not None
    # ranks 1 3 2 4 and 1 3 4 2: the squares of their differences add up to 8
    assert shape.ranks.spearman == pytest.approx(1 - 6 * 8 / 60)
