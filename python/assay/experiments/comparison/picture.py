"""Draws a comparison: both sides along one axis, each as a share of its own best."""

from __future__ import annotations

from assay.base.errors import InputError
from assay.experiments.comparison.comparing import GridComparison
from assay.experiments.comparison.grid import Grid
from assay.reporting.report import Chart, PanelPoint, load_words, panels, to_svg

_MOST_MEASURES = 4


def picture(found: GridComparison, language: str = "en") -> str:
    """Returns an SVG document: for each measure, of the first four, a panel a side, on one scale from 0 to
    100 %.

    A side's figures are shares of its own largest, so that shapes can be compared where sizes cannot. All
    levels are drawn, also those that only one side has. Raises InputError where there is no axis to follow.
    """
    if found.along is None:
        raise InputError("cannot draw a picture: no axis has two levels in common")
    words = load_words(language)
    points = []
    for measure in found.measures[:_MOST_MEASURES]:
        for side, grid in enumerate((found.left, found.right)):
            title = f"{words.measure(measure)}: {grid.name}"
            points += _points(found, grid, side, measure, title)
    along = found.along.name
    title = words.get(f"load.{along}", along)
    spec = panels(points, title, words("chart.share-of-largest"), same_scale=True)
    return to_svg(Chart("", "comparison", "", "", spec, points))


def _points(found: GridComparison, grid: Grid, side: int, measure: str, title: str) -> list[PanelPoint]:
    fixed, axes = found.matched.fixed[side], found.matched.axes
    own = {
        levels: figure.value
        for (name, levels), figure in grid.cells.items()
        if name == measure and all(levels[number] == level for number, level in fixed.items())
    }
    most = max((value for value in own.values()), default=0.0)
    if most <= 0:
        return []
    points = []
    for levels, value in own.items():
        called, x = [], ""
        for axis in axes:
            number = axis.left if side == 0 else axis.right
            level = next((pair[0] for pair in axis.levels if pair[side] == levels[number]), levels[number])
            if axis is found.along:
                x = level
            else:
                called.append(f"{axis.name}={level}")
        points.append(PanelPoint(title, ", ".join(called) or measure, x, 100 * value / most))
    return points
