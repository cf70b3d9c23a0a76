"""A ratio that changes over the blocks is doubted where it stands, and decides no study that goes on until it
is decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.stats import Gate
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from spoken import english

A, B = "innodb_purge_threads=1", "innodb_purge_threads=4"
TOML = STUDY_TOML.replace("[1, 8, 64]", "[1]")
KINDS = ("ratio-drifts", "outlying-start", "two-modes")
Luck = Callable[[str, int], float]


def of_b(by_block: Callable[[int], float]) -> Luck:
    return lambda treatment, block: by_block(block) if treatment == B else 1.0


STEP = of_b(lambda block: 1.2 if block <= 6 else 1.0)
SLOPE = of_b(lambda block: 1.15 - 0.01 * block)
FLIP = of_b(lambda block: 1.25 if block % 2 else 1.05)
BAD_START = of_b(lambda block: 0.7 if block == 4 else 1.0)
STEADY = of_b(lambda _: 1.1)
EARLY_BOTH: Luck = lambda _, block: 1.5 if block <= 10 else 1.0  # noqa: E731


def judged(path: Path, luck: Luck, blocks: int, *, sequential: bool = False, claim: str = "") -> Results:
    truth = Truth(measure_s=2, warmup_s=1, samples=False, run_sd=0.004, second_sd=0.004)
    toml = TOML.replace("blocks = 6", f"blocks = {blocks}")
    if claim:
        toml = f'{toml}\n[[hypothesis]]\nclaim = "{claim}"\n'
    folder = make_results(path, truth=truth, loads=(1,), study_toml=toml, blocks=blocks, luck=luck, seed=4)
    build_store(folder)
    gate = replace(Gate.of(0.95), sequential=sequential)
    return judge(load_study(folder.study_file), open_store(folder), gate)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("luck", "blocks", "kinds"),
    [
        (STEP, 12, {"ratio-drifts", "two-modes"}),
        (SLOPE, 12, {"ratio-drifts"}),
        (FLIP, 12, {"ratio-drifts", "two-modes"}),
        (BAD_START, 6, {"outlying-start"}),
        (STEADY, 6, set()),
        (STEADY, 12, set()),
        (EARLY_BOTH, 12, set()),
    ],
    ids=["step", "slope", "flip", "bad-start", "steady", "steady-12", "both-sides"],
)
def test_a_ratio_that_changes_is_doubted_where_it_stands(
    tmp_path: Path, luck: Luck, blocks: int, kinds: set[str]
) -> None:
    found = judged(tmp_path, luck, blocks)
    (tps,) = [one for one in found.comparisons if one.measure == "tps"]
    (part,) = found.hypotheses[0].parts
    assert set(tps.doubts) & {*KINDS} == kinds
    assert set(part.doubts) & {*KINDS} == kinds
    notes = {note.kind: note for note in found.doubts if note.kind in KINDS}
    assert notes.keys() >= kinds
    assert ("ratio-drifts" in notes) == ("ratio-drifts" in kinds)
    for note in notes.values():
        assert B in explain_doubt(load_words("en"), note)
        assert explain_doubt(load_words("zh"), note) != note.message


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("luck", "decided"), [(STEP, False), (FLIP, False), (STEADY, True)])
def test_a_study_that_goes_on_until_it_is_decided_is_not_decided_by_it(
    tmp_path: Path, luck: Luck, decided: bool
) -> None:
    at_once, again = judged(tmp_path, luck, 12), judged(tmp_path, luck, 12, sequential=True)
    assert [one.word for one in at_once.comparisons if one.measure == "tps"] == ["better"]
    assert at_once.hypotheses[0].outcome == "supported"
    assert [one.word for one in again.comparisons if one.measure == "tps"] == [
        "better" if decided else "undecided"
    ]
    assert again.hypotheses[0].outcome == ("supported" if decided else "undecided")


def test_looks_judge_by_a_wider_interval_and_say_so(tmp_path: Path) -> None:
    barely = of_b(lambda _: 1.03)
    at_once, again = judged(tmp_path, barely, 6), judged(tmp_path, barely, 6, sequential=True)
    assert at_once.hypotheses[0].outcome == "supported"
    assert again.hypotheses[0].outcome == "undecided"
    assert "judged wider than it is shown" in english(again.hypotheses[0].explanation)
    narrow, wide = (
        next(one for one in found.comparisons if one.measure == "tps") for found in (at_once, again)
    )
    assert narrow.low is not None
    assert wide.low is not None
    assert wide.low < narrow.low
    assert (narrow.word, wide.word) == ("better", "more")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("blocks", "percent"), [(6, "39"), (12, "22")])
def test_what_is_the_same_says_which_starts_it_may_have_missed(
    tmp_path: Path, blocks: int, percent: str
) -> None:
    claim = f"tps[{B}] ~ tps[{A}]"
    found = judged(tmp_path, of_b(lambda _: 1.0), blocks, claim=claim)
    (tps,) = [one for one in found.comparisons if one.measure == "tps"]
    assert tps.word == "same"
    assert f"{100 * (tps.missed or 0):.2g}" == percent
    verdict = found.hypotheses[-1]
    assert verdict.outcome == "supported"
    assert f"up to {percent} % of all starts" in english(verdict.explanation)
    assert found.hypotheses[0].parts[0].missed is None  # of an order nothing of the kind is said


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("effect", "is_frail"), [(1.026, True), (1.2, False)])
def test_a_word_says_which_likeness_of_neighbours_would_undo_it(
    tmp_path: Path, effect: float, is_frail: bool
) -> None:
    found = judged(tmp_path, of_b(lambda _: effect), 6)
    (tps,) = [one for one in found.comparisons if one.measure == "tps"]
    (part,) = found.hypotheses[0].parts
    assert tps.word == "better"
    assert tps.missed is not None
    assert tps.withstands is not None
    assert part.withstands == tps.withstands
    assert (tps.withstands < 0.5) == is_frail
    assert ("cannot rule out a larger one" in english(part.explanation)) == is_frail


def test_only_what_is_decided_withstands_something(tmp_path: Path) -> None:
    found = judged(tmp_path, of_b(lambda block: 1 + 0.3 * (block % 2)), 6)
    for one in found.comparisons:
        assert (one.withstands is None) == (one.word in ("undecided", "estimate-only"))
    (part,) = found.hypotheses[0].parts
    assert (part.withstands is None) == (part.outcome == "undecided")
    assert {one.word for one in found.comparisons} & {"undecided"}
