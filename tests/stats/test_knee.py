"""The search for the highest rate, on simulated servers with a known knee."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from assay.results.stats.knee import End, Knee, KneeSearch

OPERATIONS = 2000
Server = Callable[[float], int]


def search(server: Server, **options: float) -> tuple[Knee, list[float]]:
    seeking, asked = KneeSearch(1000, 0.99, **options), []
    while (rate := seeking.next_rate()) is not None:
        asked.append(rate)
        seeking.tell(rate, server(rate), OPERATIONS)
    return seeking.knee(), asked


def wall(at: float) -> Server:
    return lambda rate: OPERATIONS if rate > at else 0


@pytest.mark.parametrize("at", [30, 400, 870, 1100])
def test_a_wall_is_found(at: float) -> None:
    found, asked = search(wall(at))
    assert found.low <= at <= found.high
    assert found.rate == pytest.approx(at, rel=0.1)
    assert found.probes == len(asked)


def test_more_precision_takes_more_probes() -> None:
    rough, _ = search(wall(870), precision=0.3, budget=100)
    fine, _ = search(wall(870), precision=0.05, budget=100)
    assert (rough.end, fine.end) == (End.PRECISE, End.PRECISE)
    assert rough.probes < fine.probes
    assert (fine.high / fine.low) ** 0.5 <= 1.05 + 1e-9


def test_the_budget_is_kept_and_said() -> None:
    found, asked = search(wall(870), budget=7)
    assert (found.end, found.probes, len(asked)) == (End.BUDGET, 7, 7)
    assert found.low < 870 < found.high


def test_an_objective_that_is_never_met_ends_early_and_says_below_what() -> None:
    found, asked = search(lambda _: OPERATIONS, lowest=20)
    assert (found.end, found.rate, found.low) == (End.NEVER_MET, None, None)
    assert found.high == min(asked)
    assert 20 <= found.high < 23
    assert len(asked) < 12


def test_an_objective_that_is_always_met_says_above_what() -> None:
    found, asked = search(lambda _: 0)
    assert (found.end, found.rate, found.high) == (End.ALWAYS_MET, None, None)
    assert found.low == max(asked) > 300_000


@pytest.mark.parametrize(("times", "stalled"), [(2, 0), (50, 2)])
def test_a_capacity_that_was_misjudged_is_no_bound_of_the_answer(times: int, stalled: int) -> None:
    """The closed loop's window was shorter than a transaction; one window may stall besides."""
    asked, at = 0, 1000 * times

    def server(rate: float) -> int:
        nonlocal asked
        asked += 1
        return OPERATIONS if asked == stalled else wall(at)(rate)

    found, _ = search(server)
    assert found.low <= at <= found.high


def test_one_stalled_window_does_not_lead_it_astray() -> None:
    asked = 0

    def server(rate: float) -> int:
        nonlocal asked
        asked += 1
        return OPERATIONS if asked == 2 else wall(700)(rate)

    found, _ = search(server)
    assert found.low <= 700 <= found.high


def test_rates_are_told_that_were_not_asked_for() -> None:
    seeking = KneeSearch(1000, 0.99)
    for rate in (100, 200, 300, 400):
        seeking.tell(rate, 0, OPERATIONS)
    assert seeking.next_rate() > 400


@pytest.mark.parametrize(
    ("capacity", "share", "options"),
    [(0, 0.99, {}), (10, 1.0, {}), (10, 0.99, {"precision": 0}), (10, 0.99, {"budget": 0})],
)
def test_impossible_searches_are_refused(capacity: float, share: float, options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="a search needs"):
        KneeSearch(capacity, share, **options)


def test_an_empty_window_is_refused() -> None:
    with pytest.raises(ValueError, match="0 of 0"):
        KneeSearch(1000, 0.99).tell(10, 0, 0)
