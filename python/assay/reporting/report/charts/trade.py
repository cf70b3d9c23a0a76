"""Draws tail latency against throughput, as a path along the load."""

from __future__ import annotations

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.trade import trade

LABELLED = 3  # the loads of more treatments would cover each other


def draw(material: Material) -> Chart | None:
    """Returns one path a treatment: where it turns upwards, more load buys latency alone."""
    points, words = trade(material), material.words
    if not points:
        return None
    treatments = material.results.treatments
    scale, ticks = log_scale([point.p99_ms for point in points])
    x: Spec = {
        "field": "throughput_per_s",
        "type": "quantitative",
        "scale": {"zero": True, "nice": True},
        "axis": figures(words.with_unit(words.measure(material.throughput), words.unit("1/s")), tickCount=6),
    }
    y: Spec = {
        "field": "p99_ms",
        "type": "quantitative",
        "scale": scale,
        "axis": figures(words.with_unit(words.measure("p99_ms"), "ms"), values=ticks),
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {
                "order": {"field": "load", "type": "quantitative"},
                "strokeDash": style.dash(treatments),
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {"shape": style.shape(treatments)},
        },
    ]
    if len(treatments) <= LABELLED:
        label = {"type": "text", "dy": -10, "fontSize": 10.5}
        layers.append(
            {"mark": label, "encoding": {"text": {"field": "load", "type": "quantitative", "format": "~r"}}}
        )
    spec: Spec = {
        "data": values([vars(point) for point in points]),
        "width": style.WIDTH,
        "height": 300,
        "encoding": {"x": x, "y": y, "color": style.colour(treatments)},
        "layer": layers,
    }
    caption = words("chart.trade-caption", load=words(f"load.{material.results.load_kind}"))
    return Chart("results", "trade", words("chart.trade"), caption, spec, points)
