"""The limits that claims and gates set: read from every form of a claim, and drawn where their measure is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report.charts import forest, latency, limits, throughput
from assay.reporting.report.charts.quantiles import draw_load
from assay.reporting.report.material import Material
from assay.reporting.report.records.limits import Limit, level_limits, ratio_limits
from assay.reporting.report.records.limits import limits as limits_of

ONE, TWO = "innodb_purge_threads=1", "innodb_purge_threads=2"
SIDES = "tps[innodb_purge_threads=2]", "tps[innodb_purge_threads=1]"
With = Callable[..., Material]


@pytest.fixture
def with_rules(material: Material, tmp_path: Path) -> With:
    """The material of all tests, with other claims in its study."""

    def made(*claims: str, table: str = "gate", more: str = "") -> Material:
        (row,) = material.rows("select text from study")
        whole = row["text"].partition("[[hypothesis]]")[0]
        rules = "".join(f'\n[[{table}]]\nclaim = "{claim}"\n{more}\n' for claim in claims)
        (tmp_path / "study.toml").write_text(whole + rules, encoding="utf-8")
        return replace(material, study=load_study(tmp_path / "study.toml"))

    return made


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("p95_ms <= 12", {("p95_ms", "<=", 12.0, one, None) for one in (ONE, TWO)}),
        ("800 < tps[innodb_purge_threads=2]", {("tps", ">", 800.0, TWO, None)}),
        ("max tps over threads >= 5000", {("tps", ">=", 5000.0, one, None) for one in (ONE, TWO)}),
        ("tps >= 1 in every run", {("tps", ">=", 1.0, one, None) for one in (ONE, TWO)}),
        (f"{SIDES[0]}/{SIDES[1]} >= 0.97", {("tps", ">=", 0.97, TWO, ONE)}),
        (f"{SIDES[0]} > {SIDES[1]} by 10 %", {("tps", ">=", 1.1, TWO, ONE)}),
        (
            f"{SIDES[1]} < {SIDES[0]} by 1 to 2 x",
            {("tps", "<=", 1.0, ONE, TWO), ("tps", ">=", 0.5, ONE, TWO)},
        ),
        (f"{SIDES[0]} > {SIDES[1]}", {("tps", ">", 1.0, TWO, ONE)}),  # a gate's own margin is none
        # Figures of something else than what charts show.
        ("tps >= 1 in last 5s", set()),
        ("tps(cv, 2s) < 10", set()),
        (f"{SIDES[0]} - {SIDES[1]} > 5", set()),
    ],
)
def test_a_claim_sets_limits(
    with_rules: With, claim: str, expected: set[tuple[str, str, float, str, str | None]]
) -> None:
    found = limits_of(with_rules(claim))
    said = {(one.measure, one.relation, round(one.value, 9), one.treatment, one.against) for one in found}
    assert said == expected
    assert {one.load for one in found} == ({1.0, 8.0, 64.0} if expected else set())
    assert {one.source for one in found} <= {"gate"}


def test_a_limit_holds_at_the_load_points_of_its_claim(with_rules: With) -> None:
    at = with_rules("p95_ms <= 12 at threads >= 8", "tps[threads=1] >= 5")
    found = {(one.measure, one.load) for one in limits_of(at)}
    assert found == {("p95_ms", 8.0), ("p95_ms", 64.0), ("tps", 1.0)}


def test_the_margin_of_a_hypothesis_is_a_limit_where_it_is_not_the_band(with_rules: With) -> None:
    claim = f"{SIDES[0]} >= {SIDES[1]}"
    assert not limits_of(with_rules(claim, table="hypothesis"))
    own = limits_of(with_rules(claim, table="hypothesis", more="margin = 0.1"))
    assert {(one.source, round(one.value, 6)) for one in own} == {("claim", round(1 / 1.1, 6))}


def test_a_ratio_is_the_same_limit_from_both_sides(with_rules: With) -> None:
    made = with_rules(f"{SIDES[0]}/{SIDES[1]} >= 0.8")
    (there, *_), (back, *_) = ratio_limits(made, TWO, ONE), ratio_limits(made, ONE, TWO)
    assert (there.relation, there.value, back.relation, back.value) == (">=", 0.8, "<=", 1.25)
    assert not ratio_limits(made, ONE, ONE)
    assert not level_limits(made, ["tps"])


def test_charts_draw_the_limits_of_their_measures(with_rules: With) -> None:
    made = with_rules("tps >= 5000", "p99_ms <= 9", f"{SIDES[0]}/{SIDES[1]} >= 0.97", "p95_ms <= 9000")
    for chart, label in (
        (throughput.draw(made), "\\u2265 5,000 \\u00b7 gate"),
        (latency.draw(made), "\\u2264 9 \\u00b7 gate"),
        (forest.draw(made), "\\u2265 0.970 \\u00b7 gate"),
        (draw_load(made, ONE, 8.0), "p99 latency \\u2264 9 \\u00b7 gate"),
    ):
        assert chart is not None
        assert label in json.dumps(chart.spec), chart.name
        assert "Labelled rules are limits: " in chart.caption
    far = latency.draw(made)
    assert far is not None
    assert "9,000" not in json.dumps(far.spec)  # it would press the lines together
    assert "Limits beyond the picture: ≤ 9,000 of the gate p95_ms <= 9000." in far.caption


def test_only_limits_near_the_values_are_drawn() -> None:
    def at(value: float) -> Limit:
        return Limit("gate", "x", "tps", ">=", value, ONE, 8.0)

    every = [at(value) for value in (0.0, 4.0, 6.0, 20.0, 21.0)]
    assert [one.value for one in limits.within_reach(every, [10.0, 8.0])] == [0.0, 4.0, 6.0, 20.0]
    assert [one.value for one in limits.within_reach(every, [10.0, 10.0], from_zero=False)] == [6.0, 20.0]
    assert limits.within_reach(every, []) == []
