"""Judges a claim on one value a block at each place, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.design.study import parse_study
from assay.design.study.measures import MEASURES
from assay.results.stats.region import Gate
from assay.results.verdict import HypothesisVerdict
from assay.results.verdict.claims import judge_hypotheses
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment

STUDY = """
[study]
name = "s"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = {loads}
measure = "10s"
[experiment]
use = "crash-recovery"
[[factor]]
name = "server.variables.a"
levels = [1, 2]
[verdict]
confidence = {confidence}
"""
HYPOTHESIS = '[[hypothesis]]\nclaim = "{claim}"\n'
ONE, TWO = "a=1", "a=2"
TREATMENTS = [Treatment(name, {"server.variables.a": name[-1]}) for name in (ONE, TWO)]


def believed(
    claim: str,
    values: Mapping[tuple[str, float], Sequence[float]],
    *,
    measure: str = "tps",
    margin: float | None = None,
    confidence: float = 0.95,
    at_least: Sequence[tuple[str, float]] = (),
) -> HypothesisVerdict:
    """`values` by treatment and load; in the cells `at_least` they are lower bounds."""
    loads = sorted({load for _, load in values}) or [1.0]
    text = STUDY.format(loads=[int(load) for load in loads], confidence=confidence)
    if "lost_commits" not in claim:
        text = text.replace('[experiment]\nuse = "crash-recovery"\n', "")
    text += HYPOTHESIS.format(claim=claim) + ("" if margin is None else f"margin = {margin}\n")
    study = parse_study(text, Path("/nowhere/s.toml"))
    blocks = {
        (measure, treatment, load): dict(enumerate(row, start=1))
        for (treatment, load), row in values.items()
        if len(row)
    }
    bounds = {(measure, *cell): frozenset(blocks[measure, *cell]) for cell in at_least}
    seen = Observations(blocks, {measure: MEASURES[measure]}, at_least=bounds)
    (found,) = judge_hypotheses(study, seen, TREATMENTS, loads, Gate.of(confidence))
    return found
