"""Hosts that disagree: how often the doubt is raised where they agree, and how often where they do not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from assay.results.stats import heterogeneity
from assay.results.verdict.agreement import HostAgreement, HostRatio
from assay.results.verdict.doubts.hosts import hosts_disagree
from numpy.typing import NDArray
from scipy.special import chdtrc

Floats = NDArray[np.float64]
STUDIES = 1000
MARGIN = 0.02
SIZES = [(2, 3, 1), (3, 2, 4), (5, 4, 6)]
"""Hosts, blocks on each, comparisons (all with one baseline)."""


def noise(kind: str, random: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """One run each, with a standard deviation of 5 %."""
    match kind:
        case "t3":
            return 0.05 / math.sqrt(3) * random.standard_t(3, shape)
        case "slow":  # now and then a slow run
            return 0.05 * (1 - random.exponential(1, shape))
    return random.normal(0, 0.05, shape)


def study(
    kind: str, random: np.random.Generator, hosts: int, blocks: int, others: int, apart: float = 0.0
) -> list[HostAgreement]:
    """What a study finds whose hosts differ in speed by half, and in one comparison's true logarithm by a
    standard deviation of `apart`.
    """
    logs = noise(kind, random, (1 + others, hosts, blocks)) + random.normal(0, 0.5, (1, hosts, 1))
    logs[1] += apart * random.normal(0, 1, (hosts, 1))
    found = []
    for ratios in logs[1:] - logs[0]:
        tested = heterogeneity(list(ratios))
        by_host = tuple(
            HostRatio(f"h{number}", blocks, float(np.exp(its.mean())), None, None)
            for number, its in enumerate(ratios)
        )
        p_value = None if tested is None else tested.p_value
        found.append(HostAgreement("tps", 8, "a", "b", MARGIN, by_host, p_value, None))
    return found


def raised(
    kind: str, hosts: int, blocks: int, others: int, apart: float = 0.0, studies: int = STUDIES
) -> float:
    """How often the doubt is raised."""
    random = np.random.default_rng(1)
    found = [list(hosts_disagree(study(kind, random, hosts, blocks, others, apart))) for _ in range(studies)]
    return sum(map(len, found)) / studies


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("hosts", "blocks", "others"), SIZES)
@pytest.mark.parametrize("kind", ["normal", "t3", "slow"])
def test_hosts_that_agree_are_rarely_doubted(kind: str, hosts: int, blocks: int, others: int) -> None:
    """One study in a hundred, luck of 1,000 studies apart."""
    assert raised(kind, hosts, blocks, others) <= 0.01 + 2.5 * math.sqrt(0.01 / STUDIES)


@pytest.mark.parametrize(
    ("hosts", "blocks", "apart", "found"), [(2, 6, 0.4, 0.7), (4, 4, 0.3, 0.9), (10, 4, 0.2, 0.95)]
)
def test_hosts_that_disagree_are_found(hosts: int, blocks: int, apart: float, found: float) -> None:
    assert raised("normal", hosts, blocks, 4, apart, studies=300) >= found


def test_the_p_value_is_uniform_where_that_of_cochran_is_not() -> None:
    """Cochran's Q takes the variances within hosts as known: with three blocks a host, it is not."""
    random = np.random.default_rng(2)
    p, of_q = [], []
    for _ in range(STUDIES):
        logs = random.normal(0, 0.05, (4, 3))
        tested = heterogeneity(list(logs))
        assert tested is not None
        p.append(tested.p_value)
        weights = logs.shape[1] / logs.var(axis=1, ddof=1)
        means = logs.mean(axis=1)
        of_q.append(float(chdtrc(3, weights @ (means - np.average(means, weights=weights)) ** 2)))
    for level in (0.01, 0.05, 0.5):
        luck = 3 * math.sqrt(level / STUDIES)
        assert np.mean(np.array(p) <= level) == pytest.approx(level, abs=luck)
    assert np.mean(np.array(of_q) <= 0.01) > 0.1


def test_the_variance_between_hosts_is_found() -> None:
    random = np.random.default_rng(3)
    found = []
    for _ in range(2 * STUDIES):
        true = random.normal(0, 0.1, 5)
        groups = [
            random.normal(mean, 0.05, blocks) for mean, blocks in zip(true, (2, 3, 4, 5, 6), strict=True)
        ]
        tested = heterogeneity(groups)
        assert tested is not None
        found.append(tested.between_sd**2)
    assert np.mean(found) == pytest.approx(0.01, rel=0.06)


def test_what_cannot_be_tested_is_not() -> None:
    assert heterogeneity([[1.0, 2.0]]) is None
    assert heterogeneity([[1.0], [2.0], [3.0]]) is None
    assert heterogeneity([[1.0, 1.0], [], []]) is None
    same = heterogeneity([[1.0, 1.0], [1.0]])
    assert same is not None
    assert (same.p_value, same.between_sd) == (1.0, 0.0)
    other = heterogeneity([[1.0, 1.0], [2.0]])
    assert other is not None
    assert other.p_value == 0.0


if __name__ == "__main__":
    for size in [*SIZES, (2, 6, 4), (4, 4, 12), (10, 4, 4)]:
        print(
            size,
            ", ".join(f"{kind} {raised(kind, *size, studies=5000):.2%}" for kind in ("normal", "t3", "slow")),
        )
