"""The line that sums up a hypothesis names what its parts differ in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from assay.results.verdict.answers import Figure, Part, RunsAgree
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Outcome
from assay.results.verdict.phrases import Explanation, given, phrase
from assay.results.verdict.summing_up import summary
from spoken import english

PAIR, OTHER = ("b", "a"), ("c", "a")


def places(load: float, treatments: tuple[str, ...]) -> tuple[Place, ...]:
    return tuple(Place(treatment, load) for treatment in treatments)


def wholly(at: int) -> Explanation:
    """What stands for a part's own sentences: the number of its block."""
    return ((phrase("in-block", value=given(at), block=at),),)


def figure(value: float, treatments: tuple[str, ...]) -> Figure:
    return Figure("ratio" if len(treatments) > 1 else "level", value)


def parts(*found: tuple[float, tuple[str, ...], Outcome]) -> Sequence[Part]:
    return [
        Part(places(load, treatments), outcome, figure(2.0 + at, treatments), 6, None, wholly(at))
        for at, (load, treatments, outcome) in enumerate(found)
    ]


@pytest.mark.parametrize(
    ("outcome", "found", "said"),
    [
        (
            "supported",
            parts((1, PAIR, "supported"), (8, PAIR, "supported")),
            "Supported at both load points (ratios 2 to 3).",
        ),
        (
            "undecided",
            parts((1, PAIR, "undecided"), (8, PAIR, "undecided")),
            "Undecided at both load points. 0 in block 0.",
        ),
        (
            "refuted",
            parts((8, PAIR, "supported"), (8, OTHER, "refuted")),
            "2 pairs of treatments: 1 supported, 1 refuted. 1 in block 1.",
        ),
        (
            "undecided",
            parts((1, PAIR, "supported"), (8, PAIR, "undecided"), (1, OTHER, "supported")),
            "3 combinations of treatments and load: 2 supported, 1 undecided. 1 in block 1.",
        ),
        (
            "supported",
            parts((8, ("a",), "supported"), (8, ("b",), "supported"), (8, ("c",), "supported")),
            "Supported for all 3 treatments (2 to 4).",
        ),
        (
            "undecided",  # "40 <= tps <= 50 at threads = 8"
            parts((8, ("a",), "undecided"), (8, ("a",), "undecided")),
            "Undecided for both parts of the claim. 0 in block 0.",
        ),
        (
            "refuted",
            parts((8, ("a",), "supported"), (8, ("b",), "supported"), (8, ("b",), "refuted")),
            "3 parts of the claim: 2 supported, 1 refuted. 2 in block 2.",
        ),
        (
            "supported",  # a ratio and a level are no row of figures
            parts((8, PAIR, "supported"), (8, ("a",), "supported")),
            "Supported for both pairs of treatments.",
        ),
    ],
)
def test_the_summary_says_what_was_judged(outcome: Outcome, found: Sequence[Part], said: str) -> None:
    assert english(summary(outcome, found, [part.explanation for part in found], None, False)) == said


def test_what_holds_in_every_run_stands_beside_a_mean() -> None:
    runs = RunsAgree(runs=6, otherwise=0, most=0.39, confidence=0.95)
    counted = Part(places(8, ("a",)), "supported", Figure("share", 0.0), 6, None, (), runs=runs)
    beside = parts((8, ("b",), "supported"))
    said = english(summary("supported", [counted, *beside], [(), ()], None, False))
    assert said.startswith("Supported for both treatments (2); at 95 % confidence at most 39 %")
