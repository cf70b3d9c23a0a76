"""Turns the verdicts on a study's gates into checks: passed, failed, undecided or unjudged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.design.study import GateRule, Study
from assay.results.stats import expected_false_alarms
from assay.results.verdict.answers import HypothesisVerdict, Part
from assay.results.verdict.evidence import Decision
from assay.results.verdict.gates.checks import Check, Gated, JudgedResults, Outcome
from assay.results.verdict.gates.missing import Lack, Shortfall, too_few
from assay.results.verdict.gates.reach import Reaches, SpreadFinder
from assay.results.verdict.gates.tolerance import decision_of, is_blind, tolerance_of, too_coarse
from assay.results.verdict.why.choice import between

_OUTCOMES: dict[str, Outcome] = {"supported": "passed", "refuted": "failed", "undecided": "undecided"}
_GRAVEST_FIRST = ("refuted", "undecided", "supported")


def with_hypotheses(study: Study) -> Study:
    """Returns the study with its gates as its last hypotheses, so that the judge of hypotheses decides them.

    A gate is a hypothesis with a margin of its own; what differs is what an outcome does.
    """
    rules = tuple(rule.hypothesis for rule in study.gates)
    return study.model_copy(update={"hypotheses": (*study.hypotheses, *rules)})


def judge_gates(
    found: JudgedResults,
    results: Path,
    copies: SpreadFinder,
    rebuilt: Mapping[str, Lack] | None = None,
) -> Gated:
    """Returns the outcome of the gates of results that were judged by `with_hypotheses`.

    `copies` finds the spread of equal copies; `rebuilt` says which treatments ran on a server file that is
    another one by now.
    """
    study, judged = found.study, found.results
    verdicts = judged.hypotheses[len(judged.hypotheses) - len(study.gates) :]
    shortfall, reaches = Shortfall(found, rebuilt), Reaches(found, copies)
    checks = [
        check
        for number, (rule, verdict) in enumerate(zip(study.gates, verdicts, strict=True), start=1)
        for check in _checks(number, rule, verdict, found, shortfall, reaches)
    ]
    return Gated(
        study=study.name,
        title=study.title,
        results=results,
        checks=tuple(checks),
        gates=len(study.gates),
        loads=judged.loads,
        load_kind=judged.load_kind,
        blocks=judged.blocks_complete,
        blocks_planned=judged.blocks_planned,
        confidence=judged.gate.confidence,
        # The load points of a gate share its error probability, as the parts of a hypothesis do.
        alarms=expected_false_alarms(len(study.gates), judged.gate.confidence),
        began_ns=began_ns(found),
    )


def began_ns(found: JudgedResults) -> int:
    """Returns the beginning of the first run; 0 without runs."""
    ((began,),) = found.store.execute("SELECT min(started_ns) FROM runs").fetchall()
    return began or 0


def _checks(
    number: int,
    rule: GateRule,
    verdict: HypothesisVerdict,
    found: JudgedResults,
    shortfall: Shortfall,
    reaches: Reaches,
) -> Iterator[Check]:
    fewest, tolerance = found.results.gate.fewest, tolerance_of(rule)
    by_load: dict[float | None, list[Part]] = {}
    for part in verdict.parts:
        by_load.setdefault(part.load, []).append(part)
    if not by_load:
        reasons = shortfall.reasons(rule, (), None)
        why = () if reasons else verdict.explanation
        yield Check(number, rule, None, "unjudged", lacks=reasons, explanation=why)
    for load, parts in by_load.items():
        reach = reaches.of(rule, parts)
        few = [one for one in parts if one.blocks < fewest and one.outcome != "refuted"]
        deciding = min(few or parts, key=_gravity)
        reasons = shortfall.reasons(rule, parts, load)
        lacks = (too_few(deciding.blocks, fewest),) if few and not reasons else reasons
        blind = _blind(parts, found, tolerance) if deciding.outcome == "undecided" and not lacks else None
        if blind is not None and tolerance is not None:
            reasons = lacks = (too_coarse(blind, tolerance),)
        outcome = _OUTCOMES[deciding.outcome] if not lacks else "unjudged"
        yield Check(
            number=number,
            rule=rule,
            load=load,
            outcome=outcome,
            part=deciding,
            parts=len(parts),
            reach=reach,
            lacks=lacks,
            explanation=() if reasons else deciding.explanation,
            tolerance=tolerance,
            needed=None if blind is None or tolerance is None else blind.blocks_for(tolerance),
            ledgers=between(found.results, deciding.treatments, load) if outcome == "failed" else (),
        )


def _blind(parts: Sequence[Part], found: JudgedResults, tolerance: float | None) -> Decision | None:
    """Returns the decision of the undecided part whose blocks show the least, where they could not have shown
    a change as large as the tolerance.
    """
    undecided = (decision_of(part, found) for part in parts if part.outcome == "undecided")
    blind = [one for one in undecided if one is not None and is_blind(one, tolerance)]
    return max(blind, key=lambda one: one.smallest_ratio or 1.0, default=None)


def _gravity(part: Part) -> int:
    return _GRAVEST_FIRST.index(part.outcome)
