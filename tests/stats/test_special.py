"""The distribution functions against SciPy's, over wide ranges, to eleven digits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from assay.results.stats import rank_agreement, special
from assay.results.stats.usl import _positive_fits
from scipy import special as referee
from scipy.optimize import nnls
from scipy.stats import kendalltau, spearmanr

DEGREES = (1.0, 1.5, 2.0, 3.0, 5.7, 8.0, 20.0, 99.0, 1000.0)
SHARES = (1e-300, 1e-12, 1e-5, 0.01, 0.025, 0.2, 0.3, 0.49, 0.5, 0.7, 0.9, 0.975, 0.9995)
SIZES = (0.0, 1e-3, 0.1, 0.5, 1.0, 3.0, 8.0, 50.0, 1e6)
CASES: dict[str, tuple[Callable[..., float], Callable[..., float], list[tuple[float, ...]]]] = {
    "stdtr": (special.stdtr, referee.stdtr, [*product(DEGREES, (*SIZES, *(-t for t in SIZES)))]),
    "stdtrit": (special.stdtrit, referee.stdtrit, [*product(DEGREES, SHARES[1:])]),
    "ndtr": (special.ndtr, referee.ndtr, [(z,) for z in (-37.0, -8.0, -1.0, 0.0, 2.0, 9.0)]),
    "ndtri": (special.ndtri, referee.ndtri, [(p,) for p in (0.0, *SHARES, 1.0)]),
    "chdtri": (special.chdtri, referee.chdtri, [*product(DEGREES, SHARES[1:])]),
    "gammaln": (special.gammaln, referee.gammaln, [(x,) for x in (1e-9, 0.5, 3.3, 40.0, 1e9)]),
    "gammaincinv": (special.gammaincinv, referee.gammaincinv, [*product((0.5, 1.0, 2.5, 500.0), SHARES)]),
    "fdtrc": (special.fdtrc, referee.fdtrc, [*product((1, 2, 5, 30), (1, 4, 60, 500), SIZES)]),
    "betaincinv": (special.betaincinv, referee.betaincinv, [*product((1, 60, 999), (1, 4, 900), SHARES)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_function_has_the_values_of_its_referee(name: str) -> None:
    ours, theirs, arguments = CASES[name]
    found = [float(ours(*one)) for one in arguments]
    assert found == pytest.approx([float(theirs(*one)) for one in arguments], rel=1e-11, abs=0, nan_ok=True)


def test_the_power_of_a_t_test_is_that_of_the_noncentral_t() -> None:
    arguments = list(product((1, 2, 5, 30, 197), (0.0, 0.5, 3.0, 9.0, 30.0), (0.5, 2.0, 12.7, 31.8)))
    found = [special.nctdtr(*one) for one in arguments]
    assert found == pytest.approx([float(referee.nctdtr(*one)) for one in arguments], abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 8, 98])
def test_many_values_of_t_at_once_have_the_probabilities_of_single_ones(degrees: int) -> None:
    t = np.array([-9.0, -2.0, 0.0, 0.3, 5.0])
    expected = 2 * referee.stdtr(degrees, -np.abs(t))
    assert special.two_sided(degrees, t) == pytest.approx(expected, abs=5e-15)


def test_fits_without_a_negative_coefficient_are_the_nearest() -> None:
    random = np.random.default_rng(4)
    for _ in range(5):
        designs, wanted = random.normal(0.2, 1, (10, 6, 3)), random.normal(0.2, 1, 6)
        expected = np.array([nnls(design, wanted)[0] for design in designs])
        assert _positive_fits(designs, wanted) == pytest.approx(expected, abs=1e-12)


def test_ranks_with_ties_agree_as_the_referee_says() -> None:
    random = np.random.default_rng(5)
    for size in (3, 8, 40):
        left, right = random.integers(0, 5, size).tolist(), random.integers(0, 9, size).tolist()
        found = rank_agreement(left, right)
        assert found is not None
        assert found.spearman == pytest.approx(spearmanr(left, right).statistic, abs=1e-14)
        assert found.kendall == pytest.approx(kendalltau(left, right).statistic, abs=1e-14)
