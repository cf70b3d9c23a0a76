"""What an intervention does to a difference has one word, on both of its scales."""

from __future__ import annotations

import numpy as np
import pytest
from assay.reporting.report import load_words, outcome_sentence
from assay.results.verdict import Cells, InterventionOutcome, best, judge_interventions

BASE = {"work": 100.0, "sync": 400.0, "net": 50.0}  # µs of a transaction


def planted(
    cause: dict[str, float], change: dict[str, float], blocks: int = 8, noise: float = 0.002
) -> Cells:
    """Throughput of two treatments, the second `cause` slower, with and without a change of parts."""
    random = np.random.default_rng(3)
    of_blocks = random.normal(0, 0.05, blocks)

    def tps(parts: dict[str, float]) -> dict[int, float]:
        runs = np.exp(of_blocks + random.normal(0, noise, blocks))
        return dict(enumerate((1e6 / sum(parts.values()) * runs).tolist(), start=1))

    slower = {part: time + cause.get(part, 0.0) for part, time in BASE.items()}
    changed = [{part: time * change.get(part, 1.0) for part, time in side.items()} for side in (BASE, slower)]
    return Cells(tps(BASE), tps(slower), *map(tps, changed))


def judged(cause: dict[str, float], change: dict[str, float], blocks: int = 8) -> InterventionOutcome:
    (one,) = judge_interventions({"commits": planted(cause, change, blocks)}, "tps", 8, 0.95)
    return one


@pytest.mark.parametrize(
    ("cause", "change", "word", "said"),
    [
        ({"sync": 60}, {"sync": 0.0}, "goes", "All of the loss goes away when commits do not sync"),
        (
            {"sync": 60, "work": 60},
            {"sync": 0.0},
            "goes-in-time",
            "of the loss in time for an operation goes",
        ),
        ({"work": 60}, {"sync": 0.0}, "none", "None of the loss goes away when commits"),
        ({"work": 60}, {"net": 40.0}, "diluted", "only because everything takes longer"),
        ({"work": 60}, {"work": 2.0}, "grows", "The loss grows when"),
        ({"work": 0.1}, {"work": 0.5}, "not-there", "was not certain without the intervention either"),
        ({"sync": -60}, {"sync": 0.0}, "goes", "All of the gain goes away"),
    ],
)
def test_words(cause: dict[str, float], change: dict[str, float], word: str, said: str) -> None:
    found = judged(cause, change)
    assert found.word == word
    assert said in outcome_sentence(load_words("en"), found)
    assert outcome_sentence(load_words("zh"), found).endswith("。")


def test_a_part_goes_away_with_its_interval() -> None:
    found = judged({"sync": 60, "net": 20}, {"sync": 0.5, "net": 0.1})
    assert found.word == "goes"
    assert "In time for an operation it is 59 % (" in outcome_sentence(load_words("en"), found)
    assert best([found, judged({"work": 60}, {"sync": 0.0})]) is found


def test_few_blocks_decide_nothing_and_say_how_many_more() -> None:
    found = judged({"sync": 60}, {"sync": 0.0}, blocks=4)
    assert (found.word, found.more_blocks) == ("undecided", 2)


def test_intervals_of_several_interventions_hold_together() -> None:
    one = planted({"sync": 60}, {"sync": 0.0})
    many = judge_interventions({str(number): one for number in range(5)}, "tps", 8, 0.95)
    assert {round(each.confidence, 4) for each in many} == {0.99}
    low, alone = many[0].share.low, judged({"sync": 60}, {"sync": 0.0}).share.low
    assert low is not None
    assert alone is not None
    assert low < alone
