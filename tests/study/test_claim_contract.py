"""Every kind of claim keeps the contract of claims."""

from __future__ import annotations

import pytest
from assay.design.study import claims
from assay.design.study.claims import KINDS
from assay.testing.contracts import ClaimContract

TEXTS = {
    claims.ObjectiveClaim: "max rate with p99_ms[a=1] < 50 >= 1000",
    claims.BestClaim: "best tps over threads = 8",
    claims.KneeClaim: "knee tps over threads = 8",
    claims.CrossoverClaim: "crossover tps[a=1], tps[a=2] over threads < 20",
    claims.CauseClaim: "bottleneck[a=1] = disk",
    claims.EveryRunClaim: "lost_commits = 0 in every run",
    claims.CourseClaim: "tps rises over threads",
    claims.ComparisonClaim: "tps[a=4, threads=64] > tps[a=1, threads=8]",
}


def test_every_kind_is_tested_here() -> None:
    assert set(TEXTS) == set(KINDS)


@pytest.mark.parametrize(("kind", "text"), TEXTS.items(), ids=[kind.__name__ for kind in TEXTS])
class TestClaims(ClaimContract):
    pass
