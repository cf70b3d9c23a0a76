"""A verdict in both languages: the same figures from one computation, and the study's own confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from assay.reporting.report.explain import explain
from assay.reporting.report.material import Material
from assay.reporting.report.records.scaling import scaling
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.stats.region import Gate
from assay.results.verdict.answers import Figure, HypothesisVerdict, Part, RunsAgree
from assay.results.verdict.compared import Place
from assay.results.verdict.summing_up import most_needed, summary
from synthetic import make_material


def part(load: float, more: int | None = None, **other: object) -> Part:
    made = Part(
        (Place("a", load),), "undecided", Figure("ratio", 1.01, 0.99, 1.04), 6, more, f"said at {load:g}"
    )
    return replace(made, **other)  # type: ignore[arg-type]


def explained(material: Material, language: str, parts: Sequence[Part]) -> str:
    more, too_many = most_needed(parts)
    sentences = [one.explanation for one in parts]
    outcome = parts[0].outcome
    said = summary(outcome, parts, sentences, more, too_many)
    verdict = HypothesisVerdict("tps > 1", None, outcome, said, tuple(parts), more, too_many)
    return explain(replace(material, words=load_words(language)), verdict)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_blocks_needed_are_those_of_the_neediest_part(material: Material, language: str) -> None:
    said = explained(material, language, [part(1, 31), part(8, 6), part(64, 79)])
    assert "79" in said
    assert "31" not in said
    hopeless = explained(material, language, [part(1, 31), part(8, None, too_many_blocks=True)])
    assert "200" in hopeless
    assert "31" not in hopeless


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_never_happened_has_its_bound(material: Material, language: str) -> None:
    runs = RunsAgree(runs=6, otherwise=0, most=0.393, confidence=0.95)
    said = "so in every one of 6 runs; at 95 % confidence at most 39 % of runs are otherwise."
    one = part(8, None, outcome="supported", figure=None, runs=runs, explanation=said)
    found = explained(material, language, [one])
    assert "39" in found
    assert "95" in found


@pytest.mark.parametrize(
    ("withstands", "blocks", "is_said"), [(0.2, 6, True), (0.0, 6, True), (0.6, 6, False), (0.2, 60, False)]
)
def test_an_outcome_that_alike_neighbours_undo_says_so(
    material: Material, withstands: float, blocks: int, is_said: bool
) -> None:
    one = part(8, None, outcome="supported", withstands=withstands, blocks=blocks)
    assert ("无法排除更大的相关" in explained(material, "zh", [one])) == is_said


def test_failed_runs_are_beside_those_that_were_counted(material: Material) -> None:
    runs = RunsAgree(runs=6, otherwise=0, most=0.393, confidence=0.95)
    one = part(8, None, outcome="supported", figure=None, runs=runs)
    assert "失败" not in explained(material, "zh", [one])
    broken = replace(one, runs=replace(runs, failed=2))
    assert "另有 2 次运行失败" in explained(material, "zh", [broken])


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_speak_of_the_study_s_confidence(language: str) -> None:
    words = load_words(language, Gate.of(0.99))
    said = " ".join(words(key) for key in ("hypotheses.parts-note", "chart.throughput-caption"))
    assert "99" in said
    assert "95" not in said
    assert "8" in words("summary.estimate-only", blocks=3)
    assert "{" not in words("method.estimate")


def test_the_law_has_intervals_of_the_study_s_confidence(tmp_path: Path) -> None:
    material = make_material(tmp_path, loads=(1, 4, 16, 64))
    usual = scaling(material)
    assert usual
    narrower = scaling(replace(material, results=replace(material.results, gate=Gate.of(0.7))))
    for treatment, law in usual.items():
        assert law.gamma.low < narrower[treatment].gamma.low  # type: ignore[operator]
        assert law.gamma.high > narrower[treatment].gamma.high  # type: ignore[operator]


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (Figure("ratio", 1.5, 1.25, 1.75), "1.5 [1.2, 1.8]"),
        (Figure("level", 12.5, 12.0, 13.0, "ms"), "12.5 [12.0, 13.0] ms"),
        (Figure("load", 8.0, 4.0, 16.0), "8 线程 [4, 16]"),
        (Figure("order", 1.0, 1.0, 2.0), "1 [1, 2]"),
        (Figure("share", 0.5, 0.0, 0.75), "50 [0, 75] %"),
        (None, "–"),
    ],
    ids=lambda value: "none" if value is None else getattr(value, "kind", ""),
)
def test_each_kind_of_figure_has_its_own_form(material: Material, figure: Figure | None, said: str) -> None:
    one = replace(part(8), where=(Place("a", None),), figure=figure, outcome="supported")
    assert explained(material, "zh", [one]) == f"全部负载点：支持，{said}。"
