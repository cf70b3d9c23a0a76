"""A bottleneck is called one where more of it brings more, and nothing else is used up beside it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from assay.design.study import parse_claim
from assay.results.stats import Gate
from assay.results.verdict.claims import found
from assay.results.verdict.claims.finding import JudgingContext
from assay.results.verdict.claims.weigh import JudgedPart, weigh
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment
from spoken import english


def judged(
    claim: str, evidence: Mapping[str, float], gain: float | None, *, factor: str = "server.cpus"
) -> list[JudgedPart]:
    """`gain`: throughput with more of the factor / with less; None: the study does not vary it."""
    levels = {"server.cpus": ("0", "0-1"), "volume.devices": ("1", "2")}.get(factor, ("a", "b"))
    treatments = [Treatment(f"x={one}", {factor: one}) for one in levels[: 1 if gain is None else 2]]
    random = np.random.default_rng(1)
    values = {
        (measure, one.name, 8.0): {
            block: value
            * (gain or 1.0) ** (measure == "qps" and number)
            * float(np.exp(random.normal(0, 0.002)))
            for block in range(1, 7)
        }
        for number, one in enumerate(treatments)
        for measure, value in {"qps": 1000.0, **evidence}.items()
    }
    seen = Observations(values, {"qps": "/s"})
    judging = JudgingContext(seen, treatments, (8.0,), "threads", 0.95, 0.02)
    return list(weigh(tuple(found(parse_claim(claim), judging)), seen, Gate.of(0.95)))


BUSY, IDLE = {"cpu_busy_pct": 97.0, "disk_util_pct": 20.0}, {"cpu_busy_pct": 50.0, "disk_util_pct": 20.0}
BOTH = {"cpu_busy_pct": 97.0, "disk_util_pct": 98.0}


@pytest.mark.parametrize(
    ("evidence", "gain", "outcome"),
    [(BUSY, 1.6, "supported"), (BUSY, 1.0, "refuted"), (BUSY, None, "undecided"), (IDLE, None, "refuted")],
)
def test_more_of_it_must_bring_more(evidence: Mapping[str, float], gain: float | None, outcome: str) -> None:
    contrary = {"supported": "refuted", "refuted": "supported", "undecided": "undecided"}[outcome]
    assert {one.part.outcome for one in judged("bottleneck = cpu", evidence, gain)} == {outcome}
    assert {one.part.outcome for one in judged("bottleneck != cpu", evidence, gain)} == {contrary}


@pytest.mark.parametrize(("own", "outcome"), [(98.0, "supported"), (50.0, "refuted")])
def test_the_servers_own_processors_count_where_it_has_some(own: float, outcome: str) -> None:
    """Half of the machine is idle: it is not the server's."""
    (one, *_) = judged("bottleneck = cpu", IDLE | {"server_cpus_busy_pct": own}, 1.6)
    assert one.part.outcome == outcome


def test_evidence_alone_says_what_to_vary() -> None:
    (one,) = judged("bottleneck = cpu", BUSY, None)
    assert "evidence alone shows no cause: vary server.cpus" in english(one.said)


@pytest.mark.parametrize(("resource", "factor"), [("cpu", "server.cpus"), ("disk", "volume.devices")])
def test_of_two_that_are_used_up_none_is_the_bottleneck(resource: str, factor: str) -> None:
    found = judged(f"bottleneck = {resource}", BOTH, 1.6, factor=factor)
    assert {one.part.outcome for one in found} == {"undecided"}
    assert "may be used up as well" in english(found[0].said)
