"""Draws the limits of claims and gates as labelled rules on the charts that show their measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.base.numbers import number
from assay.base.tally import SHARES
from assay.reporting.report.charts import style
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.records.limits import Limit
from assay.reporting.report.words import Words

REACH = 2.0
"""A limit so many times beyond what was measured is not drawn: it would press everything else together."""
DASH = [8, 3, 2, 3]
_SIGNS = {">=": "≥", "<=": "≤", "~": "≈", "!~": "≉"}
PERCENTILES = {f"{name}_ms": 1 / (1 - share) for name, share in SHARES.items()}
"""One operation in so many takes longer than the measure."""


def within_reach(found: Iterable[Limit], seen: Iterable[float], *, from_zero: bool = True) -> list[Limit]:
    """Returns the limits near the values that a chart shows; on an axis from zero also those far below."""
    shown = [value for value in seen if value > 0]
    if not shown:
        return []
    low, high = (0.0 if from_zero else min(shown) / REACH), REACH * max(shown)
    return [one for one in found if low <= one.value <= high]


def said(one: Limit) -> str:
    """Returns a limit as its label: `≥ 0.97`."""
    return f"{_SIGNS.get(one.relation, one.relation)} {number(one.value)}"


def caption(drawn: Sequence[Limit], every: Sequence[Limit], words: Words) -> str:
    """Returns what the rules are, and which limits lie beyond the picture; empty without limits."""
    beyond = [one for one in every if one not in drawn]
    return words.sentences(
        words(f"chart.limits{ending}", limits=words.clauses(_named(some, words)))
        for ending, some in (("", drawn), ("-beyond", beyond))
        if some
    )


def rules(found: Sequence[Limit], channel: str, axis: Spec, words: Words, *, end: int) -> list[Spec]:
    """Returns the layers of rules across a plot, at right angles to `channel`, y or x, whose encoding is
    `axis`; labels stand at the `end` of a rule, in pixels.
    """
    rows: dict[float, list[str]] = {}
    for one in found:
        label = f"{said(one)} · {words(f'chart.limit-{one.source}')}"
        if label not in rows.setdefault(one.value, []):
            rows[one.value].append(label)
    if not rows:
        return []
    other = "x" if channel == "y" else "y"
    data = values([{"limit": value, "label": ", ".join(labels)} for value, labels in rows.items()])
    place = {**axis, "field": "limit"}
    far = {"value": "width" if other == "x" else "height"}
    ink = {"value": style.INK}
    text = {"type": "text", "fontSize": 10, "align": "right", "baseline": "bottom", "dy": -2, "dx": -2}
    if channel == "x":
        text |= {"angle": 270, "baseline": "top", "dx": -2, "dy": 3}
    return [
        {
            "data": data,
            "mark": {"type": "rule", "strokeDash": DASH, "strokeWidth": 1.2},
            "encoding": {channel: place, other: {"value": 0}, f"{other}2": far, "color": ink},
        },
        {
            "data": data,
            "mark": text,
            "encoding": {
                channel: place,
                other: {"value": end},
                "text": {"field": "label"},
                "color": ink,
            },
        },
    ]


def objectives(found: Sequence[Limit], x: Spec, y: Spec, words: Words) -> list[Spec]:
    """Returns the layers of limits of percentiles on a plot of latency by tail: a rule from the left to the
    percentile that must not lie above it, or below.
    """
    rows = {
        (one.measure, one.value): f"{words.measure(one.measure)} {said(one)}"
        f" · {words(f'chart.limit-{one.source}')}"
        for one in found
    }
    if not rows:
        return []
    data = values(
        [
            {"ms": value, "least": 1, "one_in": PERCENTILES[measure], "label": label}
            for (measure, value), label in rows.items()
        ]
    )
    ink = {"value": style.INK}
    at = {"x": {**x, "field": "one_in"}, "y": {**y, "field": "ms"}, "color": ink}
    return [
        {
            "data": data,
            "mark": {"type": "rule", "strokeDash": DASH, "strokeWidth": 1.2},
            "encoding": {**at, "x": {**x, "field": "least"}, "x2": {"field": "one_in"}},
        },
        {"data": data, "mark": {"type": "point", "shape": "diamond", "size": 50}, "encoding": at},
        {
            "data": data,
            "mark": {
                "type": "text",
                "fontSize": 10,
                "align": "left",
                "baseline": "bottom",
                "dx": 4,
                "dy": -2,
            },
            "encoding": {**at, "x": {"value": 0}, "text": {"field": "label"}},
        },
    ]


def ticks(
    rows: Sequence[tuple[str, Limit]], x: Spec, y: Spec, words: Words, *, step: int, middle: float
) -> list[Spec]:
    """Returns the layers of limits of ratios: each as a rule through its own row, with its label in the first
    row of each, to the left of rules beyond the `middle` of the axis.
    """
    labelled: dict[str, str] = {}
    marks: dict[tuple[str, float], str] = {}
    for row, one in rows:
        label = f"{said(one)} · {words(f'chart.limit-{one.source}')}"
        is_first = labelled.setdefault(label, row) == row
        marks[row, one.value] = label if is_first else marks.get((row, one.value), "")
    if not marks:
        return []
    ink = {"value": style.INK}
    at = {"x": {**x, "field": "limit"}, "y": {**y, "field": "row"}, "color": ink}
    data = [{"row": row, "limit": value, "label": label} for (row, value), label in marks.items()]
    layers: list[Spec] = [
        {
            "data": values(data),
            "mark": {"type": "tick", "orient": "vertical", "size": step, "thickness": 1.6, "opacity": 1},
            "encoding": at,
        }
    ]
    for align, dx in (("left", 4), ("right", -4)):
        beyond = align == "right"
        rows_here = [
            {"row": row, "limit": value, "label": label}
            for (row, value), label in marks.items()
            if label and (value > middle) == beyond
        ]
        text = {"type": "text", "align": align, "fontSize": 9, "dx": dx, "dy": 6 - step / 2}
        encoding = {**at, "text": {"field": "label"}}
        layers.append({"data": values(rows_here), "mark": text, "encoding": encoding})
    return layers


def _named(found: Sequence[Limit], words: Words) -> list[str]:
    names = {(said(one), one.source, one.claim) for one in found}
    return [
        words(f"chart.limit-of-{source}", limit=limit, claim=claim) for limit, source, claim in sorted(names)
    ]
