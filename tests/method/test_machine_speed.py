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
from assay.results.verdict.why.records import ALIKE, MACHINE, LedgerShift
from assay.results.verdict.why.run_ledger import RunLedger
from assay.results.verdict.why.speed import at_one_speed

LEDGERS = 1_000
COSTS = np.array([12, 11, 10, 9, 8, 8, 7, 6, 5, 5, 4, 4, 3, 2.5, 2, 1.5, 1, 1]) / 4
PLACES = (Place("without", 4, "threads"), Place("with", 4, "threads"))
GATE = Gate.of(0.95)


def ledgers(
    change: float,
    of_generator: float | None = 0.0,
    speed_sd: float = 0.08,
    dearer: Sequence[int] = (),
    by: float = 0.0,
    count: int = LEDGERS,
) -> Sequence[LedgerShift]:
    """Simulated ledgers of eight blocks: the third line costs so many microseconds more, and the generator
    takes so much more, as a share, or is not counted. `dearer` are lines that cost more `by` another share.
    """
    random = np.random.default_rng(1)
    found = []
    for number in range(count):
        sides: list[list[RunLedger]] = []
        for after in (False, True):
            runs = []
            for _ in range(8):
                slower = np.exp(random.normal(0, speed_sd))
                costs = COSTS * np.exp(random.normal(0, 0.02, COSTS.size))
                costs[2] += change * after
                costs[list(dearer)] *= 1 + by * after
                costs *= slower * np.exp(random.normal(0, 0.01))
                own = 6 * (1 + (of_generator or 0) * after) * slower * np.exp(random.normal(0, 0.01))
                generator = None if of_generator is None else float(own)
                amounts = {(f"group-{at}", ""): float(cost) for at, cost in enumerate(costs)}
                runs.append(RunLedger(str(number), amounts, float(costs.sum()), generator=generator))
            sides.append(runs)
        lines = at_one_speed(PairedLines(sides[0], sides[1], ()))
        found.append(compared("cpu", lines.gathered(MOST_APART), PLACES, GATE))
    return found


def named(found: Sequence[LedgerShift], but: str = "") -> float:
    """The share of ledgers that name a group."""
    return float(np.mean([any(one.group != but for one in ledger.named) for ledger in found]))


def is_taken(found: Sequence[LedgerShift], name: str) -> float:
    """The share of ledgers with a line of this name."""
    return float(np.mean([any(one.group == name for one in ledger.lines) for ledger in found]))


def test_equal_treatments_are_named_as_often_as_the_confidence_says() -> None:
    found = ledgers(0.0)
    assert is_taken(found, MACHINE) > 0.9
    assert named(found) < 0.07


@pytest.mark.parametrize("of_generator", [0.0, -0.04, 0.04, None])
def test_what_was_planted_is_found_within_its_interval(of_generator: float | None) -> None:
    found = ledgers(0.25, of_generator)  # one hundredth of all
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
    found = ledgers(0.0, of_generator)
    assert named(found) < 0.07
    assert is_taken(found, MACHINE) < 0.5


@pytest.mark.parametrize("by", [0.05, 0.2])
def test_what_makes_all_lines_dearer_is_said_of_all(by: float) -> None:
    found = ledgers(0.0, dearer=range(COSTS.size), by=by)
    assert is_taken(found, ALIKE) > 0.9
    assert named(found, ALIKE) < 0.07


@pytest.mark.parametrize("by", [0.05, 0.2, 4.0, 30.0])
@pytest.mark.parametrize("dearer", [(0,), (0, 1), range(0, COSTS.size, 3), range(0, COSTS.size, 2)], ids=len)
def test_lines_that_stay_are_not_made_cheaper_by_those_that_do_not(dearer: Sequence[int], by: float) -> None:
    found = ledgers(0.0, dearer=dearer, by=by, count=LEDGERS // 4)
    stayed = [f"group-{at}" for at in range(COSTS.size) if at not in dearer]
    assert np.mean([any(one.group in stayed for one in ledger.named) for ledger in found]) < 0.07


def test_where_the_speed_does_not_vary_nothing_is_said_of_it() -> None:
    found = ledgers(0.0, speed_sd=0.0)
    assert is_taken(found, MACHINE) < 0.05
    assert named(found) < 0.07
