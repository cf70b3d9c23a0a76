"""Windows that had not reached their level judge no level and no sameness; ratios where both sides are so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.design.study import parse_study
from assay.results.stats import Gate
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.claims import judge_hypotheses
from assay.results.verdict.comparisons import compare
from assay.results.verdict.observations import Observations
from believed import HYPOTHESIS, ONE, STUDY, TREATMENTS, TWO
from spoken import english, named

NOT_REACHED = "not-reached"
SPREAD = (1.0, 1.002, 0.998, 1.001, 0.999, 1.0, 1.001, 0.999)
EVERY = range(1, 9)


def seen(ratio: float, approaching: Mapping[str, range]) -> Observations:
    """Eight blocks at one and at eight threads, the second treatment at `ratio` of the first."""
    values = {
        ("tps", name, load): {block: 1000 * of * one for block, one in zip(EVERY, SPREAD, strict=True)}
        for name, of in ((ONE, 1.0), (TWO, ratio))
        for load in (1.0, 8.0)
    }
    cells = {
        (name, 1.0): dict.fromkeys(blocks, (NOT_REACHED,)) for name, blocks in approaching.items() if blocks
    }
    warned = {cell: dict.fromkeys(blocks, (NOT_REACHED,)) for cell, blocks in cells.items()}
    return Observations(values, {"tps": "/s"}, warned=warned, approaching=cells)


def judged(claim: str, found: Observations) -> HypothesisVerdict:
    text = STUDY.format(loads=[1, 8], confidence=0.95).replace('[experiment]\nuse = "crash-recovery"\n', "")
    study = parse_study(text + HYPOTHESIS.format(claim=claim), Path("/nowhere/s.toml"))
    (verdict,) = judge_hypotheses(study, found, TREATMENTS, [1.0, 8.0], Gate.of(0.95))
    return verdict


@pytest.mark.parametrize(
    ("claim", "ratio", "one", "two", "outcome", "blocks", "left_out"),
    [
        ("tps[a=1] > 900 at threads = 1", 1.0, EVERY, (), "undecided", 0, 8),
        ("tps[a=1] > 900 at threads = 1", 1.0, range(1, 3), (), "supported", 6, 2),
        ("tps[a=1] > 900 at threads = 8", 1.0, EVERY, (), "supported", 8, 0),
        ("max tps[a=1] over threads < 2000", 1.0, range(1, 3), (), "supported", 6, 2),
        ("tps[a=1] ~ tps[a=2] at threads = 1", 1.0, EVERY, EVERY, "undecided", 0, 16),
        ("tps[a=1] ~ tps[a=2] at threads = 1", 1.0, range(1, 2), range(2, 3), "supported", 6, 2),
        ("tps[a=1] is flat over threads", 1.0, range(1, 3), (), "supported", 6, 2),
        ("tps[a=2] > tps[a=1] at threads = 1", 1.3, EVERY, EVERY, "supported", 8, 0),
        ("tps[a=2] > tps[a=1] at threads = 1", 1.3, EVERY, (), "undecided", 0, 8),
        ("tps[a=2] > tps[a=1] at threads = 1", 1.3, range(1, 5), range(3, 5), "supported", 6, 2),
        ("tps[a=2]/tps[a=1] >= 1.2 at threads = 1", 1.3, EVERY, EVERY, "supported", 8, 0),
        ("tps[a=1, threads=8] ~ tps[a=1, threads=1]", 1.0, EVERY, (), "undecided", 0, 8),
        ("tps[a=2, threads=8] > tps[a=1, threads=1]", 1.3, range(1, 3), (), "supported", 6, 2),
    ],
)
def test_what_a_claim_is_judged_by(
    claim: str, ratio: float, one: range, two: range, outcome: str, blocks: int, left_out: int
) -> None:
    found = judged(claim, seen(ratio, {ONE: one, TWO: two}))
    assert (found.outcome, [part.blocks for part in found.parts]) == (outcome, [blocks])
    count = {0: "", 1: "1 value is"}.get(left_out, f"{left_out} values are")
    assert (f" {count} left out, being invalid: {named(NOT_REACHED)}." in english(found.explanation)) is bool(
        left_out
    )


def test_a_ratio_of_two_that_both_approach_is_marked() -> None:
    found = judged("tps[a=2] > tps[a=1] at threads = 1", seen(1.3, {ONE: EVERY, TWO: EVERY}))
    assert found.doubts == (NOT_REACHED,)


@pytest.mark.parametrize(
    ("ratio", "one", "two", "word", "blocks"),
    [
        (1.0, (), (), "same", 8),
        (1.0, EVERY, EVERY, "undecided", 8),
        (1.0, range(1, 2), range(1, 2), "same", 8),
        (1.0, range(1, 3), (), "same", 6),
        (1.3, EVERY, EVERY, "better", 8),
        (1.3, range(1, 4), (), "estimate-only", 5),
    ],
)
def test_the_word_of_a_comparison(ratio: float, one: range, two: range, word: str, blocks: int) -> None:
    found = compare(seen(ratio, {ONE: one, TWO: two}), ("tps", ONE, TWO, 1.0), 0.02, Gate.of(0.95))
    assert found is not None
    assert (found.word, found.blocks) == (word, blocks)


def test_no_block_is_left_where_one_side_never_reached_its_level() -> None:
    assert compare(seen(1.3, {ONE: EVERY}), ("tps", ONE, TWO, 1.0), 0.02, Gate.of(0.95)) is None
