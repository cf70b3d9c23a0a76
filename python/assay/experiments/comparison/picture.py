"""Draws the shapes of a comparison: both sides in one panel a series, each as a share of its own best."""

from __future__ import annotations

from assay.base.errors import InputError
from assay.experiments.comparison.comparing import GridComparison
from assay.reporting.report import Chart, PanelPoint, Words, load_words, panels, to_svg

_MOST_MEASURES = 4
_MOST_PANELS = 12


def picture(found: GridComparison, language: str = "en") -> str:
    """Returns an SVG document: for each measure, of the first four, and each series a panel with both sides,
    linear from 0, all on the same axes.

    A line's figures are shares of its own largest, so that shapes can be compared where sizes cannot. All
    levels are drawn, also those that only one side has. Raises InputError where there is no axis to follow.
    """
    if found.along is None:
        raise InputError("cannot draw a picture: no axis has two levels in common")
    words = load_words(language)
    points = [
        point
        for measure in found.measures[:_MOST_MEASURES]
        for point in sorted(
            (one for side in (0, 1) for one in _points(found, side, measure, words)),
            key=lambda one: one.panel,
        )
    ]
    shown = list(dict.fromkeys(point.panel for point in points))[:_MOST_PANELS]
    points = [point for point in points if point.panel in shown]
    along = found.along.name
    title = words.get(f"load.{along}", along)
    spec = panels(points, title, words("chart.share-of-largest"), same_scale=True)
    return to_svg(Chart("", "comparison", "", "", spec, points))


def _points(found: GridComparison, side: int, measure: str, words: Words) -> list[PanelPoint]:
    """Returns the lines of one side, in percent of the largest value of each."""
    grid = (found.left, found.right)[side]
    fixed, axes = found.matched.fixed[side], found.matched.axes
    lines: dict[str, dict[str, float]] = {}
    for (name, levels), figure in grid.cells.items():
        if name != measure or any(levels[number] != level for number, level in fixed.items()):
            continue
        called, x = [], ""
        for axis in axes:
            number = axis.left if side == 0 else axis.right
            level = next((pair[0] for pair in axis.levels if pair[side] == levels[number]), levels[number])
            if axis is found.along:
                x = level
            else:
                called.append(f"{axis.name}={level}")
        lines.setdefault(", ".join(called), {})[x] = figure.value
    title = words.measure(measure)
    return [
        PanelPoint(f"{title} · {series}" if series else title, grid.name, x, 100 * value / max(line.values()))
        for series, line in lines.items()
        if max(line.values()) > 0
        for x, value in line.items()
    ]
