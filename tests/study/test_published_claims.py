"""The claims of published benchmarks can be expressed: each is read, and its written form reads as the
same.
"""

from __future__ import annotations

import pytest
from assay.design.study import Factor, Load, parse_claim
from assay.design.study.checks.cross_check import resolve, unreachable
from assay.design.study.claims import Axis, Claim
from assay.design.study.claims.kind import nodes
from assay.design.study.claims.terms import Among, Selector
from assay.design.study.model.design import Design
from assay.experiments.comparison.published import published_claims
from each import each
from published_sweeps import SWEPT

PUBLISHED = {claim.id: claim.expressions for claim in published_claims().values()}
RUNGS = (1, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


def factors_of(claim: Claim) -> tuple[Factor, ...]:
    """Factors with every level that the claim names; those that it goes along have the levels of a sweep."""
    named: dict[str, list[object]] = {}
    for node in nodes(claim):
        if isinstance(node, Selector):
            for name, level in node.levels:
                several = level.levels if isinstance(level, Among) else (level,)
                named.setdefault(name, []).extend(several)
        if isinstance(node, Axis) and not node.is_load and not node.is_time:
            named.setdefault(node.name, [])
    return tuple(
        Factor(
            name=f"server.variables.{name}",
            levels=SWEPT.get(name) or tuple(dict.fromkeys((*map(str, levels), "another"))),
        )
        for name, levels in named.items()
    )


def test_every_published_claim_is_here() -> None:
    studies = {"H000": 45, "H001": 22, "H002": 20, "H003": 20, "H004": 12}
    wanted = [f"{study}-{number:02}" for study, count in studies.items() for number in range(1, count + 1)]
    assert list(PUBLISHED) == wanted
    assert len(PUBLISHED) == 119


def test_a_published_claim_can_be_said_of_a_study_that_has_what_it_speaks_of() -> None:
    each(PUBLISHED, _can_be_said)


def _can_be_said(name: str) -> None:
    for text in PUBLISHED[name]:
        claim = parse_claim(text)
        assert parse_claim(str(claim)) == claim
        factors = factors_of(claim)
        depth = "iodepth" in text
        load = Load(iodepth=RUNGS) if depth else Load(threads=RUNGS)
        resolved = resolve(claim, factors)
        assert list(unreachable(resolved, load, Design(), factors)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qps ~ 5 at threads = 129..200", "no point of threads [1, 4, 8, 16"),
        ("qps ~ 5 at threads = 7", '"7" is not on threads'),
        ("qps ~ 5 at rate > 7", "the study's ladder is [load] threads"),
        ("tps rises over scheduler", "have no order"),
        ("knee tps over scheduler = 1..2", "have no order"),
        ("tps[scheduler=none] > 5 at scheduler < 3", "have no order"),
    ],
)
def test_what_means_nothing_beside_a_study_is_refused(text: str, message: str) -> None:
    factors = (Factor(name="host.block.scheduler", levels=("none", "mq-deadline")),)
    claim = resolve(parse_claim(text), factors)
    said = list(unreachable(claim, Load(threads=RUNGS), Design(), factors))
    assert message in " ".join(said)
