"""Published tables as charts: their axes, and when a line or a bar is drawn."""

from __future__ import annotations

import pytest
from assay.base.errors import InputError
from assay.experiments.comparison.published import (
    PublishedTable,
    draw_table,
    find_table,
    published_reports,
    table_and_measures,
)
from assay.reporting.report import PanelPoint, panels, to_svg

DRAWN = [table for report in published_reports() for table in report.tables if table.cells]


@pytest.mark.parametrize("table", DRAWN, ids=lambda table: table.id)
def test_every_table_of_figures_can_be_drawn_a_measure_at_a_time(table: PublishedTable) -> None:
    for measure in table.measures:
        numbers = [one.value for one in table.cells if one.measure == measure.name and one.value is not None]
        if numbers:
            chart = draw_table(table, [measure.name])
            assert [point.value for point in chart.records] == numbers


@pytest.mark.long
def test_a_ladder_is_drawn_as_lines_a_panel_each_measure() -> None:
    chart = draw_table(find_table("002_02"), language="zh")
    first = chart.spec["concat"][0]
    assert [one["title"]["text"] for one in chart.spec["concat"]][:2] == [
        "事务吞吐量（次/秒）",
        "查询吞吐量（次/秒）",
    ]
    assert first["encoding"]["x"]["scale"]["type"] == "log"
    assert [row["x"] for row in first["data"]["values"]] == [8, 16, 32, 64, 128, 256, 512] * 2
    svg = to_svg(chart)
    assert svg.startswith("<svg")
    assert "numa=off" in svg


def test_the_measures_of_the_reports_own_charts_are_drawn() -> None:
    titles = [one["title"]["text"] for one in draw_table(find_table("003_01")).spec["concat"]]
    assert titles == ["Throughput, queries (1/s)", "Mean latency (ms)", "Load average (tasks)"]


def test_words_on_the_axis_are_bars_from_zero() -> None:
    (panel,) = draw_table(find_table("000_03")).spec["concat"]
    assert panel["encoding"]["x"]["type"] == "nominal"
    assert panel["layer"][0]["mark"]["type"] == "bar"
    (far,) = draw_table(find_table("000_09"), ["p90_rt"]).spec["concat"]  # from 0.2 s to 21.6 s
    assert far["layer"][0]["encoding"]["y"]["scale"] == {"zero": True}


def test_series_far_apart_have_a_logarithmic_axis_of_lines_only() -> None:
    def scale(other: float) -> str:
        points = [PanelPoint("p", s, x, y) for s, y in (("a", 1.0), ("b", other)) for x in "124"]
        return str(panels(points, "x")["concat"][0]["layer"][1]["encoding"]["y"]["scale"].get("type"))

    assert (scale(20.0), scale(40.0), scale(0.0)) == ("None", "log", "None")


def test_one_scale_for_all_panels() -> None:
    points = [PanelPoint(p, "s", x, y) for p, y in (("a", 1.0), ("b", 100.0)) for x in "124"]
    own = [one["layer"][1]["encoding"]["y"] for one in panels(points, "x", same_scale=True)["concat"]]
    assert own[0] == own[1]
    with pytest.raises(ValueError, match="at least one point"):
        panels([], "x")


@pytest.mark.parametrize(
    ("table", "measures", "said"),
    [
        ("002_space_usage", (), "has settings, not figures"),
        ("002_02", ("p99",), "has no measure 'p99'"),
        ("000_06", (), "a picture holds 8"),
        ("000_09", ("mix_check",), "prints no number"),
    ],
)
def test_what_cannot_be_drawn_is_said(table: str, measures: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        draw_table(find_table(table), measures)


def test_a_chart_is_drawn_by_its_name() -> None:
    table, measures = table_and_measures("bp24G_cpu12_load")
    assert (table.id, measures) == ("003_02", ("cpu_load",))
    assert table_and_measures("003_02")[0] is table
    for name, said in (("innodb_rw", "none of its figures survive"), ("mysql_params", "several tables")):
        with pytest.raises(InputError, match=said):
            table_and_measures(name)
