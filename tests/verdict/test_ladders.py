"""Beside its parts at each load point, a comparison has one value over all of them together."""

from __future__ import annotations

import numpy as np
import pytest
from believed import ONE, TWO, believed
from spoken import english

LOADS = (1.0, 8.0, 64.0)


def rows(ratios: tuple[float, ...], noise: float) -> dict[tuple[str, float], np.ndarray]:
    random = np.random.default_rng(3)
    found = {}
    for load, ratio in zip(LOADS, ratios, strict=True):
        base = 1000 * np.exp(random.normal(0, noise, 6))
        found[ONE, load] = base
        found[TWO, load] = base * ratio * np.exp(random.normal(0, noise, 6))
    return found


def test_the_ladder_has_the_mean_of_the_logarithms_of_each_block() -> None:
    values = rows((1.1, 1.2, 1.3), 0.01)
    judged = believed("tps[a=2] > tps[a=1]", values)
    (whole,) = judged.ladders
    logs = np.mean([np.log(values[TWO, load] / values[ONE, load]) for load in LOADS], axis=0)
    assert whole.figure.value == pytest.approx(np.exp(logs.mean()))
    half = 2.5706 * logs.std(ddof=1) / 6**0.5
    assert whole.figure.low == pytest.approx(np.exp(logs.mean() - half), rel=1e-4)
    assert (whole.name, whole.loads, whole.blocks) == ("tps a=2 / a=1", 3, 6)
    assert "Over all 3 load points together: 1." in english(judged.explanation)


def test_it_is_surer_than_its_parts_and_decides_nothing() -> None:
    judged = believed("tps[a=2] > tps[a=1]", rows((1.06, 1.06, 1.06), 0.03))
    assert judged.outcome == "undecided"
    (whole,) = judged.ladders
    widths = [part.figure.high - part.figure.low for part in judged.parts]
    assert whole.figure.high - whole.figure.low < 0.8 * np.mean(widths)
    assert english(judged.explanation).index("together") < english(judged.explanation).index("more blocks")


@pytest.mark.parametrize("claim", ["tps[a=2, threads=8] > tps[a=1, threads=8]", "tps[a=2] > 5"])
def test_one_load_point_and_levels_have_none(claim: str) -> None:
    assert believed(claim, rows((1.1, 1.1, 1.1), 0.01)).ladders == ()
