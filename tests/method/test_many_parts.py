"""A claim about several rungs falls with one of them: no more often by chance than a claim about one."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats.region import around
from assay.results.verdict.decision import Contrast, Outcome, all_of, refuted_together, whole
from assay.results.verdict.question import Question

STUDIES = 2000
RUNGS, BLOCKS = 7, 6
GREATER = Question(">", around(1.0, 0.02), of_treatments=True)


def parts(seed: int, ratio: float, noise: float, alike: float) -> list[list[tuple[Contrast, ...]]]:
    """Log-ratios of every study, rung and block; `alike` is what a block's rungs share of their noise."""
    random = np.random.default_rng(seed)
    shape = (STUDIES, RUNGS, BLOCKS)
    shared = random.normal(size=(STUDIES, 1, BLOCKS)) * alike**0.5
    logs = np.log(ratio) + noise * 2**0.5 * (shared + random.normal(size=shape) * (1 - alike) ** 0.5)
    return [[GREATER.of_logs(rung) for rung in study] for study in logs]


@pytest.mark.parametrize("alike", [0.0, 0.7])
def test_a_claim_that_is_true_by_a_hair_is_seldom_refuted(alike: float) -> None:
    alone, together = 0, 0
    for study in parts(1, 1.021, 0.02, alike):

        def decide(number: int, level: float, study: list[tuple[Contrast, ...]] = study) -> Outcome:
            return all_of(study[number], level)

        alone += any(decide(number, 0.95) == "refuted" for number in range(RUNGS))
        together += bool(
            refuted_together([lambda level, n=n: decide(n, level) for n in range(RUNGS)], 0.95)  # type: ignore[misc]
        )
    assert alone / STUDIES >= 0.07  # each at the full level: three to five times as often as stated
    assert together / STUDIES <= 0.035  # 2.5 % and luck


def test_support_needs_no_correction() -> None:
    """All seven on the very edge of not being greater: all of them must err at once."""
    called = [
        whole([all_of(rung, 0.95) for rung in study]) == "supported" for study in parts(2, 1.02, 0.02, 0.7)
    ]
    assert np.mean(called) <= 0.025


def test_what_is_false_everywhere_is_still_refuted() -> None:
    found = [
        refuted_together([lambda level, one=one: all_of(one, level) for one in study], 0.95)  # type: ignore[misc]
        for study in parts(3, 0.95, 0.01, 0.0)[:300]
    ]
    assert np.mean([bool(refuted) for refuted in found]) >= 0.99
