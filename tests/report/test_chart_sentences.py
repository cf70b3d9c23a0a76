"""The sentence of each chart says what its records say, in every language."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from assay.base.numbers import number, ratio, with_interval
from assay.reporting.report.charts import CHARTS, build_charts, quantiles_of_runs
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.sentences import LISTED, SENTENCES
from assay.reporting.report.material import Material
from assay.reporting.report.page import render_page
from assay.reporting.report.readings import measure_title
from assay.reporting.report.words import LANGUAGES, load_words
from synthetic import make_material

Expected = Callable[[Material, list[Any]], list[str]]


def _throughput(material: Material, points: list[Any]) -> list[str]:
    best = sorted(points, key=lambda point: point.value)[-1]
    return [with_interval(best.value, best.low, best.high), best.treatment, material.load_words(best.load)]


def _latency(material: Material, points: list[Any]) -> list[str]:
    shown = [p for p in points if p.measure == "p99_ms" and p.load == 64]
    return [number(point.value) for point in shown] + [point.treatment for point in shown]


def _trade(material: Material, points: list[Any]) -> list[str]:
    path = [point for point in points if point.treatment == material.results.treatments[0]]
    ends = path[0], path[-1]
    return [
        *(material.load_words(point.load) for point in ends),
        ratio(ends[1].throughput_per_s / ends[0].throughput_per_s),
        ratio(ends[1].p99_ms / ends[0].p99_ms),
    ]


def _forest(material: Material, points: list[Any]) -> list[str]:
    words = [point.word for point in points]
    return [str(len(points)), *(f"{words.count(word)} " for word in set(words))]


def _paired(material: Material, points: list[Any]) -> list[str]:
    here = {(point.treatment, point.block): point.value for point in points if point.load == 64}
    one, other = material.results.treatments
    higher = sum(here[other, block] > here[one, block] for block in range(1, 7))
    return [f"{higher} of 6" if material.words.language == "en" else f"6 个区组中有 {higher} 个"]


def _distribution(material: Material, points: list[Any]) -> list[str]:
    shown = [p for p in points if p.load == 64 and p.one_in == pytest.approx(1000)]
    assert len(shown) == 2
    return ["1,000", *(number(point.ms) for point in shown)]


def _ridge(material: Material, bins: list[Any]) -> list[str]:
    # The times of the synthetic results have one hump, at the middle of a lognormal distribution.
    middles = {}
    for treatment in material.results.treatments:
        here = [one for one in bins if (one.load, one.treatment) == (64, treatment)]
        logs, counts = [math.log(one.low_ms) for one in here], [one.operations for one in here]
        middles[treatment] = float(np.average(logs, weights=counts))
    return [max(middles, key=lambda treatment: middles[treatment]), material.load_words(64)]


def _heat(material: Material, cells: list[Any]) -> list[str]:
    slowest = max(cell.max_ms for cell in cells if not cell.warmup)
    return [number(slowest), number(sum(cell.operations for cell in cells if not cell.warmup))]


def _timeline(material: Material, points: list[Any]) -> list[str]:
    found = []
    for treatment in material.results.treatments:
        values = [p.value for p in points if p.panel == "tps" and p.treatment == treatment and not p.warmup]
        found.append((min(values) / median(values), min(values), median(values), treatment))
    _, low, usual, treatment = min(found)
    return [number(low), number(usual), treatment]


def _spread(material: Material, points: list[Any]) -> list[str]:
    found = []
    for treatment in material.results.treatments:
        # Few enough that each stands for itself.
        values = [point.value for point in points if point.treatment == treatment]
        low, middle, high = np.percentile(values, [25, 50, 75]).tolist()
        found.append(((high - low) / middle, low, middle, high, treatment))
    _, low, middle, high, treatment = max(found)
    return [number(low), number(middle), number(high), treatment]


def _machine(material: Material, points: list[Any]) -> list[str]:
    lines: dict[tuple[str, str, str], list[float]] = {}
    for p in points:
        if p.panel != "tps" and not p.warmup:
            lines.setdefault((p.panel, p.series, p.treatment), []).append(p.value)
    of, values = max(lines.items(), key=lambda line: max(line[1]) / median(line[1]))
    return [number(max(values)), number(median(values)), of[2]]


def _costs(material: Material, points: list[Any]) -> list[str]:
    return [number(p.value) for p in points if p.measure == "server_cpu_us_per_query"]


def _order(material: Material, points: list[Any]) -> list[str]:
    runs = [point for point in points if point.lane == "throughput"]
    farthest = max(runs, key=lambda point: max(point.ratio, 1 / point.ratio))
    return [ratio(farthest.ratio), str(farthest.number), farthest.treatment, str(len(runs))]


EXPECTED: Mapping[str, Expected] = {
    "answer": lambda material, points: [points[-1].baseline, measure_title(material, points[-1].measure)],
    "throughput": _throughput,
    "latency": _latency,
    "trade": _trade,
    "forest": _forest,
    "paired": _paired,
    "distribution": _distribution,
    "ridge": _ridge,
    "heat": _heat,
    "timeline": _timeline,
    "spread": _spread,
    "timeline-machine": _machine,
    "costs": _costs,
    "order": _order,
}


@pytest.fixture(scope="module", params=LANGUAGES)
def told(request: pytest.FixtureRequest, material: Material) -> tuple[Material, list[Chart]]:
    made = replace(material, words=load_words(request.param))
    return made, build_charts(made)


def test_a_sentence_agrees_with_its_records(told: tuple[Material, list[Chart]]) -> None:
    made, charts = told
    assert {chart.name for chart in charts} == set(EXPECTED)
    for chart in charts:
        for part in EXPECTED[chart.name](made, list(chart.records)):
            assert part in chart.says, f"{chart.name}: {chart.says}"


def test_the_sentence_of_runs_names_the_fastest_and_the_slowest(
    told: tuple[Material, list[Chart]],
) -> None:
    made, _ = told
    chart = quantiles_of_runs(made, made.results.treatments[0], 64)
    assert chart is not None
    here = sorted((p.ms, p.run_id) for p in chart.records if p.one_in == pytest.approx(1000))
    assert len(here) == 6
    for ms, run_id in (here[0], here[-1]):
        assert number(ms) in chart.says
        assert run_id in chart.says


def test_a_sentence_follows_its_records(material: Material) -> None:
    (chart,) = [chart for chart in build_charts(material) if chart.name == "throughput"]
    best = max(chart.records, key=lambda point: point.value)
    changed = [replace(best, value=2 * best.value, low=None, high=None), *chart.records]
    assert number(2 * best.value) in SENTENCES["throughput"](material, changed)


def test_every_chart_has_a_sentence_as_its_heading(told: tuple[Material, list[Chart]]) -> None:
    made, charts = told
    assert len(SENTENCES) == len(CHARTS) + len({"answer", "quantiles", "timelines"})  # of no section
    for chart in charts:
        assert chart.says not in chart.caption
        assert chart.says.endswith("." if made.words.language == "en" else "。")
        assert "{" not in chart.says
    (heat,) = [chart for chart in charts if chart.name == "heat"]
    page = render_page(made, [], [(heat, "<svg></svg>")]).replace("\N{NO-BREAK SPACE}", " ")
    assert page.count(f"{heat.says}") == 2  # in the line of its section, and in its label


def test_one_treatment_is_not_named(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=1, loads=(8,), blocks=1)
    assert not [chart.says for chart in build_charts(made) if "default" in chart.says]
    made.store.close()


def test_of_many_treatments_the_ends_are_named(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=LISTED + 2, loads=(8,), blocks=2)
    charts = {chart.name: chart for chart in build_charts(made)}
    first, *_, last = made.results.treatments
    shown = [name for name in made.results.treatments if name in charts["latency"].says]
    assert shown == [first, last]
    assert f"of {LISTED + 1} treatments" in charts["paired"].says
    made.store.close()


def test_times_of_operations_that_never_ended_are_lower_bounds_in_every_sentence(tmp_path: Path) -> None:
    made = make_material(tmp_path)
    exact = {chart.name: chart.says for chart in build_charts(made)}
    results = made.results
    bounded = [replace(one, at_least=one.unit == "ms") for one in results.estimates]
    at_least = replace(made, results=replace(results, estimates=tuple(bounded)))
    charts = {chart.name: chart for chart in build_charts(at_least)}
    for name, signs in (("latency", 2), ("distribution", 2), ("trade", 0), ("throughput", 0)):
        assert charts[name].says.count("≥ ") == signs, charts[name].says
        assert "≥ " not in exact[name]
    assert "? " in charts["trade"].says
    made.store.close()
