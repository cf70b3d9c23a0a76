"""Writes what stands in the answer picture: names, values, ratios, titles of axes."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base import numbers
from assay.base.numbers import AT_LEAST
from assay.reporting.report.charts import style
from assay.reporting.report.material import Material
from assay.reporting.report.readings import measure_title
from assay.reporting.report.records.answer import AnswerPoint

PLOT = 250  # pixels of the plot's width
LINE = 15  # pixels of a line of letters
FAR = 10.0
"""Treatments that differ more than so many times at one load are drawn on a logarithmic axis."""
_UNIT_IN_NAME = ("qps", "tpmc", "iops")


def name_lines(name: str, width: int) -> list[str]:
    """Returns a name in as many lines as it needs; none of it is cut off."""
    return [line.strip() for line in style.broken(name, width)] if name else []


def value(point: AnswerPoint) -> str:
    """Returns a point's value with the digits that its interval justifies; empty for none."""
    if point.value is None:
        return ""
    shown = numbers.ends(point.value, point.low, point.high)
    return f"{AT_LEAST if point.at_least else ''}{shown[0] if shown else numbers.number(point.value)}"


def ratio(point: AnswerPoint, *, ends: bool = True) -> str:
    """Returns a point's ratio with its interval, `×1.12 [1.10–1.14]`; empty where nothing was compared."""
    if point.ratio is None:
        return ""
    shown = numbers.ratio_ends(point.ratio, point.ratio_low, point.ratio_high)
    if shown is None:
        return f"×{numbers.ratio(point.ratio)}"
    return f"×{shown[0]} [{shown[1]}–{shown[2]}]" if ends else f"×{shown[0]}"


def axis_title(material: Material, point: AnswerPoint) -> str:
    """Returns the measure with its unit, as a title."""
    title = measure_title(material, point.measure)
    unit = "" if point.measure in _UNIT_IN_NAME else material.words.unit(point.unit)
    return material.words.with_unit(title, unit)


def far_apart(points: Sequence[AnswerPoint]) -> bool:
    """Returns whether treatments differ so much at one load that the small ones would lie on the axis."""
    by_load: dict[float, list[float]] = {}
    for point in points:
        if point.value is None or point.value <= 0:
            return False
        by_load.setdefault(point.load, []).append(point.value)
    return any(max(of) / min(of) > FAR for of in by_load.values())
