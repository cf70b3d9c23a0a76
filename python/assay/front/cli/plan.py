"""The verb `assay plan`: what a study would run, in which order, and how long it takes."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import WholeNumber
from assay.front.cli.result_options import results_option, scale_option
from assay.front.cli.shipped import StudyPath
from assay.front.terminal import say


@click.command("plan")
@click.argument("file", metavar="STUDY", type=StudyPath())
@click.option(
    "--seed", type=WholeNumber(0, 2**53 - 1), help="Order the runs by this seed instead of the study's."
)
@scale_option
@results_option
@click.option(
    "--server",
    metavar="SERVER",
    help="Plan for this server instead of the study's: a catalogue name, path:DIR or dsn:mysql://…",
)
@click.option(
    "--no-start", is_flag=True, help="Start no server on trial, and log in to none as the load does."
)
@click.option(
    "--no-code",
    is_flag=True,
    help="Run nothing that the study brings or names: no script, no server on trial or of path:.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON object.")
def command(
    file: Path,
    seed: int | None,
    scale: str | None,
    results: Path | None,
    server: str | None,
    no_start: bool,
    no_code: bool,
    as_json: bool,
) -> None:
    """Show what STUDY would run, in which order, and how long it takes. Nothing is measured or changed.

    The command makes the checks that `assay run` makes before its first run: keys, units, claims, workload
    options, variables, room on the disks, the results folder. If `assay run` would refuse the study, this
    command ends with the same message and exit code. A server is started on trial, without tables, for each
    different set of variables, which are read back; a set that has started once is not tried again. At a
    server that runs already the command logs in as the load does, and asks whether the account may make the
    study's tables. Only `assay run` can check machine settings, volumes, and variables that are set while the
    server runs.

    A script is read without anything with which it could act, to learn the options that it declares; if it
    needs more than that, a note says so. The binary of a server with `path:` is asked for its variables. With
    --no-code nothing that the study brings is even read, and notes say what is so not checked. The line
    `code` says what a run would carry out, and as whom: assay manual guide/trust.

    \b
    Example:
      assay plan quickstart
      assay plan quickstart --server mysql@5.6
      assay plan quickstart --json | jq '.runs[].run_id'
    """
    from assay.experiments.lab import folder_of, foresee, open_study
    from assay.front.cli.plan_view import print_plan, print_plan_json
    from assay.measurement.source import Trials
    from assay.system.server import consent

    opened = open_study(file, {} if server is None else {("server", "use"): server}, scale=scale)
    trials = None if no_start or no_code else Trials(every=True, step=lambda what: say(what, err=True))
    with consent("none" if no_code else "look"):
        forecast = foresee(opened, folder_of(opened.study, results), seed=seed, trials=trials)
    if as_json:
        print_plan_json(forecast)
    else:
        print_plan(forecast)
    if forecast.refusal is not None:
        raise forecast.refusal
