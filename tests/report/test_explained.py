"""A verdict in both languages: the same figures from one computation, and the study's own confidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.reporting.report.explain import figure_text
from assay.reporting.report.records.scaling import scaling
from assay.reporting.report.verdict_sentences import explained
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.stats.region import Gate
from assay.results.verdict.answers import Figure, Part
from assay.results.verdict.compared import Place
from assay.results.verdict.phrases import phrase
from assay.results.verdict.summing_up import most_needed, summary
from synthetic import make_material


def part(load: float, more: int | None = None, *, too_many_blocks: bool = False) -> Part:
    said = ((phrase("too-few", fewest=6),),)
    place = Place("a", load)
    return Part((place,), "undecided", Figure("ratio", 1.01), 6, more, said, too_many_blocks=too_many_blocks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_blocks_needed_are_those_of_the_neediest_part(language: str) -> None:
    def said(*parts: Part) -> str:
        more, too_many = most_needed(parts)
        found = summary("undecided", parts, [one.explanation for one in parts], more, too_many)
        return explained(load_words(language), found)

    assert "79" in said(part(1, 31), part(8, 6), part(64, 79))
    assert "31" not in said(part(1, 31), part(8, 6), part(64, 79))
    hopeless = said(part(1, 31), part(8, None, too_many_blocks=True))
    assert "200" in hopeless
    assert "31" not in hopeless


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_speak_of_the_study_s_confidence(language: str) -> None:
    words = load_words(language, Gate.of(0.99))
    said = " ".join(words(key) for key in ("hypotheses.parts-note", "chart.part.intervals"))
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
        (Figure("share", 0.5, 0.0, 0.75), "50 [0, 75]%"),
        (None, "–"),
    ],
    ids=lambda value: "none" if value is None else getattr(value, "kind", ""),
)
def test_each_kind_of_figure_has_its_own_form(figure: Figure | None, said: str) -> None:
    assert figure_text(figure, load_words("zh"), "threads") == said
