"""Draws tail latency against throughput, as a path along the load."""

from __future__ import annotations

from assay.reporting.report.charts import ends, style
from assay.reporting.report.charts.axes import figures, level_scale, log_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.trade import trade
from assay.reporting.report.treatment_labels import labels_of

LABELLED = 3  # the loads of more treatments would cover each other
HEIGHT = 300


def draw(material: Material) -> Chart | None:
    """Returns one path a treatment: where it turns upwards, more load buys latency alone."""
    points, words = trade(material), material.words
    if not points:
        return None
    labels = labels_of(material)
    names, at_ends = labels.names, ends.have_room(labels)
    width = style.WIDTH - (ends.room(labels) if at_ends else 0)
    y_scale, y_ticks = log_scale([point.p99_ms for point in points])
    x_scale, x_ticks = level_scale([point.throughput_per_s for point in points])
    x: Spec = {
        "field": "throughput_per_s",
        "type": "quantitative",
        "scale": x_scale,
        "axis": figures(
            words.with_unit(words.measure(material.throughput), words.unit("1/s")), values=x_ticks
        ),
    }
    y: Spec = {
        "field": "p99_ms",
        "type": "quantitative",
        "scale": y_scale,
        "axis": figures(words.with_unit(words.measure("p99_ms"), "ms"), values=y_ticks),
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {
                "order": {"field": "load", "type": "quantitative"},
                "strokeDash": style.dash(names),
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {"shape": style.shape(names, legend=not at_ends, title=labels.header)},
        },
    ]
    is_labelled = len(names) <= LABELLED
    if is_labelled:
        label = {"type": "text", "dy": -10, "fontSize": 10.5}
        layers.append(
            {"mark": label, "encoding": {"text": {"field": "load", "type": "quantitative", "format": "~r"}}}
        )
    if at_ends:
        last = {point.treatment: point.p99_ms for point in sorted(points, key=lambda point: point.load)}
        layers += ends.ends(last, labels, y, width=width, height=HEIGHT)
    spec: Spec = {
        "data": values(labels.rows(points)),
        "width": width,
        "height": HEIGHT,
        "encoding": {
            "x": x,
            "y": y,
            "color": style.colour(names, legend=not at_ends, title=labels.header),
        },
        "layer": layers,
    }
    parts = {"paths": True, "loads-at-points": is_labelled}
    first, last_load = (material.load_words(pick(point.load for point in points)) for pick in (min, max))
    said = caption(
        words, parts, first=first, last=last_load, load=words(f"load.{material.results.load_kind}")
    )
    method = words("chart.trade-method")
    return Chart("results", "trade", words("chart.trade"), said, spec, points, method=method)
