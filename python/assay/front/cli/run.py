"""The verb `assay run`: carries a study out, or continues it, and reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.base.argument_types import Seconds, WholeNumber
from assay.base.printable import line
from assay.base.wording import counted
from assay.front.cli.result_options import json_results_option, results_option, scale_option
from assay.front.cli.shipped import StudyPath
from assay.front.terminal import console

if TYPE_CHECKING:
    from rich.console import Console

    from assay.design.study import Study
    from assay.experiments.lab import OpenedStudy
    from assay.measurement.fleet import Backend, BlockHosts
    from assay.measurement.run import Outcome, RunProgress


_PROFILE_S = 20
"""At 999 Hz some 20,000 samples of each busy processor."""


@click.command("run")
@click.argument("file", metavar="STUDY", type=StudyPath())
@scale_option
@results_option
@click.option(
    "--seed", type=WholeNumber(0, 2**53 - 1), help="Order the runs by this seed instead of the study's."
)
@click.option("--blocks", type=WholeNumber(1, 99), help="Run N blocks instead of the study's number.")
@click.option(
    "--server",
    metavar="SERVER",
    help="Measure this server instead of the study's: a catalogue name, path:DIR or dsn:mysql://…",
)
@click.option(
    "--until-decided",
    "until",
    is_flag=True,
    help="Add blocks until every hypothesis is decided, or more blocks are unlikely to decide it. Verdicts"
    " are given at 6, 8, 11, 15, 20, 28 and 40 blocks, with intervals so much wider that all looks together"
    " are as certain as one.",
)
@click.option(
    "--budget",
    type=Seconds(1),
    metavar="TIME",
    help="With --until-decided: after the first look, go on to the next only if it would end within this"
    " time, as in 2h.",
)
@click.option(
    "--most", type=WholeNumber(2, 99), help="With --until-decided: largest number of blocks.  [default: 40]"
)
@click.option(
    "--why",
    is_flag=True,
    help="After the measured windows of each run, send every load once more and watch what the server's time"
    " goes into, for 20 seconds or the study's load.profile_s.",
)
@click.option(
    "--watch", is_flag=True, help="Serve a page that shows the study while it runs, and print its address."
)
@click.option(
    "--fleet",
    "fleet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Run the study's generators, and with server.on its blocks, on the hosts of this file, such as"
    " fleet.toml.",
)
@click.option(
    "--allow-same-machine",
    is_flag=True,
    help="With --fleet: take hosts that are one machine, or the server's; results then carry a doubt.",
)
@click.option("--no-report", is_flag=True, help="Only measure; `assay report` writes the report.")
@json_results_option
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    scale: str | None,
    results: Path | None,
    seed: int | None,
    blocks: int | None,
    server: str | None,
    until: bool,
    budget: float | None,
    most: int | None,
    why: bool,
    watch: bool,
    fleet: Path | None,
    allow_same_machine: bool,
    no_report: bool,
    as_json: bool,
) -> None:
    """Run STUDY, or continue it where it stopped, and write its report.

    Finished runs are kept, however this command ends. Failed runs are set aside and repeated.
    Ctrl-C ends the current run early; a second one ends it at once.

    \b
    Example:
      assay run quickstart
      assay run quickstart --results /data/quickstart --blocks 12
      assay run my.toml --scale small
      assay run quickstart --until-decided --budget 2h
      assay run quickstart --watch
      assay run quickstart --why
      assay run quickstart --server path:/opt/mysql-8.4
      assay run my.toml --fleet fleet.toml
    """

    from assay.experiments.lab import carry_out, folder_of, open_study

    overrides: dict[tuple[str | int, ...], str | int] = {}
    if server is not None:
        overrides["server", "use"] = server
    if blocks is not None:
        overrides["design", "blocks"] = blocks
    if until and blocks is not None:
        raise click.UsageError("--until-decided adds blocks by itself; instead of --blocks give --most")
    if allow_same_machine and fleet is None:
        raise click.UsageError("--allow-same-machine needs --fleet")
    if not until and (budget is not None or most is not None):
        raise click.UsageError(f"{'--budget' if most is None else '--most'} needs --until-decided")
    opened = open_study(file, overrides, scale=scale)
    if why and not opened.study.load.profile_s:
        overrides["load", "profile_s"] = _PROFILE_S
        opened = open_study(file, overrides, scale=scale)
    backend, hosts = (None, None) if fleet is None else _fleet(fleet, opened.study, allow_same_machine)
    folder = folder_of(opened.study, results)
    if hosts is None and opened.study.server.on is None:
        from assay.front.cli.fetching import ready_for

        ready_for(opened, folder, seed=seed)
    out = console(stderr=as_json)
    progress = progress_on(out if out.is_terminal else console(stderr=True))
    if watch:
        from assay.front.cli.watching import WatchedProgress

        progress = watched = WatchedProgress(progress, folder)
        ctx.call_on_close(watched.close)
    if until:
        from assay.experiments.lab import Limits, until_decided

        def opened_with(count: int) -> OpenedStudy:
            return open_study(file, {**overrides, ("design", "blocks"): count}, scale=scale)

        outcome = until_decided(
            opened_with, folder, progress, Limits(most or 40, budget), seed=seed, backend=backend, hosts=hosts
        )
    else:
        outcome = carry_out(opened, folder, progress, seed=seed, backend=backend, hosts=hosts)
    page: Path | None = None
    if as_json or not no_report:
        from assay.experiments.gate import write_pages
        from assay.experiments.lab import judged, judging
        from assay.front.cli.results_shown import say_results

        with judging(folder, progress), judged(folder, opened.study) as found:
            page, advice = None if no_report else write_pages(found), found.advice
        say_results(found.results, out, as_json=as_json, advice=advice)
    if outcome.failed:
        say_failed(outcome, out)
    if page is not None:
        out.print(f"\nreport: {page}", markup=False)
    if outcome.failed:
        ctx.exit(1)


def _fleet(path: Path, study: Study, allow_same_machine: bool) -> tuple[Backend | None, BlockHosts | None]:
    """Returns where the study's generators run, or which hosts carry its blocks out."""
    from assay.base.errors import InputError
    from assay.measurement.fleet import backend_of, block_hosts, read_fleet_file
    from assay.measurement.run import BLOCK_COMMAND

    file = read_fleet_file(path)
    if study.server.on is not None:
        lab = BLOCK_COMMAND[1:]  # whatever Python a host has
        hosts = block_hosts(
            file,
            study.server.on,
            lab=lab,
            allow_same_machine=allow_same_machine,
            generators=study.load.generators is not None,
        )
        return None, hosts
    if study.load.generators is None:
        raise InputError(
            f"--fleet {path} needs a study whose load has generators, or whose blocks go to hosts",
            hint='write generators = 2 under [load] of the study, or on = "role=server" under [server], or'
            " leave --fleet out",
        )
    return backend_of(file, allow_same_machine=allow_same_machine), None


def progress_on(console: Console) -> RunProgress:
    """Returns the display of a study while it runs: live on a terminal, a line a run elsewhere."""
    from assay.front.terminal import LiveProgress, PlainProgress

    return LiveProgress(console) if console.is_terminal else PlainProgress(console)


def say_failed(outcome: Outcome, console: Console) -> None:
    """Prints the runs that failed, and why."""
    from assay.measurement.run import MOST_ATTEMPTS

    count = len(outcome.failed)
    again = "it" if count == 1 else "them"
    console.print(
        f"\n[red]{counted(count, 'run')} failed[/red] (the same command does {again} again, until a run has"
        f" failed {MOST_ATTEMPTS} times):"
    )
    for run_id, reason in outcome.failed:
        console.print(f"  {run_id}: {line(reason)}", markup=False)
