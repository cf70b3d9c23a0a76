"""Draws the runs in the order of time: drift and trouble of the machine are seen at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, ratio_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.order import OrderPoint, order
from assay.reporting.report.treatment_labels import labels_of

LANES = {"throughput": 170, "canary": 70}
LEAST = 1.02  # the smallest reach of a lane from 1: noise of a thousandth must not look like drift


def draw(material: Material) -> Chart | None:
    """Returns each run's throughput to its treatment's mean, over the canary's cost in the same run."""
    points = order(material)
    if not points:
        return None
    words = material.words
    lanes = [lane for lane in LANES if any(point.lane == lane for point in points)]
    spec: Spec = {
        "vconcat": [_lane(material, lane, points, last=lane == lanes[-1]) for lane in lanes],
        "bounds": "flush",
        "spacing": 26,
    }
    parts = {"runs": True, "canary": "canary" in lanes}
    said, method = caption(words, parts), words("chart.order-method")
    return Chart("runs", "order", words("chart.order"), said, spec, points, folded=True, method=method)


def _lane(material: Material, lane: str, points: Sequence[OrderPoint], *, last: bool) -> Spec:
    here = [point for point in points if point.lane == lane]
    labels, first = labels_of(material), lane == "throughput"
    reach = max(LEAST, *(max(point.ratio, 1 / point.ratio) for point in here))
    scale, ticks = ratio_scale([1 / reach, reach], 5 if first else 3)
    x: Spec = {
        "field": "number",
        "type": "quantitative",
        "scale": {"domain": [0, max(point.number for point in points) + 1], "nice": False},
        "axis": {
            "title": material.words("chart.order-axis") if last else None,
            "labels": last,
            "ticks": last,
            "grid": False,
            "tickMinStep": 1,
        },
    }
    y: Spec = {
        "type": "quantitative",
        "scale": scale,
        "axis": figures(material.words(f"chart.order-{lane}"), values=ticks),
    }
    return {
        "width": style.WIDTH,
        "height": LANES[lane],
        "data": values(labels.rows(here)),
        "layer": [
            {
                "data": values([{"one": 1}]),
                "mark": {"type": "rule", "color": style.AXIS},
                "encoding": {"y": {**y, "field": "one"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "ratio"},
                    "color": style.colour(labels.names, legend=first, title=labels.header),
                    "shape": style.shape(labels.names, legend=first, title=labels.header),
                },
            },
        ],
    }
