"""A machine whose speed varies: lines at one speed are named by chance as rarely as others, and intervals
hold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from assay.results.stats import Gate
from assay.results.verdict.compared import Place
from assay.results.verdict.why.ledgers import MOST_APART, compared
from assay.results.verdict.why.lines import PairedLines
from assay.results.verdict.why.records import MACHINE, LedgerShift
from assay.results.verdict.why.run_ledger import RunLedger
from assay.results.verdict.why.speed import at_one_speed

LEDGERS = 1_000
COSTS = np.array([12, 11, 10, 9, 8, 8, 7, 6, 5, 5, 4, 4, 3, 2.5, 2, 1.5, 1, 1]) / 4
PLACES = (Place("without", 4, "threads"), Place("with", 4, "threads"))
GATE = Gate.of(0.95)


def ledgers(change: float, of_generator: float = 0.0, speed_sd: float = 0.08) -> Sequence[LedgerShift]:
    """Simulated ledgers of eight blocks: the third line costs so many microseconds more, and the generator
    takes so much more, as a share.
    """
    random = np.random.default_rng(1)
    found = []
    for number in range(LEDGERS):
        sides: list[list[RunLedger]] = []
        for after in (False, True):
            runs = []
            for _ in range(8):
                slower = np.exp(random.normal(0, speed_sd))
                costs = COSTS * np.exp(random.normal(0, 0.02, COSTS.size))
                costs[2] += change * after
                costs *= slower * np.exp(random.normal(0, 0.01))
                own = 6 * (1 + of_generator * after) * slower * np.exp(random.normal(0, 0.01))
                amounts = {(f"group-{at}", ""): float(cost) for at, cost in enumerate(costs)}
                runs.append(RunLedger(str(number), amounts, float(costs.sum()), generator=float(own)))
            sides.append(runs)
        lines = at_one_speed(PairedLines(sides[0], sides[1], ()))
        found.append(compared("cpu", lines.gathered(MOST_APART), PLACES, GATE))
    return found


def named(found: Sequence[LedgerShift], but: str = "") -> float:
    """The share of ledgers that name a group."""
    return float(np.mean([any(one.group != but for one in ledger.named) for ledger in found]))


def test_equal_treatments_are_named_as_often_as_the_confidence_says() -> None:
    found = ledgers(0.0)
    assert np.mean([any(one.group == MACHINE for one in ledger.lines) for ledger in found]) > 0.9
    assert named(found) < 0.07


def test_what_was_planted_is_found_within_its_interval() -> None:
    found = ledgers(0.25)  # one hundredth of all
    lines = [next(one for one in ledger.lines if one.group == "group-2") for ledger in found]
    assert np.mean([one.word == "moved" for one in lines]) > 0.9
    held = [one.low < 0.25 < one.high for one in lines if one.low is not None and one.high is not None]
    assert 0.93 < np.mean(held) < 0.97
    assert named(found, "group-2") < 0.1
    for ledger in found:
        assert sum(one.change for one in ledger.groups) == pytest.approx(ledger.change, abs=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("of_generator", [-0.2, -0.05, 0.02, 0.05, 0.1, 0.2])
def test_a_generator_with_more_to_do_is_not_taken_for_a_slow_machine(of_generator: float) -> None:
    assert named(ledgers(0.0, of_generator)) < 0.1


def test_where_the_speed_does_not_vary_lines_stay_as_they_are() -> None:
    found = ledgers(0.0, speed_sd=0.0)
    assert np.mean([any(one.group == MACHINE for one in ledger.lines) for ledger in found]) < 0.05
    assert named(found) < 0.07
