"""`assay run`: carry a study out, or go on with it, and report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.argument_types import Whole
from assay.cli.results_folder import results_option
from assay.printable import line
from assay.terminal import console
from assay.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from assay.run import Outcome, RunProgress


@click.command("run")
@click.argument("file", metavar="STUDY", type=click.Path(path_type=Path))
@results_option
@click.option("--seed", type=Whole(0, 2**53 - 1), help="Order the runs by this seed instead of the study's.")
@click.option("--blocks", type=Whole(1, 99), help="Do so many blocks instead of the study's.")
@click.option(
    "--server",
    metavar="SERVER",
    help="Measure this server instead of the study's: a catalogue name, path:DIR or dsn:mysql://…",
)
@click.option("--no-report", is_flag=True, help="Only measure; `assay report` does the rest.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the results as one JSON object; all else to standard error.",
)
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    results: Path | None,
    seed: int | None,
    blocks: int | None,
    server: str | None,
    no_report: bool,
    as_json: bool,
) -> None:
    """Run STUDY, or go on where it stopped, and write its report.

    Finished runs are kept, whatever ends this command; failed ones are set aside and done again.
    Ctrl-C ends the current run early; a second one ends it at once.

    \b
    Example:
      assay run studies/quickstart.toml
      assay run studies/quickstart.toml --results /data/quickstart --blocks 12
      assay run studies/quickstart.toml --server path:/opt/mysql-8.4
    """

    from assay.cli.results_shown import say_results
    from assay.lab import carry_out, folder_of, judged, open_study, write_pages

    overrides: dict[tuple[str, str], str | int] = {}
    if server is not None:
        overrides["server", "use"] = server
    if blocks is not None:
        overrides["design", "blocks"] = blocks
    opened = open_study(file, overrides)
    folder = folder_of(opened.study, results)
    out = console(stderr=as_json)
    progress = _progress(out if out.is_terminal else console(stderr=True))
    outcome = carry_out(opened, folder, progress, seed=seed)
    if as_json or not no_report:
        with judged(folder, opened.study) as found:
            page = None if no_report else write_pages(found)
        say_results(found.results, out, as_json=as_json)
        if page is not None:
            out.print(f"\nreport: {page}", markup=False)
    if outcome.failed:
        _say_failed(outcome, out)
        ctx.exit(1)


def _progress(console: Console) -> RunProgress:
    from assay.terminal import LiveProgress, PlainProgress

    return LiveProgress(console) if console.is_terminal else PlainProgress(console)


def _say_failed(outcome: Outcome, console: Console) -> None:
    count = len(outcome.failed)
    again = "it" if count == 1 else "them"
    console.print(f"\n[red]{counted(count, 'run')} failed[/red] (the same command does {again} again):")
    for run_id, reason in outcome.failed:
        console.print(f"  {run_id}: {line(reason)}", markup=False)
