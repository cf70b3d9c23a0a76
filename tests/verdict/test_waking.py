"""Waits for a processor that come with other waits, and those of busier processors."""

from __future__ import annotations

import pytest
from assay.results.verdict.why.run_ledger import RunLedger
from assay.results.verdict.why.wakes import with_their_waking

CLIENT_WAKES = ("runnable", "woken")


def run(waits: float, mean_us: float) -> RunLedger:
    """A transaction that waits for the client once and for a lock `waits` times, each for 100 us; after each
    wait it waits for a processor for `mean_us`.
    """
    amounts = {
        ("row-locks", "row lock"): 100 * waits,
        CLIENT_WAKES: mean_us,
        ("runnable", "woken after row-locks"): waits * mean_us,
        ("on-cpu", ""): 50.0,
    }
    amounts = {name: amount for name, amount in amounts.items() if amount}
    delays = {"": mean_us, **({"row-locks": mean_us} if waits else {})}
    return RunLedger("r", amounts, sum(amounts.values()), delays)


def of_group(ledger: RunLedger, group: str) -> float:
    return sum(amount for (name, _), amount in ledger.amounts.items() if name == group)


@pytest.mark.parametrize(
    ("before", "after", "locks", "runnable"),
    [
        (run(0, 40), run(5, 40), 5 * 140, 0.0),  # more waits on processors that are as busy
        (run(5, 40), run(5, 90), 0.0, 6 * 50),  # as many waits on busier processors
        (run(2, 40), run(5, 90), 3 * 140, 6 * 90 - 3 * 40 - 3 * 40),  # both: as long as in the quieter run
        (run(5, 90), run(2, 40), -3 * 140, -(6 * 90 - 3 * 40 - 3 * 40)),
        (run(0, 40), run(0, 90), 0.0, 50.0),
    ],
)
def test_more_waits_are_charged_for_their_waking_and_busier_processors_stay(
    before: RunLedger, after: RunLedger, locks: float, runnable: float
) -> None:
    was, now = with_their_waking(before, after)
    assert of_group(now, "row-locks") - of_group(was, "row-locks") == pytest.approx(locks)
    assert of_group(now, "runnable") - of_group(was, "runnable") == pytest.approx(runnable)
    for one, other in ((before, was), (after, now)):
        assert other.sum == pytest.approx(one.sum)
        assert min(other.amounts.values()) >= 0
        assert other.is_whole


def test_runs_of_which_no_waking_is_known_stay_as_they_are() -> None:
    old = RunLedger("old", {CLIENT_WAKES: 300.0, ("on-cpu", ""): 50.0}, 350.0)
    assert with_their_waking(old, old) == (old, old)
    assert with_their_waking(old, run(5, 40))[0] == old
