"""Draws the answer picture: every treatment by load, with its name, value and ratio written beside it.

It stands beside the first sentence of the page and is as narrow as a telephone: names and figures are written
where the lines end, in place of a legend.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reporting.report.charts import answer_lines, answer_rows
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.material import Material
from assay.reporting.report.readings import measure_title
from assay.reporting.report.records.answer import AnswerPoint, answer_points

SECTION = "summary"
MOST_LINES = 8
"""Up to so many treatments are lines by load; of more there is a row each at the highest load."""
MOST_ROWS = 10


def draw(material: Material) -> Chart | None:
    """Returns the answer picture; None where nothing was measured."""
    points = answer_points(material)
    if not points:
        return None
    words, first = material.words, points[0]
    of_treatments = not material.results.workloads and material.results.screening is None
    loads = {point.load for point in points}
    is_by_load = of_treatments and len(loads) > 1 and len({p.treatment for p in points}) <= MOST_LINES
    if is_by_load:
        spec, said = answer_lines.spec(material, points), [words("chart.answer-lines")]
    else:
        of_last = [point for point in points if point.load == max(loads)]
        points = _most_different(of_last)
        spec, said = answer_rows.spec(material, points), []
        if len(points) < len(of_last):
            said.append(words("chart.answer-some", shown=len(points), count=len(of_last)))
    if any(point.has_interval for point in points):
        said.append(words("chart.answer-bars"))
    title = words("chart.answer", measure=measure_title(material, first.measure))
    return Chart(SECTION, "answer", title, words.sentences(said), spec, points)


def _most_different(points: Sequence[AnswerPoint]) -> list[AnswerPoint]:
    """Returns as many points as there is room for, in their order: the baseline, and those with the ratios
    farthest from 1.
    """
    if len(points) <= MOST_ROWS:
        return list(points)
    farthest = sorted(points, key=lambda one: -abs(math.log(one.ratio)) if one.ratio else -math.inf)
    chosen = farthest[:MOST_ROWS]
    return [point for point in points if point in chosen]
