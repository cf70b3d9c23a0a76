"""Charts are valid documents in every shape of study, and say what the records say."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from assay.reporting.report.charts import build_charts, style
from assay.reporting.report.charts.axes import log_scale
from assay.reporting.report.charts.render import inline, specification, to_svg
from assay.reporting.report.charts.timeline import broken
from assay.reporting.report.material import Material
from assay.reporting.report.records.timeline import TimePoint
from synthetic import make_material

LADDER = (1, 4, 16, 32, 64, 128, 256, 384, 512, 768, 1024)
ALL = [
    "answer",
    "throughput",
    "latency",
    "trade",
    "forest",
    "paired",
    "distribution",
    "ridge",
    "heat",
    "timeline",
    "spread",
    "timeline-machine",
    "costs",
    "order",
]


def without(*names: str) -> list[str]:
    return [name for name in ALL if name not in names]


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ({"treatments": 1, "loads": (8,), "blocks": 1}, without("trade", "forest", "paired", "order")),
        ({"treatments": 2, "loads": (1, 8, 64), "blocks": 3}, ALL),
        ({"treatments": 6, "loads": (16,), "blocks": 2}, without("trade")),
        ({"treatments": 6, "loads": LADDER, "blocks": 1}, without("paired", "order")),
    ],
)
def test_every_shape_draws(tmp_path: Path, shape: dict[str, Any], names: list[str]) -> None:
    charts = build_charts(make_material(tmp_path, **shape))
    assert [chart.name for chart in charts] == names
    folded = [name for name in names if name in ("timeline-machine", "order")]
    assert [chart.name for chart in charts if chart.folded] == folded
    for chart in charts:
        assert chart.records
        if shape["treatments"] == 2:
            continue  # which `written` draws
        root = ET.fromstring(to_svg(chart))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "NaN" not in ET.tostring(root, encoding="unicode")


def test_what_happened_is_named_on_the_time_line(tmp_path: Path) -> None:
    material = make_material(tmp_path, treatments=2, loads=(8,), blocks=1)
    for name, t_s in (("device failed", 3.0), ("rebuild begins", 9.0), ("rebuilt", 9.01), ("killed", 999.0)):
        material.store.execute(
            "insert into moments (run_id, treatment, block, rung, load, name, t_s)"
            " select run_id, treatment, block, rung, load, ?, ? from rungs limit 1",
            [name, t_s],
        )
    (chart,) = [chart for chart in build_charts(material) if chart.name == "timeline"]
    said = [text.text for text in ET.fromstring(to_svg(chart)).iter("{http://www.w3.org/2000/svg}text")]
    # Once, over the panels of one treatment; neither one upon another nor what was after the load.
    names = ("device failed", "rebuild begins", "rebuilt", "killed")
    assert [said.count(name) for name in names] == [1, 1, 0, 0]


def test_a_line_ends_where_its_series_says_nothing() -> None:
    seen = {"loop0": (0, 1, 2, 6, 10, 11, 12), "loop1": (0, 1, 2, 3, 4), "loop2": (5,)}
    points = [
        TimePoint("disk", name, "ms", "a", "r", 8, float(t_s), 1.0, warmup=False)
        for name, at in seen.items()
        for t_s in at
    ]
    drawn = [(row["series"], row["t_s"], row["value"]) for row in broken(points)]
    assert [(name, t_s) for name, t_s, value in drawn if value is None] == [("loop0", 3.0), ("loop0", 7.0)]
    # One alone is a short line.
    assert [t_s for name, t_s, value in drawn if name == "loop0" and 6 <= t_s < 7] == [6.0, 6.5]


def test_files_are_written_for_every_chart(written: Path) -> None:
    for name in ALL:
        for suffix in (".svg", ".zh.svg"):
            root = ET.parse(written / "charts" / f"{name}{suffix}").getroot()
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert "NaN" not in ET.tostring(root, encoding="unicode")
        assert (written / "charts" / f"{name}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        with (written / "charts" / f"{name}.csv").open(encoding="utf-8") as lines:
            assert len(list(csv.reader(lines))) > 1


def test_an_inlined_chart_shares_no_id_with_another() -> None:
    svg = '<svg><clipPath id="clip0"/><g clip-path="url(#clip0)"/></svg>'
    assert inline(svg, "a") == '<svg><clipPath id="a-clip0"/><g clip-path="url(#a-clip0)"/></svg>'


def test_a_log_axis_has_ticks_of_one_two_five_inside_its_domain() -> None:
    scale, ticks = log_scale([1.5, 40.0, 0.0])
    assert ticks == [2, 5, 10, 20]
    assert scale["domain"][0] <= 1.5 < 40 <= scale["domain"][1]


def test_every_colour_has_a_dark_counterpart(material: Material) -> None:
    used = {style.INK, style.MUTED, style.AXIS, style.GRID, style.SHADE, style.PAPER, *style.SERIES}
    used |= {*style.VERDICTS.values(), *style.PARTS.values()}
    assert used == set(style.DARK)
    for chart in build_charts(material):
        fills = set(json.dumps(json.loads(specification(chart))).lower().split('"'))
        assert {part for part in fills if part.startswith("#") and len(part) == 7} <= set(style.DARK)


def test_long_names_are_broken_after_signs() -> None:
    assert style.broken("innodb_purge_threads=4, index=off", 110) == [
        "innodb_purge_",
        "threads=4, ",
        "index=off",
    ]
    assert style.broken("short", 300) == ["short"]


@pytest.mark.long
def test_an_open_loop_shows_response_time_on_a_linear_axis(tmp_path: Path) -> None:
    made = make_material(tmp_path, loads=(500, 1000, 2000), blocks=2)
    made.store.execute("update histograms set kind = 'response'")
    results = replace(made.results, load_kind="rate")
    charts = {chart.name: chart for chart in build_charts(replace(made, results=results))}
    assert list(charts) == ALL
    assert charts["throughput"].spec["encoding"]["x"]["scale"]["type"] == "linear"
    assert {point.kind for point in charts["distribution"].records} == {"response"}
    assert "service time" not in charts["latency"].caption
    for chart in charts.values():
        ET.fromstring(to_svg(chart))
