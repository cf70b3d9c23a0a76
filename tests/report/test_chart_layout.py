"""What charts call treatments, where they put them, and how far their axes reach."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from assay.reporting.report.charts import costs, ends, style, timeline
from assay.reporting.report.charts.axes import level_scale, log_ticks, ratio_scale
from assay.reporting.report.charts.places import load_places
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import CurvePoint
from assay.reporting.report.treatment_labels import named
from assay.testing.specs import units
from synthetic import make_material

LONG = tuple(
    f"ps_mode={a}, performance_schema={b}, fixed=1" for a in ("auto", "disable") for b in ("off", "on")
)


@pytest.mark.parametrize(
    ("treatments", "names", "header", "columns"),
    [
        (("index=off", "index=on"), ["index=off", "index=on"], "", 2),
        (("a=1, b=2", "a=1, b=3"), ["b=2", "b=3"], "", 2),
        (
            LONG,
            ["auto · off", "auto · on", "disable · off", "disable · on"],
            "ps_mode · performance_schema",
            2,
        ),
        (("baseline", "a=1", "b=2"), ["baseline", "a=1", "b=2"], "", 3),
        (("a=1", "a=1, b=2"), ["a=1", "a=1, b=2"], "", 2),
        (("path=/x, y, b=1", "path=/x, z, b=1"), ["path=/x, y", "path=/x, z"], "", 2),
        (("default",), ["default"], "", 1),
        (tuple(f"row {n}" for n in range(1, 9)), [f"row {n}" for n in range(1, 9)], "", 4),
    ],
)
def test_a_label_holds_only_what_differs(
    treatments: tuple[str, ...], names: list[str], header: str, columns: int
) -> None:
    labels = named(treatments)
    assert (labels.names, labels.header, labels.columns) == (names, header, columns)
    assert len(set(labels.keyed.values())) == len(treatments)


@pytest.mark.parametrize(
    ("ends_of", "ticks"),
    [
        ([0.3, 20.0], [0.5, 1, 2, 5, 10, 20]),
        ([12.0, 18.0], [1, 2, 5, 10]),
        ([0.002, 1.0], [0.003, 0.01, 0.03, 0.1, 0.3, 1]),
        ([0.97, 1.04], [0.98, 1, 1.02, 1.04]),
        ([0.25], [0.4, 0.6, 0.8, 1]),
        ([1e-6, 3.0], [1e-6, 1e-4, 1e-2, 1]),
        ([], [1]),
    ],
)
def test_one_stands_on_the_axis_of_a_ratio(ends_of: list[float], ticks: list[float]) -> None:
    scale, found = ratio_scale(ends_of)
    assert [one for one in found if one in ticks] == pytest.approx(ticks)
    low, high = scale["domain"]
    assert all(low <= one <= high for one in (*ends_of, 1.0))
    needed = math.log(max([1.0, *ends_of]) / min([1.0, *ends_of]))
    assert math.log(high / low) <= 1.09 * needed + 0.01, "nothing stretches it"


def test_levels_begin_at_zero_and_have_even_ticks() -> None:
    assert level_scale([8606.0])[1] == [0, 2000, 4000, 6000, 8000, 10000]
    assert level_scale([0.0021], 4)[1] == [0, 0.001, 0.002, 0.003]
    assert level_scale([]) == level_scale([0.0])
    for low, high in ((950.0, 1100.0), (0.3, 700.0), (5.0, 5.001)):
        ticks = log_ticks(low, high)
        assert 2 <= len(ticks) <= 14
        assert all(low <= tick <= high for tick in ticks)


def test_names_at_the_ends_of_lines_do_not_cover_each_other() -> None:
    labels = named(LONG)
    assert ends.have_room(labels)
    y = {"scale": {"domain": [0, 100]}, "type": "quantitative"}
    point, text, _ = ends.ends(dict.fromkeys(LONG, 50.0), labels, y, width=500, height=300)
    heights = sorted(row["end"] * 3 for row in text["data"]["values"])  # pixels
    assert all(after - before >= ends.LINE - 1e-6 for before, after in pairwise(heights))
    assert {row["treatment"] for row in point["data"]["values"]} == set(labels.names)
    assert not ends.have_room(named(tuple("abcde")))
    assert not ends.have_room(named(("a" * 60, "b" * 60)))


def test_no_treatment_hides_another_at_a_load(material: Material) -> None:
    places = load_places(material, 700)
    at = [places.at(one, load) for load in material.results.loads for one in material.results.treatments]
    assert at == sorted(at)
    assert len(set(at)) == len(at)
    points = [CurvePoint("tps", "1/s", one, 8, 1.0, None, None, 1) for one in material.results.treatments]
    assert len({row["at"] for row in places.rows(points, named(material.results.treatments))}) == 2


def test_a_cost_is_not_negative(material: Material) -> None:
    """Its interval, symmetric around a mean of few blocks, may be."""
    wide = [
        replace(one, low=-one.value) if one.low is not None else one for one in material.results.estimates
    ]
    chart = costs.draw(replace(material, results=replace(material.results, estimates=tuple(wide))))
    assert chart is not None
    rules = [unit for unit in units(chart.spec) if unit.kind == "rule"]
    assert {unit.field("x") for unit in rules} == {"from"}
    assert all(unit.encoding["x"]["scale"]["domain"][0] == 0 for unit in rules)
    assert "intervals end at 0" in chart.caption


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """Results with signals of a server that has nothing to write."""
    made = make_material(tmp_path_factory.mktemp("quiet"), loads=(8,), blocks=1)
    made.store.execute("update rates set value = 0.5 where name = 'Innodb_buffer_pool_pages_dirty'")
    for source, name, value, among in (
        ("status", "Innodb_checkpoint_age", "16", "true"),
        ("disks", "vda.read_bytes", "80000 * (1 + t_s % 2)", "true"),
        ("disks", "vda.write_time_us", "900 * t_s", "t_s between 0 and 2"),
        ("disks", "vda.writes", "1", "t_s between 0 and 2"),
    ):
        made.store.execute(
            f"insert into rates select run_id, treatment, block, rung, load, '{source}', '{name}', t_s,"
            f" {value}"
            f" from rates where name = 'user_us' and {among}"
        )
    yield made
    made.store.close()


def test_panels_without_information_are_named_and_not_drawn(quiet: Material) -> None:
    chart = timeline.draw(quiet)
    assert chart is not None
    drawn = {row["panel"] for unit in units(chart.spec) for row in unit.rows if "panel" in row}
    assert drawn == {"tps", "p95", "cpu", "processes", "disk"}
    assert {point.panel for point in chart.records} > drawn, "the CSV has them"
    assert "Flat, so not drawn: dirty pages, checkpoint age, disk reads." in chart.caption
    assert "Too few values to draw: write time." in chart.caption


def test_a_second_stands_at_its_middle_in_all_panels(quiet: Material) -> None:
    chart = timeline.draw(quiet)
    assert chart is not None
    rows = [
        row for unit in units(chart.spec) if unit.field("x") == "at" for row in unit.rows if "panel" in row
    ]
    # The load's intervals are stored by their begin, what is sampled in a second by its end.
    assert {(row["panel"], row["at"] - row["t_s"]) for row in rows} == {
        *((panel, 0.5) for panel in ("tps", "p95")),
        *((panel, -0.5) for panel in ("cpu", "processes", "disk")),
    }
    spans = {
        tuple(unit.encoding["x"]["scale"]["domain"])
        for unit in units(chart.spec)
        if "x" in unit.encoding and "scale" in unit.encoding["x"]
    }
    assert len(spans) == 1
    (span,) = spans
    times = [point.t_s for point in chart.records]
    assert span == (min(times) - 1, max(times) + 1)


def test_titles_of_panels_begin_at_one_height() -> None:
    lines = style.title_lines(["short", "a much longer title that needs lines"], 110)
    assert len({len(one) for one in lines}) == 1
    assert lines[0][0] == "short"
