"""The part of `assay why` that intervenes: candidates, the follow-up study and its cost, and its answer."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.argument_types import Seconds, WholeNumber
from assay.base.errors import InputError
from assay.base.numbers import ratio, ratio_ends
from assay.base.wording import counted, duration
from assay.front.terminal import console, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.design.folder import ResultsFolder
    from assay.experiments.cause import Evidence, FollowUp, Intervention, Pair, Unfit
    from assay.results.verdict import InterventionOutcome

_MOST_SAID = 3
"""Pieces of evidence that are named beside an intervention."""


@dataclass(frozen=True)
class CauseRequest:
    """What a person asks of a follow-up study. `named`: interventions to make in place of those that the
    evidence suggests.
    """

    treatment: str | None = None
    measure: str | None = None
    load: float | None = None
    named: tuple[str, ...] = ()
    budget_s: float = 1800.0
    blocks: int | None = None
    follow_up: Path | None = None
    yes: bool = False
    as_json: bool = False

    @classmethod
    def of(
        cls, options: Mapping[str, Any], treatment: str | None, load: float | None, *, as_json: bool
    ) -> CauseRequest:
        """Returns the values of `cause_options`, beside what the verb itself asks."""
        return cls(
            treatment,
            options["measure"],
            load,
            tuple(one.strip() for one in (options["named"] or "").split(",") if one.strip()),
            options["budget"],
            options["blocks"],
            options["follow_up"],
            options["yes"],
            as_json,
        )


def cause_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of `assay why` that carry out a follow-up study; `follow` takes
    their values.
    """
    options = (
        click.option(
            "--intervene", is_flag=True, help="Find the cause: change what differs on both treatments."
        ),
        click.option(
            "--plans",
            "statement",
            metavar="TEXT",
            is_flag=False,
            flag_value="",
            help="Find the settings that give back the plan of the statements that contain TEXT, or of all.",
        ),
        click.option("--bottleneck", metavar="TREATMENT", help="Name the resource that bounds a treatment."),
        click.option("--measure", metavar="NAME", help="The measure to explain.  [default: tps]"),
        click.option(
            "--try",
            "named",
            metavar="NAME,…",
            help="Make these interventions, or change these resources, instead of those that are suggested.",
        ),
        click.option(
            "--budget",
            type=Seconds(1),
            default="30m",
            show_default=True,
            metavar="TIME",
            help="With --intervene: make as many interventions, in as many blocks, as this time allows for.",
        ),
        click.option(
            "--blocks", type=WholeNumber(2, 99), help="Blocks of the follow-up.  [default: as many as needed]"
        ),
        click.option(
            "--results",
            "follow_up",
            type=click.Path(path_type=Path, file_okay=False),
            help="Results folder of the follow-up.  [default: a folder within RESULTS]",
        ),
        click.option("--yes", is_flag=True, help="Run the follow-up without a question."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def follow(folder: ResultsFolder, wanted: CauseRequest, options: Mapping[str, Any]) -> bool:
    """Carries out what one of the options asks for; returns False where none does."""
    statement, treatment = options["statement"], options["bottleneck"]
    asked = [bool(options["intervene"]), statement is not None, treatment is not None]
    if treatment is not None:
        from assay.front.cli.why_bottleneck import name_bottleneck

        name_bottleneck(folder, treatment, wanted)
    elif statement is not None:
        from assay.front.cli.why_plans import restore

        restore(folder, statement or None, wanted)
    elif options["intervene"]:
        intervene(folder, wanted)
    return any(asked)


def intervene(folder: ResultsFolder, wanted: CauseRequest) -> None:
    """Shows the interventions that the results suggest and what a follow-up study of them costs; carries it
    out where that is wanted, and prints what it found.
    """
    from assay.experiments.cause import candidates, carried_out, evidence_of, pair_of, plan_follow_up, rules
    from assay.experiments.lab import judged
    from assay.front.cli.run import progress_on
    from assay.results.verdict import seen_plans

    known = [rule.id for rule in rules()]
    if unknown := [one for one in wanted.named if one not in known]:
        raise InputError(f'"{unknown[0]}" is not an intervention', hint=f"known: {', '.join(known)}")
    with judged(folder) as found:
        pair = pair_of(found, treatment=wanted.treatment, measure=wanted.measure, load=wanted.load)
        seen = evidence_of(found, pair)
        plans = seen_plans(found.store, [(pair.first.name, pair.second.name)]).changes
    made, unfit = candidates(pair, seen, wanted.named)
    if not wanted.as_json:
        _say_candidates(pair, made, unfit, seen)
        if plans:
            say(
                f"{counted(len(plans), 'statement')} {'has' if len(plans) == 1 else 'have'} another plan:"
                f" assay why {folder.path} --plans"
            )
    if not made:
        raise InputError(
            f"{folder.path}: nothing that differs suggests an intervention that could be made here",
            hint="name one with --try: " + ", ".join(known)
            if not unfit
            else "name another with --try, or another pair with --treatment; those above say why not",
        )
    planned = plan_follow_up(
        pair, made, folder, budget_s=wanted.budget_s, blocks=wanted.blocks, folder=wanted.follow_up
    )
    if not wanted.as_json:
        _say_plan(planned, wanted)
    if not may_run(wanted):
        if wanted.as_json:
            say_json(_as_object(pair, made, unfit, planned, ()))
        return
    out = console(stderr=wanted.as_json)
    outcomes = carried_out(planned, pair, progress_on(out if out.is_terminal else console(stderr=True)))
    if wanted.as_json:
        say_json(_as_object(pair, made, unfit, planned, outcomes))
    else:
        _say_outcomes(pair, planned, outcomes)


def may_run(wanted: CauseRequest) -> bool:
    """Returns whether the follow-up study may be run: by --yes, or by an answer on a terminal."""
    if wanted.yes:
        return True
    if wanted.as_json or not sys.stdin.isatty():
        if not wanted.as_json:
            say("nothing was run: the same command with --yes runs it")
        return False
    return click.confirm("run it?", default=True)


def _say_candidates(
    pair: Pair, made: Sequence[Intervention], unfit: Sequence[Unfit], seen: Sequence[Evidence]
) -> None:
    say(f"{pair.second.name} beside {pair.first.name}, {pair.measure} at {pair.load:g}: {_difference(pair)}")
    if not seen:
        say("nothing else was found to differ: no line of a ledger, no counter")
    for one in made:
        say(f"  {one.id:<17} {one.settings}{_because(one.because)}")
    for lacking in unfit:
        say(f"  {lacking.id:<17} cannot be made: {lacking.why}{_because(lacking.because)}")


def _difference(pair: Pair) -> str:
    one = pair.comparison
    if one is None or one.low is None or one.high is None:
        return "no interval"
    shown = ratio_ends(one.ratio, one.low, one.high)
    said = ratio(one.ratio) if shown is None else f"{shown[0]} ({shown[1]}…{shown[2]})"
    return f"×{said}, {one.word}"


def _because(because: Sequence[Evidence]) -> str:
    if not because:
        return ""
    said = [f"{one.name} {one.said}" for one in because[:_MOST_SAID]]
    return f"\n{'':<19} because of {'; '.join(said)}"


def _say_plan(planned: FollowUp, wanted: CauseRequest) -> None:
    runs, left = len(planned.forecast.plan.runs), planned.forecast.seconds_left
    say()
    say(
        f"follow-up: {counted(len(planned.forecast.plan.treatments), 'treatment')} in"
        f" {counted(planned.blocks, 'block')}, {counted(runs, 'run')}, about {duration(left)}, in"
        f" {planned.folder.path}"
    )
    if planned.left_out:
        names = ", ".join(one.id for one in planned.left_out)
        say(f"left out, by the budget of {duration(wanted.budget_s)}: {names}")
    for refused in planned.refused:
        say(f"left out: {refused.intervention.id} cannot run here: {refused.why}{_so(refused.hint)}")


def _so(hint: str | None) -> str:
    return "" if hint is None else f"; {hint}"


def _say_outcomes(pair: Pair, planned: FollowUp, outcomes: Sequence[InterventionOutcome]) -> None:
    from assay.reporting.report import load_words, outcomes_text

    words = load_words("en")
    settings = {one.id: one.settings for one in planned.interventions}
    say()
    if outcomes:
        times = f"×{ratio(outcomes[0].ratio)}"
        again = {"first": pair.first.name, "second": pair.second.name, "ratio": times}
        say(words("cause.again", measure=words.measure(pair.measure), **again))
    say(outcomes_text(words, outcomes, settings))


def _as_object(
    pair: Pair,
    made: Sequence[Intervention],
    unfit: Sequence[Unfit],
    planned: FollowUp,
    outcomes: Sequence[InterventionOutcome],
) -> dict[str, Any]:
    from assay.reporting.report import load_words, outcome_sentence

    words = load_words("en")
    settings = {one.id: one.settings for one in made}
    return {
        "first": pair.first.name,
        "second": pair.second.name,
        "measure": pair.measure,
        "load": pair.load,
        "interventions": [asdict(one) for one in made],
        "unfit": [asdict(one) for one in unfit],
        "follow_up": {
            "results": str(planned.folder.path),
            "interventions": [one.id for one in planned.interventions],
            "left_out": [one.id for one in planned.left_out],
            "refused": [
                {"id": one.intervention.id, "why": one.why, "hint": one.hint} for one in planned.refused
            ],
            "blocks": planned.blocks,
            "runs": len(planned.forecast.plan.runs),
            "estimate_s": round(planned.forecast.seconds_left, 1),
        },
        "outcomes": [
            {
                **asdict(one),
                "ratio": one.ratio,
                "sentence": outcome_sentence(words, one, settings.get(one.intervention, "")),
            }
            for one in outcomes
        ],
    }
