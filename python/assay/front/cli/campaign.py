"""The verb `assay campaign`: many studies in order, under a budget of time."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import Seconds
from assay.front.cli.result_options import json_option
from assay.front.terminal import console, say_json

_FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
_RESULTS = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Results go into DIR/<name of the study>.  [default: results/<name of the campaign>]",
)


def _place(name: str, results: Path | None) -> Path:
    return results or Path("results") / name


@click.group("campaign")
def command() -> None:
    """Carry out many studies in order, under a budget of time.

    \b
    A campaign is a file:
      [campaign]
      name = "night"
      [[study]]
      file = "commit-cost.toml"      # its path starts at this file
      [[study]]
      file = "screening.toml"
      scale = "night"              # of that file; may be left out

    \b
    Example:
      assay campaign plan night.toml
      assay campaign run night.toml --budget 8h
    """


@command.command("plan")
@_FILE
@_RESULTS
@json_option
def plan(file: Path, results: Path | None, as_json: bool) -> None:
    """Show the studies of FILE with how far each has come and how long it takes. Nothing is started.

    \b
    Example:
      assay campaign plan night.toml
    """
    from assay.design.study import read_campaign
    from assay.experiments.lab import queued_campaign
    from assay.front.cli.queued import queue_object
    from assay.front.terminal import print_queue

    campaign = read_campaign(file)
    queued = queued_campaign(campaign, _place(campaign.name, results))
    if as_json:
        say_json(queue_object(queued))
    else:
        print_queue(queued, console())


@command.command("run")
@_FILE
@_RESULTS
@click.option(
    "--budget",
    type=Seconds(1),
    metavar="TIME",
    help="Time for all studies together, as in 8h. A study for which too little is left gets as many whole"
    " blocks as fit.",
)
@json_option
@click.pass_context
def run(ctx: click.Context, file: Path, results: Path | None, budget: float | None, as_json: bool) -> None:
    """Carry out the studies of FILE in order, write the report of each and one index page.

    Servers of the catalogue that this machine lacks are fetched first, without installing anything. Complete
    studies are skipped, and an interrupted study continues. If one study fails, the next ones still run.
    Ctrl-C ends the current run early; the same command continues there. Ends with exit code 1 where a study
    is not whole.

    \b
    Example:
      assay campaign run night.toml --budget 8h
    """
    from assay.design.study import read_campaign
    from assay.experiments.lab import queued_campaign
    from assay.front.cli.queued import ended_object, fetched, run_queue

    out = console(stderr=as_json)
    campaign = read_campaign(file)
    place = _place(campaign.name, results)
    queued = fetched(lambda: queued_campaign(campaign, place), out)
    over, index = run_queue(
        queued, out, title=campaign.title, name=campaign.name, place=place, budget_s=budget
    )
    if as_json:
        say_json(ended_object(over, index))
    if not all(one.is_whole for one in over):
        ctx.exit(1)
