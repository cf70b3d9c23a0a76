"""The search for the first bad build, with judges that are right, noisy, or do not know."""

from __future__ import annotations

import numpy as np
import pytest
from assay.experiments.history.search import Answer, Bracket, error_of, first_bad, looks_of
from assay.results.stats import paired_ratio


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 9, 17, 40])
def test_every_place_is_found_in_no_more_steps_than_halving_takes(count: int) -> None:
    for first in range(1, count):
        asked: list[int] = []

        def ask(place: int, first: int = first, asked: list[int] = asked) -> Answer:
            asked.append(place)
            return "bad" if place >= first else "good"

        assert first_bad(count, ask) == Bracket(first - 1, first)
        assert 1 + len(asked) <= looks_of(count)
        assert not {0, count - 1} & set(asked)  # the ends are known


def test_what_is_unknown_is_passed_over_and_leaves_the_answer_open_only_where_it_matters() -> None:
    def ask(place: int) -> Answer:
        return "unknown" if place in (3, 4) else "bad" if place >= 5 else "good"

    found = first_bad(8, ask)
    assert found == Bracket(2, 5)
    assert not found.is_closed
    assert first_bad(8, lambda place: "unknown" if place == 3 else "bad" if place >= 6 else "good").is_closed
    assert first_bad(5, lambda _: "unknown") == Bracket(0, 4)


@pytest.mark.parametrize("count", [2, 3, 5, 9, 20, 100])
def test_all_comparisons_that_can_be_made_have_the_error_together(count: int) -> None:
    """The two ends are compared too, and builds that were skipped in vain."""
    asked: list[int] = []
    first_bad(count, lambda place: asked.append(place) or "unknown")  # type: ignore[func-returns-value]
    errors = [error_of(number, count, 0.05) for number in range(1, 2 + len(asked))]
    assert sum(errors) <= 0.05 * (1 + 1e-9)
    usual = sum(errors[: looks_of(count)])
    assert usual >= 0.9 * 0.05 * (1 - 1e-9), "what is usual loses little to what is rare"


def test_one_is_no_row() -> None:
    with pytest.raises(ValueError, match="good one"):
        first_bad(1, lambda _: "good")


def test_a_noisy_judge_finds_the_build_in_nearly_all_searches() -> None:
    """Twenty builds, a step of 4 % somewhere, 1 % noise of a run, intervals as of one of five steps."""
    random, count, right, wrong, searches = np.random.default_rng(11), 20, 0, 0, 200
    confidence = 1 - error_of(2, count, 0.05)
    half_way = 1.04**0.5
    for _ in range(searches):
        first = int(random.integers(1, count))

        def ask(place: int, first: int = first) -> Answer:
            level = 1.0 if place < first else 1.04
            for blocks in (15, 40):  # of 15, the interval may be open; of 40 hardly ever
                good, other = np.exp(random.normal(0, 0.01, (2, blocks)))
                found = paired_ratio(other * half_way, good * level, confidence)
                assert found.low is not None
                assert found.high is not None
                if found.low > 1 or found.high < 1:
                    return "bad" if found.low > 1 else "good"
            return "unknown"

        bracket = first_bad(count, ask)
        right += bracket == Bracket(first - 1, first)
        wrong += not bracket.good < first <= bracket.bad
    assert right >= 0.95 * searches
    assert wrong <= 0.05 * searches
