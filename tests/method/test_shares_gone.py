"""Simulates interventions: the interval of the share that goes away holds the truth, equal treatments lose
nothing, and what is undecided says how many blocks more.

`python tests/method/test_shares_gone.py` prints the table of docs/method/interventions.md.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from assay.results.stats import share_gone
from assay.results.verdict import Cells, judge_interventions

NOISE = 0.01  # of a single run


def cells(random: np.random.Generator, blocks: int, loss: float, share: float) -> Cells:
    """Runs whose time for a transaction is 1; the second treatment takes `loss` more, of which an
    intervention, that makes nothing else faster, takes a share away.
    """
    of_blocks = random.normal(0, 0.05, blocks)
    times = (1.0, 1 + loss, 1.0, 1 + loss * (1 - share))
    return Cells(
        *(
            dict(enumerate(np.exp(-np.log(time) + of_blocks + random.normal(0, NOISE, blocks)), start=1))
            for time in times
        )
    )


def words(blocks: int, loss: float, share: float, studies: int) -> tuple[Counter[str], float]:
    """The words of so many studies, and how often the interval holds the share where there is one."""
    random = np.random.default_rng([blocks, round(1000 * loss), round(100 * share)])
    said: Counter[str] = Counter()
    held = known = 0
    truth = 1 - np.log1p(loss * (1 - share)) / np.log1p(loss) if loss else 0.0
    for _ in range(studies):
        (one,) = judge_interventions({"x": cells(random, blocks, loss, share)}, "tps", 8, 0.95)
        said[one.word] += 1
        if one.share.low is not None and one.share.high is not None:
            known += 1
            held += one.share.low <= truth <= one.share.high
    return said, held / max(known, 1)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("blocks", [6, 12])
def test_the_interval_holds_the_share_that_goes_away(blocks: int, share: float) -> None:
    said, held = words(blocks, 0.10, share, 300)
    assert 0.915 <= held <= 0.985  # 95 %, with 2.8 standard errors of so few studies
    assert said["not-there"] == 0
    if share == 0.0:
        assert said["goes"] <= 12  # both scales must say so: at most 2.5 % for certain, and chance
    else:
        assert said["goes"] >= 285


def test_of_equal_treatments_no_share_is_told() -> None:
    said, _ = words(8, 0.0, 0.0, 300)
    assert said["not-there"] >= 275
    assert said["goes"] <= 12


def test_the_blocks_that_it_asks_for_decide() -> None:
    random = np.random.default_rng(7)
    asked = [
        one.more_blocks
        for _ in range(60)
        for one in judge_interventions({"x": cells(random, 6, 0.03, 0.6)}, "tps", 8, 0.95)
        if one.word == "undecided" and one.more_blocks is not None
    ]
    assert asked
    enough = 6 + round(float(np.median(asked)))
    assert words(enough, 0.03, 0.6, 60)[0]["goes"] >= 36


def test_the_set_is_unbounded_where_the_difference_is_not_certain() -> None:
    found = share_gone([0.1, -0.1, 0.05, -0.02], [0.0, 0.0, 0.0, 0.0])
    assert (found.low, found.high) == (None, None)


if __name__ == "__main__":
    print("| blocks | loss | goes away | interval holds it | goes | none | undecided | not there |")
    print("|---|---|---|---|---|---|---|---|")
    for count in (6, 8, 12):
        for lost, gone in ((0.10, 0.0), (0.10, 0.5), (0.10, 0.9), (0.03, 0.0), (0.03, 0.9), (0.0, 0.0)):
            by_word, share_held = words(count, lost, gone, 2000)
            shown = (by_word[word] / 20 for word in ("goes", "none", "undecided", "not-there"))
            holds = f"{100 * share_held:.1f} %" if lost else "–"
            print(
                f"| {count} | {100 * lost:.0f} % | {100 * gone:.0f} % | {holds} | "
                + " | ".join(f"{s:.1f} %" for s in shown)
                + " |"
            )
