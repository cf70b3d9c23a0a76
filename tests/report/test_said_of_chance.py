"""A page says how many of its words chance makes, and counts what says the same once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from assay.reporting.report.charts.forest import draw
from assay.reporting.report.material import Material
from assay.reporting.report.summary import chance
from assay.results.stats import expected_wrong_verdicts, false_discovery
from assay.results.verdict import Comparison, distinct
from assay.results.verdict.answers import RunsAgree
from assay.results.verdict.comparisons import with_q_values
from assay.results.verdict.doubts.study_wide import chance as many


def compared(measure: str, ratio: float, load: float = 8.0, p: float = 0.001) -> Comparison:
    return Comparison(
        baseline="a=1",
        other="a=2",
        load=load,
        measure=measure,
        ratio=ratio,
        low=0.98 * ratio,
        high=1.02 * ratio,
        p_value=0.03,
        blocks=6,
        margin=0.02,
        word="better",
        more_blocks=None,
        beyond_p=p,
    )


REPEATED = (
    compared("tps", 1.2, p=0.001),
    compared("qps", 1.2 * 1.0002, p=0.0011),
    compared("p95_ms", 0.8, p=0.01),
    compared("p99_ms", 0.8, p=0.01),
    compared("qps", 1.2, load=16.0, p=0.02),
)


def test_queries_of_a_fixed_number_are_no_second_comparison() -> None:
    assert [(one.measure, one.load) for one in distinct(REPEATED)] == [
        ("tps", 8.0),
        ("p95_ms", 8.0),
        ("p99_ms", 8.0),
        ("qps", 16.0),
    ]
    other = (compared("tps", 1.2), compared("qps", 1.25))
    assert distinct(other) == other


def test_what_repeats_another_is_not_of_the_family_and_has_its_q() -> None:
    found = with_q_values(REPEATED)
    alone = false_discovery([0.001, 0.01, 0.01, 0.02])
    assert [one.q_value for one in found] == pytest.approx([alone[0], alone[0], *alone[1:]])


def test_a_page_counts_comparisons_once_wherever_it_counts_them(material: Material) -> None:
    known = material.results.comparisons
    doubled = [replace(one, measure="qps") for one in known if one.measure == "tps"]
    more = replace(material, results=replace(material.results, comparisons=(*known, *doubled)))
    (note,) = many(more.results.comparisons, 0.5)
    (before,) = many(known, 0.5)
    assert note.facts == before.facts
    chart, plain = draw(more), draw(material)
    assert chart is not None
    assert plain is not None
    assert len(chart.records) == len(plain.records)


def test_a_page_says_how_many_verdicts_chance_makes_wrong(material: Material) -> None:
    study, results = material.study, material.results
    (one, *_), (verdict, *_) = study.hypotheses, results.hypotheses

    def said(count: int, **changes: Any) -> str:
        changed = replace(
            results, hypotheses=(replace(verdict, **changes),) * count, blocks_complete=results.gate.fewest
        )
        stated = study.model_copy(update={"hypotheses": (one,) * count})
        return chance(replace(material, study=stated, results=changed))

    assert "these 40 verdicts on means" in said(40)
    assert "at most 1.00 of them wrong" in said(40)
    assert said(1) == ""
    counted = RunsAgree(6, 0, 0.39, 0.95)
    assert said(40, parts=tuple(replace(part, runs=counted) for part in verdict.parts)) == ""


def test_a_verdict_is_wrong_on_one_side_of_its_interval_only() -> None:
    assert expected_wrong_verdicts([0.9] * 45) == pytest.approx(2.25)
    assert expected_wrong_verdicts([0.95, 0.9]) == pytest.approx(0.075)
