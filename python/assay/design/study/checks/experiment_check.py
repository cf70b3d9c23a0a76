"""Checks that an `[experiment]` fits the rest of its study."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.checks.problems import Problem
from assay.design.study.claims import Claim
from assay.design.study.experiments import EXPERIMENTS, MEASURED
from assay.design.study.model.file import StudyFile
from assay.design.study.nearest import did_you_mean
from assay.design.study.values import Scalar, shown

_PREFIX = "experiment."


def experiment_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with an experiment: unknown or wrong options, as settings or factors, and several
    rungs.
    """
    table = file.experiment
    varied = [one for one in file.varied if one.key.startswith(_PREFIX)]
    if table is None:
        for one in varied:
            yield Problem(one.place, f'"{one.key}" is varied, but the study has no [experiment]')
        return
    for name, value in table.options.items():
        if sentence := _mismatch(table.use, name, value):
            yield Problem(("experiment", name), sentence)
    for one in varied:
        for value in one.given:
            if sentence := _mismatch(table.use, one.key.removeprefix(_PREFIX), value):
                yield Problem(one.values_place, sentence)
    if "warmup" in file.load.model_fields_set and file.load.warmup.kind != "none":
        yield Problem(
            ("load", "warmup"), "cannot be combined with an experiment, which has no warm-up; remove it"
        )
    if file.load.terminals is not None:
        yield Problem(
            ("load", "terminals"),
            "cannot be combined with an experiment: each of its sessions has a connection; remove it",
        )
    if file.load.think_ms:
        yield Problem(
            ("load", "think_ms"),
            "cannot be combined with an experiment, whose load sends as fast as it can; remove it",
        )
    reconnecting = [one.place for one in file.varied if one.key == "load.reconnect"]
    if file.load.reconnect or reconnecting:
        yield Problem(
            reconnecting[0] if reconnecting else ("load", "reconnect"),
            "cannot be combined with an experiment, which keeps its connections; remove it",
        )
    if file.load.generators is not None:
        yield Problem(
            ("load", "generators"), "cannot be combined with an experiment, which has one engine; remove it"
        )
    if file.load.profile_s:
        yield Problem(
            ("load", "profile_s"),
            "cannot be combined with an experiment, which has no load to send once more; remove it",
        )
    if file.load.rate is not None:
        yield Problem(("load", "rate"), "cannot be the load of an experiment; write threads = [8]")
    elif file.load.threads is not None and len(file.load.threads) > 1:
        yield Problem(
            ("load", "threads"),
            "has several rungs, but an experiment runs once on a fresh server; write one, and vary "
            '"experiment.sessions" as a factor',
        )


def not_measured(claim: Claim, experiment: str | None) -> Iterator[str]:
    """Yields sentences about measures of a claim that belong to another experiment."""
    for name in dict.fromkeys(term.measure for term in claim.terms):
        if name in MEASURED and (experiment is None or name not in EXPERIMENTS[experiment].measures):
            owners = " or ".join(f'"{use}"' for use, known in EXPERIMENTS.items() if name in known.measures)
            yield f'"{name}" is measured by [experiment] use = {owners}; this study does not have it'


def _mismatch(use: str, name: str, value: Scalar) -> str | None:
    options = EXPERIMENTS[use].options
    if name not in options:
        return f'"{name}" is not an option of {use}{did_you_mean(name, options)}'
    option = options[name]
    wanted = option.default
    fits = isinstance(value, int | float) if isinstance(wanted, float) else type(value) is type(wanted)
    if not fits or (isinstance(value, bool) and not isinstance(wanted, bool)):
        return f"{shown(value)} does not fit {name}: {option.help}"
    if option.choices and value not in option.choices:
        return f"{shown(value)} is not a value of {name}{did_you_mean(str(value), option.choices)}"
    if isinstance(value, int | float) and value < option.least:
        return f"{shown(value)} is too small for {name}: at least {option.least:g}"
    return None
