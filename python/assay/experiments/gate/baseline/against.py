"""Judges the gates of a study against a baseline file: only the new build runs, and nothing is paired."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.study import SERVER_USE, GateRule, Study, changes_between, derive, level_text, work_of
from assay.design.study.derive import BASE, BUILD, NEW
from assay.experiments.gate.baseline.build_ratio import FORM, BuildRatioClaim, asked_of
from assay.experiments.gate.baseline.record import Baseline, Series, read_baseline
from assay.experiments.gate.baseline.series import configuration, identity_of, series_of
from assay.experiments.gate.in_english import in_english
from assay.experiments.gate.rebuilt import rebuilt
from assay.experiments.lab import (
    Judged,
    OpenedStudy,
    carry_out,
    figures_of,
    folder_of,
    open_derived,
    open_study,
    reopen,
    results_folder,
)
from assay.measurement.run import RunProgress
from assay.results.stats import ConfidenceInterval, expected_false_alarms, fewest_blocks
from assay.results.verdict import (
    GRAVITY,
    Check,
    Decision,
    Figure,
    Gated,
    Lack,
    Outcome,
    Part,
    Place,
    Reach,
    Severity,
    Shortfall,
    Side,
    amount,
    began_ns,
    doubts_about,
    is_blind,
    lack,
    levels_of,
    phrase,
    tolerance_of,
    too_coarse,
    unpaired_decision,
)

_Word = Literal["supported", "refuted", "undecided"]
_WORDS: Mapping[Outcome, _Word] = {"passed": "supported", "failed": "refuted"}

Ready = Callable[[OpenedStudy], object]
"""What is done before a study is carried out: fetching its servers."""


def gate_against(
    source: Path,
    file: Path,
    progress: RunProgress,
    ready: Ready | None = None,
    *,
    claims: Sequence[str] = (),
    new: str | None = None,
    scale: str | None = None,
    results: Path | None = None,
    blocks: int | None = None,
) -> Gated:
    """Returns the outcome of the gates of a study against a baseline, or of a results folder of one build.

    Of a study with the factor `build` only the treatments of the new build run. Every field of the baseline's
    identity must agree, or nothing is judged. Raises InputError for a study without a gate.
    """
    baseline = read_baseline(file)
    is_run = not source.is_dir()
    path = source if is_run else results_folder(source).study_file
    both = _with_both_builds(path, new, scale, is_run=is_run)
    both = reopen(both, derive.with_claims(both.study, claims), measured=not is_run)
    rules = both.study.gates
    alone = open_derived(_alone(both.study, path, blocks), path, measured=not is_run)
    if not rules:
        raise InputError(
            f"{source}: has no [[gate]], and no --require states a claim",
            hint=f'write a [[gate]], or give --require "{FORM}"',
        )
    folder = folder_of(alone.study, results) if is_run else results_folder(source)
    if is_run:
        if ready is not None:
            ready(alone)
        carry_out(alone, folder, progress)
    with figures_of(folder) as found:
        return _gated(found, rules, baseline, folder.path, is_current=is_run)


def _with_both_builds(path: AnyPath, new: str | None, scale: str | None, *, is_run: bool) -> OpenedStudy:
    """Returns the study in a file with the factor of two builds, to which its gates refer."""
    # Its gates may name the builds, which it does not have yet.
    opened = open_study(path, {("gate",): []}, scale=scale, server=new, measured=not is_run)
    study = opened.study
    has_builds = SERVER_USE in study.varied
    if has_builds and not is_run:
        raise InputError(
            f"{path.parent}: has results of several builds, which need no baseline",
            hint="leave --baseline out",
        )
    if new is not None or not has_builds:
        use = new or study.server.use
        study = derive.with_builds(study, use, use)
    changes = changes_between(opened.study, study)
    return open_study(path, changes, scale=scale, measured=not is_run)


def _alone(study: Study, path: AnyPath, blocks: int | None) -> Study:
    """Returns the study of the new build alone, without claims."""
    build = next((one for one in study.factors if one.name == BUILD), None)
    if build is None or set(map(level_text, build.levels)) != {BASE, NEW}:
        raise InputError(
            f"{path}: --baseline needs a study without a factor of {SERVER_USE}, or with the factor {BUILD!r}"
            f" of the levels {BASE!r} and {NEW!r}"
        )
    alone = derive.at_levels(study, {BUILD: NEW}, factors=[build])
    return alone if blocks is None else derive.with_blocks(alone, blocks)


def _gated(
    found: Judged, rules: Sequence[GateRule], baseline: Baseline, results: Path, *, is_current: bool
) -> Gated:
    study, judged = found.study, found.results
    reasons = Shortfall(found, dict(rebuilt(found)) if is_current else None).everything()
    differing = baseline.identity.differing(identity_of(found))
    missing = (lack("baseline-differs", differing=differing),) if differing else reasons[:1]
    checks: list[Check] = []
    for number, rule in enumerate(rules, start=1):
        asked = asked_of(rule.claim, judged.loads)
        if asked is None:
            lacks = (lack("baseline-form", form=FORM),)
            checks.append(Check(number, rule, None, "unjudged", lacks=lacks))
        else:
            checks += _checks(number, rule, asked, found, baseline, missing)
    return Gated(
        study=study.name,
        title=study.title,
        results=results,
        checks=in_english(checks),
        gates=len(rules),
        loads=judged.loads,
        load_kind=judged.load_kind,
        blocks=judged.blocks_complete,
        blocks_planned=judged.blocks_planned,
        confidence=study.verdict.confidence,
        alarms=expected_false_alarms(len(rules), study.verdict.confidence),
        began_ns=began_ns(found),
        baseline=baseline.date,
    )


def _checks(
    number: int,
    rule: GateRule,
    asked: BuildRatioClaim,
    found: Judged,
    baseline: Baseline,
    missing: tuple[Lack, ...],
) -> Iterator[Check]:
    here = series_of(found, [asked.measure])
    there = {one.key: one for one in baseline.series}
    wanted = _configurations(asked, found)
    if not asked.loads or not wanted:
        yield Check(number, rule, None, "unjudged", explanation=((phrase("no-run"),),))
    for load in asked.loads if wanted else ():
        judged = [
            _judged(asked, load, one, here.get((one, load, asked.measure)), there, found, baseline)
            for one in wanted
        ]
        outcome, lacks, part, decision = min(judged, key=lambda one: GRAVITY.index(one.outcome))
        tolerance = tolerance_of(rule)
        blind = decision if decision is not None and is_blind(decision, tolerance) else None
        too_blind = False
        if missing:
            outcome, lacks = "unjudged", missing
        elif outcome == "undecided" and blind is not None and tolerance is not None:
            outcome, lacks, too_blind = "unjudged", (too_coarse(blind, tolerance),), True
        yield Check(
            number=number,
            rule=rule,
            load=load,
            outcome=outcome,
            explanation=() if lacks or part is None else part.explanation,
            part=part,
            parts=len(judged),
            reach=Reach(None if decision is None else decision.smallest_ratio),
            lacks=lacks,
            tolerance=tolerance,
            needed=blind.blocks_for(tolerance) if too_blind and blind and tolerance else None,
        )


class _JudgedPart(NamedTuple):
    """One configuration at one load point; without a part, what it lacks."""

    outcome: Outcome
    lacks: tuple[Lack, ...] = ()
    part: Part | None = None
    decision: Decision | None = None


def _judged(
    asked: BuildRatioClaim,
    load: float,
    configuration: str,
    new: Series | None,
    kept: Mapping[tuple[str, float, str], Series],
    found: Judged,
    baseline: Baseline,
) -> _JudgedPart:
    base = kept.get((configuration, load, asked.measure))
    where = (Place(configuration, load, found.results.load_kind),)
    if new is None or base is None:
        key = "baseline-no-result" if new is None else "baseline-no-figure"
        return _JudgedPart("unjudged", (lack(key, measure=asked.measure, place=where[0].sign),))
    doubts = doubts_about(found.results, found.results.treatments, load)
    decision = unpaired_decision(_side(new, found, doubts), _side(base, found, {}))
    assert decision is not None  # both have logarithms
    blocks = min(decision.blocks)
    outcome: Outcome = "unjudged" if blocks < decision.fewest else _outcome(decision, asked)
    figure = Figure("ratio", decision.figure, decision.low, decision.high)
    new_blocks, base_blocks = decision.blocks
    said = phrase(
        f"baseline-{outcome}",
        measure=asked.measure,
        at=where[0],
        times=amount(figure, beside=(asked.figure,)),
        date=baseline.date,
        new=new_blocks,
        base=base_blocks,
    )
    part = Part(where, _WORDS.get(outcome, "undecided"), figure, blocks, None, ((said,),))
    return _JudgedPart(outcome, (), part, decision)


def _side(series: Series, found: Judged, doubts: Mapping[str, Severity]) -> Side:
    confidence = found.study.verdict.confidence
    return Side(
        work=work_of([found.study.workload.use]),
        value=None,
        blocks=series.summary,
        fewest=fewest_blocks(confidence),
        confidence=confidence,
        doubts=doubts,
    )


def _outcome(ratio: Decision | ConfidenceInterval, asked: BuildRatioClaim) -> Outcome:
    """Returns the side of the figure on which the whole interval lies."""
    if ratio.low is None or ratio.high is None:
        return "undecided"
    low, high = ratio.low, ratio.high
    if asked.relation.startswith("<"):  # the mirror image of "greater"
        low, high = -high, -low
    figure = -asked.figure if asked.relation.startswith("<") else asked.figure
    is_strict = not asked.relation.endswith("=")
    if low > figure or (low == figure and not is_strict):
        return "passed"
    return "failed" if high < figure or (high == figure and is_strict) else "undecided"


def _configurations(asked: BuildRatioClaim, found: Judged) -> tuple[str, ...]:
    """Returns the configurations of the results that the claim selects."""
    levels = levels_of(found.store)
    return tuple(
        configuration(found.study, levels[one])
        for one in found.results.treatments
        if all(levels[one].get(name) in texts for name, texts in asked.levels.items())
    )
