"""Simulates studies that run until they are decided, on ratios that break what intervals assume.

`python tests/method/test_wary_looks.py` prints the tables of docs/method/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from assay.results.stats import around, course_of, far_from_others, two_kinds
from assay.results.stats.sequential import looks_until, nominal_level
from assay.results.verdict.decision import Edges, wary
from assay.results.verdict.question import Question
from assay.results.verdict.ratio_course import doubts_of_ratio
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LOOKS = looks_until(40, 6)
CONFIDENCE = 1 - nominal_level(LOOKS, 0.95)
NOISE = 0.07  # of a log-ratio: two runs at 5 % each
EDGE = float(np.log(1.02))


def autoregressive(random: np.random.Generator, lag: float, blocks: int = 40) -> Floats:
    steps = random.standard_normal(blocks)
    for block in range(1, blocks):
        steps[block] = lag * steps[block - 1] + np.sqrt(1 - lag**2) * steps[block]
    return steps


Draw = Callable[[np.random.Generator], Floats]
CASES: dict[str, Draw] = {
    "white": lambda random: NOISE * random.standard_normal(40),
    "alike 0.3": lambda random: NOISE * autoregressive(random, 0.3),
    "alike 0.6": lambda random: NOISE * autoregressive(random, 0.6),
    "alike 0.8": lambda random: NOISE * autoregressive(random, 0.8),
    "exponential, on the edge": lambda random: EDGE + NOISE * (1 - random.standard_exponential(40)),
    "lognormal, on the edge": lambda random: (
        EDGE + NOISE / 2.16 * (np.exp(0.5) - np.exp(random.standard_normal(40)))
    ),
    "white, on the edge": lambda random: EDGE + NOISE * random.standard_normal(40),
    "effect of 10 %": lambda random: np.log(1.1) + NOISE * random.standard_normal(40),
    "effect of 20 %": lambda random: np.log(1.2) + NOISE * random.standard_normal(40),
}


def word_at_the_end(logs: Floats) -> tuple[str, int]:
    """The word with which the study ends, by the function that judges, and at how many blocks."""
    for blocks in LOOKS:
        if doubts_of_ratio(logs[:blocks]):
            continue
        for word, relation in (("better", ">"), ("worse", "<"), ("same", "~")):
            question = Question(relation, around(1.0, 0.02), of_treatments=True)  # type: ignore[arg-type]
            if wary(Edges(question.of_logs(logs[:blocks]))).decide(CONFIDENCE) == "supported":
                return word, blocks
    return "undecided", LOOKS[-1]


def ended(case: str, studies: int) -> tuple[float, float, float]:
    """Shares of studies that end with "better" or "worse", and with any word; the mean number of blocks."""
    random = np.random.default_rng(2)
    found = [word_at_the_end(CASES[case](random)) for _ in range(studies)]
    differing = sum(word in ("better", "worse") for word, _ in found) / studies
    decided = sum(word != "undecided" for word, _ in found) / studies
    return differing, decided, sum(blocks for _, blocks in found) / studies


@pytest.mark.parametrize("case", ["alike 0.8", "lognormal, on the edge"])
def test_wrong_words_stay_rare_where_blocks_do_not_stand_for_each_other(case: str) -> None:
    assert ended(case, 120)[0] <= 0.09  # nominal 0.05, with the error of so few studies


def test_an_effect_is_still_found() -> None:
    differing, _, blocks = ended("effect of 20 %", 60)
    assert differing > 0.9
    assert blocks < 14


def raised(draw: Callable[[np.random.Generator], Floats], studies: int) -> tuple[float, float, float]:
    """Shares of series with each doubt: drifts, an outlying start, two modes."""
    random = np.random.default_rng(3)
    found = []
    for _ in range(studies):
        logs = draw(random)
        course = course_of(logs)
        found.append(
            (
                course is not None and course.is_seen(),
                bool(far_from_others(logs)),
                two_kinds(logs) is not None,
            )
        )
    shares = np.mean(np.array(found, dtype=np.float64), axis=0)
    return float(shares[0]), float(shares[1]), float(shares[2])


def test_blocks_of_white_noise_are_seldom_doubted() -> None:
    for blocks in (6, 12, 40):
        drifts, outlying, modes = raised(lambda random, n=blocks: random.standard_normal(n), 800)  # type: ignore[misc]
        assert drifts <= 0.05
        assert outlying <= 0.02
        assert modes <= 0.02


@pytest.mark.sampled(1)
@pytest.mark.parametrize("among", [1, 8])
@pytest.mark.parametrize("blocks", [6, 8, 20, 50])
def test_heavy_tails_are_seldom_called_starts_of_another_kind(blocks: int, among: int) -> None:
    random = np.random.default_rng(4)

    def share(draw: Callable[[tuple[int, int]], Floats], studies: int = 200) -> float:
        rows = (draw((among, blocks)) for _ in range(studies))
        return float(np.mean([any(far_from_others(one, among) for one in row) for row in rows]))

    assert share(random.standard_normal) <= 0.05
    assert share(lambda shape: random.standard_t(3, shape)) <= 0.13  # 0.1, with the error of so few


def test_neighbours_that_are_alike_are_doubted_where_blocks_suffice() -> None:
    assert raised(lambda random: autoregressive(random, 0.5, 60), 400)[0] >= 0.9
    assert raised(lambda random: autoregressive(random, 0.8, 30), 400)[0] >= 0.9


if __name__ == "__main__":
    for name in CASES:
        print(name, *(f"{one:.3f}" for one in ended(name, 1000)), flush=True)
    for n in (6, 10, 20, 30, 40, 50, 60):
        rows: list[Draw] = [
            lambda random, n=n: random.standard_normal(n),  # type: ignore[misc]
            lambda random, n=n: random.standard_t(3, n),  # type: ignore[misc]
            lambda random, n=n: autoregressive(random, 0.5, n),  # type: ignore[misc]
            lambda random, n=n: autoregressive(random, 0.8, n),  # type: ignore[misc]
        ]
        print(n, [[f"{100 * one:.1f}" for one in raised(draw, 2000)] for draw in rows], flush=True)
