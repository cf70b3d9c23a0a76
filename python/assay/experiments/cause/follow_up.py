"""Makes and carries out the study that crosses two treatments with interventions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import AssayError, InputError, ServerError
from assay.base.wording import duration
from assay.design.folder import ResultsFolder
from assay.design.study import (
    OF_COPIES,
    Factor,
    Scalar,
    Study,
    VerdictOptions,
    derive,
    level_text,
    load_measured,
)
from assay.experiments.cause.interventions import Intervention
from assay.experiments.cause.pair import Pair
from assay.experiments.lab import (
    Forecast,
    Judged,
    OpenedStudy,
    carry_out,
    foresee,
    judged,
    open_derived,
    results_folder,
)
from assay.measurement.run import RunProgress
from assay.results.stats import fewest_blocks
from assay.results.verdict import Cells, InterventionOutcome, Treatment, judge_interventions, treatments_of

INTERVENTION, NONE = "intervention", "none"
MOST_BLOCKS = 12
"""Blocks of a follow-up study where the budget has room for more."""
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Refused:
    """An intervention that the machine or a server refuses, with the refusal."""

    intervention: Intervention
    why: str
    hint: str | None = None


@dataclass(frozen=True)
class FollowUp:
    """A planned follow-up: its study, its folder, and what it takes."""

    opened: OpenedStudy
    folder: ResultsFolder
    interventions: tuple[Intervention, ...]
    left_out: tuple[Intervention, ...]  # for want of time
    refused: tuple[Refused, ...]
    blocks: int
    forecast: Forecast


def factor_of(interventions: Sequence[Intervention]) -> Factor:
    """Returns the factor whose first level is no intervention. Every level sets every key, so that the level
    without intervention says what is in force.
    """
    before: dict[str, Scalar] = {}
    for one in interventions:
        before |= one.before
    keys = tuple(before)
    rows = [before, *({**before, **one.after} for one in interventions)]
    return Factor(
        name=INTERVENTION,
        levels=(NONE, *(one.id for one in interventions)),
        keys=keys,
        values=tuple(tuple(row[key] for key in keys) for row in rows),
    )


def crossed(pair: Pair, interventions: Sequence[Intervention], blocks: int) -> Study:
    """Returns the study of both treatments, with each intervention and without, at the pair's load point."""
    factor = factor_of(interventions)
    one, other = pair.first.measured.levels, pair.second.measured.levels
    study, treatments = derive.of_pair(pair.study, one, other, free=factor.keys)
    study = derive.without_values(study, factor.keys)
    return follow_up_of(study, "why", [treatments, factor], pair.load, blocks)


def follow_up_of(study: Study, ending: str, factors: Sequence[Factor], load: float, blocks: int) -> Study:
    """Returns a study that follows up another: with these factors at one load point, without a profile
    window, and with a margin of its own in place of one from A/A results, which it has none of.
    """
    bare = study.load.model_copy(update={"profile_s": 0})
    study = derive.at_load(study.model_copy(update={"load": bare}), load)
    study = derive.named(
        derive.with_treatments(study, factors, blocks=blocks), f"{study.folder_name[:_LONGEST_NAME]}-{ending}"
    )
    if study.verdict.margin != OF_COPIES:
        return study
    usual = study.verdict.model_copy(update={"margin": VerdictOptions().margin})
    return derive.with_verdict(study, usual)


def plan_follow_up(
    pair: Pair,
    interventions: Sequence[Intervention],
    source: ResultsFolder,
    *,
    budget_s: float,
    blocks: int | None = None,
    folder: Path | None = None,
) -> FollowUp:
    """Returns the follow-up with as many of the interventions, the best supported first, as the budget has
    room for. Raises InputError where it has room for none.
    """
    where = ResultsFolder(folder or source.path / "why")
    fewest = fewest_blocks(pair.study.verdict.confidence)
    begun = _those_begun(where, interventions)

    def refusal(some: Sequence[Intervention]) -> AssayError | None:
        try:
            return _foreseen(pair, some, blocks or fewest, source, where)[1].refusal
        except (InputError, ServerError) as error:
            return error

    fit, refused = runnable(begun, refusal)
    refused += tuple(
        Refused(one, f"the study in {where.path} was begun without it", "give another folder with --results")
        for one in interventions
        if one not in begun
    )
    for count in range(len(fit), 0, -1):
        kept = tuple(fit[:count])
        opened, forecast = _foreseen(pair, kept, blocks or fewest, source, where)
        per_block = forecast.left.runs_s / max(len(forecast.plan.runs) - len(forecast.progress.done), 1)
        per_block *= len(forecast.plan.treatments)
        room = budget_s - (forecast.seconds_left - forecast.left.runs_s)
        affordable = int(room / per_block) if per_block else MOST_BLOCKS
        affordable += len(forecast.progress.done) // len(forecast.plan.treatments)
        if blocks is not None or affordable >= fewest or forecast.progress.done:
            wanted = blocks or min(max(affordable, fewest), MOST_BLOCKS)
            while wanted != (blocks or fewest):
                opened, forecast = _foreseen(pair, kept, wanted, source, where)
                if forecast.seconds_left <= budget_s or wanted <= fewest:
                    break
                wanted -= 1
            left_out = tuple(one for one in fit if one not in kept)
            return FollowUp(opened, where, kept, left_out, refused, wanted, forecast)
    raise InputError(
        f"one intervention in {fewest} blocks takes about {duration(forecast.seconds_left)}, more than the"
        f" budget of {duration(budget_s)}",
        hint="give a larger --budget; results of a shorter load, such as a smaller scale, need less",
    )


def _those_begun(where: ResultsFolder, made: Sequence[Intervention]) -> Sequence[Intervention]:
    """Returns the interventions that a folder was begun with; all where nothing was begun. Raises InputError
    where some of those cannot be made any more.
    """
    if not where.study_file.is_file():
        return made
    factors = {one.name: one for one in load_measured(where.study_file).factors}
    begun = (
        [level_text(level) for level in factors[INTERVENTION].levels[1:]] if INTERVENTION in factors else []
    )
    kept = [one for name in begun for one in made if one.id == name]
    if not begun or len(kept) < len(begun):
        raise InputError(
            f"{where.path}: holds a study of other interventions: {', '.join(begun) or 'none'}",
            hint="name these with --try to go on with it, or another folder with --results",
        )
    return kept


def runnable(
    interventions: Sequence[Intervention], refusal: Callable[[Sequence[Intervention]], AssayError | None]
) -> tuple[Sequence[Intervention], tuple[Refused, ...]]:
    """Returns the interventions that neither the machine nor a server refuses, and those that one of them
    does. `refusal` returns what refuses some of them together; None where nothing does. Raises the refusal
    where none is left.
    """
    if (of_all := refusal(interventions)) is None:
        return interventions, ()
    alone = [(one, refusal([one]) if len(interventions) > 1 else of_all) for one in interventions]
    kept = [one for one, why in alone if why is None]
    of_kept = of_all if len(kept) in (0, len(alone)) else refusal(kept)
    if of_kept is not None:
        raise of_kept
    refused = [Refused(one, why.message, why.hint) for one, why in alone if why is not None]
    return kept, tuple(refused)


def _foreseen(
    pair: Pair,
    interventions: Sequence[Intervention],
    blocks: int,
    source: ResultsFolder,
    where: ResultsFolder,
) -> tuple[OpenedStudy, Forecast]:
    opened = open_derived(crossed(pair, interventions, blocks), source.study_file)
    return opened, foresee(opened, where)


def carried_out(follow_up: FollowUp, pair: Pair, progress: RunProgress) -> tuple[InterventionOutcome, ...]:
    """Carries a follow-up out, or goes on with it, and returns what the interventions did. Raises AssayError
    where runs failed; the finished ones stay.
    """
    outcome = carry_out(follow_up.opened, follow_up.folder, progress)
    if outcome.failed:
        run, reason = outcome.failed[0]
        raise AssayError(f"{run} of {follow_up.folder.path} failed: {reason}")
    return outcomes_in(follow_up.folder, pair)


def outcomes_in(folder: ResultsFolder, pair: Pair) -> tuple[InterventionOutcome, ...]:
    """Returns the outcomes of a follow-up from its results folder. Raises InputError where that is none."""
    with judged(results_folder(folder.path)) as found:
        cells = _cells(found, pair.measure)
    return judge_interventions(cells, pair.measure, pair.load, pair.study.verdict.confidence)


def _cells(found: Judged, measure: str) -> dict[str, Cells]:
    """Returns the cells of every intervention of a crossed study."""
    factors = {one.name: one for one in found.study.factors}
    if INTERVENTION not in factors or len(factors) != 2:
        raise InputError(f"{found.folder.path}: the study does not cross interventions")
    (treatments,) = (one for name, one in factors.items() if name != INTERVENTION)
    first, second = map(level_text, treatments.levels)
    values = values_by_levels(found, measure)

    def blocks(treatment: str, intervention: str) -> Mapping[int, float]:
        return values.get(frozenset({(treatments.name, treatment), (INTERVENTION, intervention)}), {})

    return {
        level: Cells(blocks(first, NONE), blocks(second, NONE), blocks(first, level), blocks(second, level))
        for level in map(level_text, factors[INTERVENTION].levels[1:])
    }


def values_by_levels(found: Judged, measure: str) -> dict[frozenset[tuple[str, str]], Mapping[int, float]]:
    """Returns a measure by block, for the levels of every treatment; the study has one load point."""
    levels: dict[str, Treatment] = {one.name: one for one in treatments_of(found.study, found.store)}
    return {
        frozenset(levels[one.treatment].levels.items()): dict(one.blocks)
        for one in found.results.estimates
        if one.measure == measure
    }
