"""The part of `assay why` about plans: what gives one treatment's server the plan of the other."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.numbers import ratio
from assay.base.printable import line as printable
from assay.base.wording import counted, duration
from assay.front.cli.why_cause import CauseRequest, may_run
from assay.front.terminal import console, say, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.design.folder import ResultsFolder
    from assay.experiments.cause import Pair, RestoredPlan
    from assay.results.verdict import InterventionOutcome

_MOST_SETS = 5


def restore(folder: ResultsFolder, statement: str | None, wanted: CauseRequest) -> None:
    """Searches the settings that restore plans, prints them, and measures them where that is wanted."""
    from assay.design.folder import ResultsFolder as Folder
    from assay.experiments.cause import (
        changed_plans,
        measure_sets,
        opened_study,
        pair_of,
        restore_plans,
        settings_to_measure,
    )
    from assay.experiments.lab import foresee, judged
    from assay.front.cli.run import progress_on
    from assay.results.stats import fewest_blocks

    out = console(stderr=wanted.as_json)
    progress = progress_on(out if out.is_terminal else console(stderr=True))
    with judged(folder) as found:
        pair = pair_of(found, treatment=wanted.treatment, measure=wanted.measure, load=wanted.load)
        changed = changed_plans(found, pair, statement)
    restored = restore_plans(pair, changed, progress)
    if not wanted.as_json:
        for one in restored:
            _say_restored(pair, one)
    sets = settings_to_measure(restored)
    outcomes: tuple[InterventionOutcome, ...] = ()
    where = wanted.follow_up or Path(folder.path) / "why-plans"
    if sets:
        blocks = wanted.blocks or fewest_blocks(pair.study.verdict.confidence)
        opened = opened_study(pair, sets, blocks, folder)
        forecast = foresee(opened, Folder(where))
        if forecast.refusal is not None:
            raise forecast.refusal
        if not wanted.as_json:
            runs = counted(len(forecast.plan.runs), "run")
            say()
            left = duration(forecast.seconds_left)
            say(f"follow-up: {runs} in {counted(blocks, 'block')}, about {left}, in {where}")
        if may_run(wanted):
            outcomes = measure_sets(opened, where, pair, progress)
    if wanted.as_json:
        say_json(_as_object(pair, restored, sets, outcomes))
    elif outcomes:
        _say_outcomes(pair, sets, outcomes)


def _say_restored(pair: Pair, one: RestoredPlan) -> None:
    from assay.experiments.cause import in_words
    from assay.reporting.report import load_words, plan_words

    words = load_words("en")
    say(one.plan.statement)
    say(f"  {pair.first.name}: {plan_words(one.plan.first, words)}")
    say(f"  {pair.second.name}: {plan_words(one.plan.second, words)}")
    if one.refused is not None:
        say(f"  nothing was tried: the server of {pair.second.name} does not explain this statement:")
        say(f"  {printable(one.refused)}")
        return
    if one.already:
        say(
            f"  on fresh data the server of {pair.second.name} has the plan of {pair.first.name} without any"
            " change: the other one comes with the load, as statistics change"
        )
        return
    for some in one.sets[:_MOST_SETS]:
        say(f"  the plan comes back with {in_words(some)}{_faster(one, in_words(some))}")
    if len(one.sets) > _MOST_SETS:
        say(f"  and with {len(one.sets) - _MOST_SETS} more sets of the same size")
    if one.by_statistics:
        say("  the plan comes back when the statistics of its tables are refreshed (ANALYZE TABLE)")
    if one.by_indexes:
        hint = in_words(one.by_indexes)
        say(f"  the plan comes back with {hint}{_faster(one, hint)}; the statement's text must change for it")
    if not (one.sets or one.by_statistics or one.by_indexes or one.asked):
        say("  no setting was tried: the results do not say which ones of the optimizer the servers had")
    elif not (one.sets or one.by_statistics or one.by_indexes):
        whole = "" if one.is_whole else ", and the search was cut short there"
        say(f"  nothing brings the plan back: {counted(one.asked, 'set')} of settings were tried{whole}")


def _faster(one: RestoredPlan, name: str) -> str:
    if (times := one.faster.get(name)) is None or times.low is None or times.high is None:
        return ""
    return f": the statement alone is {ratio(times.value)} ({ratio(times.low)}…{ratio(times.high)}) as fast"


def _say_outcomes(pair: Pair, sets: Sequence[Sequence[Any]], outcomes: Sequence[InterventionOutcome]) -> None:
    from assay.experiments.cause import in_words
    from assay.reporting.report import load_words, outcomes_text

    words = load_words("en")
    names = {f"set-{number}": in_words(some) for number, some in enumerate(sets, start=1)}
    say()
    again = {"first": pair.first.name, "second": pair.second.name, "ratio": ratio(outcomes[0].ratio)}
    say(words("cause.again", measure=words.measure(pair.measure), **again))
    say(outcomes_text(words, outcomes, names))


def _as_object(
    pair: Pair,
    restored: Sequence[RestoredPlan],
    sets: Sequence[Sequence[Any]],
    outcomes: Sequence[InterventionOutcome],
) -> dict[str, Any]:
    from assay.experiments.cause import in_words
    from assay.reporting.report import load_words, outcome_sentence

    words = load_words("en")
    names = {f"set-{number}": in_words(some) for number, some in enumerate(sets, start=1)}
    return {
        "first": pair.first.name,
        "second": pair.second.name,
        "plans": [
            {**asdict(one), "sets": [list(map(str, some)) for some in one.sets]}
            | {"by_indexes": list(map(str, one.by_indexes))}
            for one in restored
        ],
        "measured": names,
        "outcomes": [
            {
                **asdict(one),
                "set": names.get(one.intervention),
                "sentence": outcome_sentence(words, one, names.get(one.intervention, "")),
            }
            for one in outcomes
        ],
    }
