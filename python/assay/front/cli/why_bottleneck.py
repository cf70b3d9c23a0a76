"""The part of `assay why` that changes resources of a treatment, and names the one that bounds it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.errors import AssayError, InputError
from assay.base.wording import counted, duration
from assay.front.cli.why_cause import CauseRequest, may_run
from assay.front.terminal import console, say, say_json

if TYPE_CHECKING:
    from assay.design.folder import ResultsFolder


def name_bottleneck(folder: ResultsFolder, treatment: str, wanted: CauseRequest) -> None:
    """Shows which resources can be changed and what that costs; carries it out where that is wanted, and
    prints the effects and the bottleneck.
    """
    from assay.design.folder import ResultsFolder as Folder
    from assay.experiments.cause import (
        changed_resources,
        effects_in,
        resource_ids,
        side_of,
        study_of_resources,
    )
    from assay.experiments.lab import carry_out, foresee, judged, open_derived
    from assay.front.cli.run import progress_on
    from assay.reporting.report import bottleneck_sentence, load_words, resource_sentence
    from assay.results.stats import fewest_blocks
    from assay.results.verdict import bottleneck

    if unknown := [one for one in wanted.named if one not in resource_ids()]:
        raise InputError(f'"{unknown[0]}" is not a resource', hint=f"known: {', '.join(resource_ids())}")
    with judged(folder) as found:
        study, side = found.study, side_of(found, treatment)
        measure = wanted.measure or found.results.headlines[0]
    load = study.load.rungs[-1] if wanted.load is None else wanted.load
    if load not in study.load.rungs:
        raise InputError(f"--load {load:g}: {folder.path} has no such load point")
    changed, fixed = changed_resources(side, wanted.named)
    if not wanted.as_json:
        for one in changed:
            say(f"  {one.id:<11} {one.settings}")
        for other in fixed:
            say(f"  {other.id:<11} cannot be changed: {other.why}")
    if not changed:
        raise InputError(f"{folder.path}: no resource of {treatment} can be changed here")
    blocks = wanted.blocks or fewest_blocks(study.verdict.confidence)
    opened = open_derived(study_of_resources(study, side, load, changed, blocks), folder.study_file)
    where = Folder(wanted.follow_up or Path(folder.path) / "why-bottleneck")
    forecast = foresee(opened, where)
    if forecast.refusal is not None:
        raise forecast.refusal
    if not wanted.as_json:
        runs = counted(len(forecast.plan.runs), "run")
        say()
        say(
            f"study: {runs} in {counted(blocks, 'block')}, about {duration(forecast.seconds_left)}, in"
            f" {where.path}"
        )
    if not may_run(wanted):
        return
    out = console(stderr=wanted.as_json)
    outcome = carry_out(opened, where, progress_on(out if out.is_terminal else console(stderr=True)))
    if outcome.failed:
        run, reason = outcome.failed[0]
        raise AssayError(f"{run} of {where.path} failed: {reason}")
    effects = effects_in(where, changed, measure)
    named, words = bottleneck(effects), load_words("en")
    sentence = bottleneck_sentence(words, treatment, measure, named)
    if wanted.as_json:
        say_json(
            {
                "treatment": treatment,
                "measure": measure,
                "load": load,
                "bottleneck": None if named is None else named.resource,
                "sentence": sentence,
                "effects": [asdict(one) | {"distance": one.distance} for one in effects],
                "fixed": [asdict(one) for one in fixed],
            }
        )
        return
    say()
    for effect in effects:
        say(f"  {effect.resource:<11} {resource_sentence(words, effect)}")
    say(sentence)
