"""Every published claim, judged on results that make it true, that make it false, and that leave it open."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import Claim, Design, Factor, Hypothesis, Load, Study, WorkloadChoice, parse_claim
from assay.design.study.checks.cross_check import resolve
from assay.design.study.claims import Among, Axis, CauseClaim, EveryRunClaim, Selector, nodes
from assay.design.study.model.server import ServerChoice
from assay.experiments.comparison.published import published_claims
from assay.results.stats import Gate
from assay.results.store import open_store
from assay.results.verdict import judge
from assay.results.verdict.claims import judge_hypotheses
from assay.results.verdict.doubts.rung_seen import read_rungs
from assay.results.verdict.standstills import standstills
from assay.results.verdict.stored_values import read_observations
from assay.results.verdict.treatments import treatments_of
from assay.testing.planted import (
    CALM,
    WILD,
    Ground,
    PlantedStore,
    Rows,
    count_atoms,
    more_of,
    plant,
    rows_of,
    write_store,
)
from published_sweeps import SWEPT

PUBLISHED = {claim.id: claim.expressions for claim in published_claims().values()}
LADDER = (4.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
ONE_POINT = (8.0,)


@cache
def study_of(name: str) -> tuple[Study, Ground]:
    """A study that has what a published claim speaks of."""
    texts = PUBLISHED[name]
    parsed = [parse_claim(text) for text in texts]
    factors = factors_of(parsed)
    claims = tuple(resolve(claim, factors) for claim in parsed)
    ladder = LADDER if any(over_the_load(claim) for claim in claims) else ONE_POINT
    depth = any("iodepth" in text for text in texts)
    load = Load(iodepth=tuple(map(int, ladder))) if depth else Load(threads=tuple(map(int, ladder)))
    study = Study(
        name=name.lower(),
        server=ServerChoice(use="mysql@8.0"),
        workload=WorkloadChoice(use="oltp_read_write"),
        load=load,
        factors=factors,
        design=Design(),
        hypotheses=(Hypothesis(claims=claims, texts=tuple(texts)),),
    )
    return study, Ground(factors, load.rungs, load.kind, study.verdict.margin)


def over_the_load(claim: Claim) -> bool:
    """Whether it speaks of points of the ladder."""
    return any(
        (isinstance(node, Axis) and node.is_load) or (isinstance(node, Selector) and node.load is not None)
        for node in nodes(claim)
    )


def factors_of(claims: list[Claim]) -> tuple[Factor, ...]:
    """Factors with every level that claims name; those that they go along have the levels of a sweep."""
    named: dict[str, list[object]] = {}
    causes: list[Factor] = []
    for node in nodes(tuple(claims)):
        if isinstance(node, Selector):
            for name, level in node.levels:
                several = level.levels if isinstance(level, Among) else (level,)
                named.setdefault(name, []).extend(several)
        if isinstance(node, Axis) and not node.is_load and not node.is_time:
            named.setdefault(node.name, [])
        if isinstance(node, CauseClaim):
            causes.append(more_of(node.resource))
    return (
        *(
            Factor(
                name=f"server.variables.{name}",
                levels=SWEPT.get(name)
                or tuple(dict.fromkeys((*map(str, levels), "another")))[: max(2, len(set(levels)))],
            )
            for name, levels in named.items()
        ),
        *dict.fromkeys(causes),
    )


@pytest.fixture(scope="module")
def store() -> PlantedStore:
    return PlantedStore()


def outcome(store: PlantedStore, study: Study, rows: Rows) -> str:
    (verdict,) = judge(study, store.fill(rows)).hypotheses
    return verdict.outcome


def outcome_alone(store: PlantedStore, study: Study, rows: Rows) -> str:
    """The outcome of the claim by its blocks alone, without the doubts and comparisons of the study."""
    filled = store.fill(rows)
    seen = read_observations(filled, (), standstills(study, read_rungs(filled)))
    gate, treatments = Gate.of(study.verdict.confidence), treatments_of(study, filled)
    (verdict,) = judge_hypotheses(study, seen, treatments, study.load.rungs, gate)
    return verdict.outcome


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_claim_is_supported_by_results_in_which_it_is_true(name: str, store: PlantedStore) -> None:
    study, ground = study_of(name)
    figures = plant(study.hypotheses[0].claims, ground)
    assert figures is not None
    assert outcome(store, study, rows_of(figures, ground, noise=CALM)) == "supported"


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_claim_is_refuted_by_results_in_which_one_thing_it_says_is_false(
    name: str, store: PlantedStore
) -> None:
    study, ground = study_of(name)
    claims = study.hypotheses[0].claims
    for number in range(count_atoms(claims, ground)):
        figures = plant(claims, ground, false=number)
        assert figures is not None
        assert outcome_alone(store, study, rows_of(figures, ground, noise=CALM)) == "refuted", number


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_claim_is_left_open_by_results_that_scatter(name: str, store: PlantedStore) -> None:
    """What one run decides is open for as long as there is none."""
    study, ground = study_of(name)
    claims = study.hypotheses[0].claims
    figures = plant(claims, ground)
    assert figures is not None
    counted = all(isinstance(part, EveryRunClaim) for claim in claims for part in claim.parts)
    rows: Rows = {} if counted else rows_of(figures, ground, noise=WILD)
    assert outcome_alone(store, study, rows) == "undecided"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["H000-11", "H000-12", "H001-02", "H001-13", "H004-03"])
def test_the_files_of_a_results_folder_give_the_same(name: str, tmp_path: Path) -> None:
    study, ground = study_of(name)
    figures = plant(study.hypotheses[0].claims, ground)
    assert figures is not None
    folder = ResultsFolder(tmp_path)
    write_store(rows_of(figures, ground, noise=CALM), folder)
    (verdict,) = judge(study, open_store(folder)).hypotheses
    assert verdict.outcome == "supported"
