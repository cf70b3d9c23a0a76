"""The largest and the smallest of a row, cell against cell: noise alone makes none of them greater."""

from __future__ import annotations

import numpy as np
import pytest
from assay.design.study import parse_claim
from assay.results.stats import Gate
from assay.results.verdict.claims import found
from assay.results.verdict.claims.finding import JudgingContext
from assay.results.verdict.claims.weigh import weigh
from assay.results.verdict.decision import whole
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment
from spoken import english

TREATMENTS = [Treatment(f"a={a}, b={b}", {"a": str(a), "b": b}) for a in (1, 2, 4, 8, 16) for b in ("x", "y")]


def outcome(claim: str, x: list[float], y: list[float], *, noise: float = 0.001, seed: int = 1) -> str:
    """`x`, `y`: values of b=x and b=y along a."""
    random = np.random.default_rng(seed)
    means = {one.name: (x if one.levels["b"] == "x" else y)[n // 2] for n, one in enumerate(TREATMENTS)}
    values = {
        ("tps", name, 8.0): {block: mean * float(np.exp(random.normal(0, noise))) for block in range(1, 7)}
        for name, mean in means.items()
    }
    seen = Observations(values, {"tps": "/s"})
    judging = JudgingContext(seen, TREATMENTS, (8.0,), "threads", 0.95, 0.02)
    return whole(
        [one.part.outcome for one in weigh(tuple(found(parse_claim(claim), judging)), seen, Gate.of(0.95))]
    )


LEVEL, RISING = [100.0] * 5, [100.0, 120.0, 140.0, 160.0, 180.0]
FALLING = RISING[::-1]


@pytest.mark.parametrize(
    ("claim", "true", "false"),
    [
        ("max tps over a > tps[a=1]", (RISING, RISING), (FALLING, FALLING)),
        ("max tps over a ~ tps[a=1]", (FALLING, FALLING), (RISING, RISING)),
        ("min tps over a < tps[a=1]", (FALLING, FALLING), (RISING, RISING)),
        ("tps[a=1] < max tps over a", (RISING, RISING), (FALLING, FALLING)),
        ("max tps[b=x] over a > max tps[b=y] over a", (RISING, LEVEL), (LEVEL, RISING)),
        ("max tps[b=x] over a >= max tps[b=y] over a", (RISING, FALLING), (LEVEL, RISING)),
        ("max tps[b=x] over a > min tps[b=y] over a", (RISING, RISING), (LEVEL, LEVEL)),
        ("min tps[b=x] over a < min tps[b=y] over a", ([80.0, *RISING[1:]], RISING), (RISING, RISING)),
        ("min tps[b=x] over a >= max tps[b=y] over a", ([180.0] * 5, RISING), (RISING, RISING)),
        ("max tps[b=x] over a > max tps[b=y] over a by 10 to 30 %", ([120] * 5, LEVEL), ([150] * 5, LEVEL)),
    ],
)  # fmt: skip
def test_a_row_is_held_against_another_side(
    claim: str, true: tuple[list[float], list[float]], false: tuple[list[float], list[float]]
) -> None:
    assert outcome(claim, *true) == "supported"
    assert outcome(claim, *false) == "refuted"


def test_noise_alone_makes_no_maximum_greater() -> None:
    """The largest value of each block is above that of one cell in nearly all of these."""
    outcomes = [
        outcome("max tps over a > tps[a=1] at b = x", LEVEL, LEVEL, noise=0.05, seed=n) for n in range(40)
    ]
    assert outcomes.count("supported") <= 2


def test_levels_without_an_order_are_first_and_last_as_the_study_lists_them() -> None:
    treatments = [Treatment(f"s={s}", {"s": s}) for s in ("none", "mq-deadline", "bfq")]
    values = {
        ("tps", one.name, 8.0): {block: mean + 0.1 * block for block in range(1, 7)}
        for one, mean in zip(treatments, (150.0, 100.0, 90.0), strict=True)
    }
    seen = Observations(values, {"tps": "/s"})
    judging = JudgingContext(seen, treatments, (8.0,), "threads", 0.95, 0.02)
    (one,) = weigh(tuple(found(parse_claim("best tps over s is first"), judging)), seen, Gate.of(0.95))
    assert one.part.outcome == "supported"
    assert english(one.said).startswith("best tps at 8 threads lies at none ")
