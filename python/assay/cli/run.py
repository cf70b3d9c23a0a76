"""`assay run`: carry a study out, or go on with it, and report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.argument_types import Whole
from assay.cli.results_folder import results_option
from assay.printable import line
from assay.terminal import console, say_json
from assay.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from assay.folder import ResultsFolder
    from assay.run.execute import Outcome
    from assay.study import Study
    from assay.study.study_text import StudyText


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

    from assay.cli.results_folder import folder_of
    from assay.study import parse_study, read_study_text
    from assay.study.override import with_changes
    from assay.study.study_text import StudyText

    changes: dict[tuple[str, str], str | int] = {}
    if server is not None:
        changes["server", "use"] = server
    if blocks is not None:
        changes["design", "blocks"] = blocks
    text = read_study_text(file)
    study = parse_study(text, file, changes=changes)
    written = with_changes(StudyText(file, text), changes)
    folder = folder_of(study, results)
    out = console(stderr=as_json)
    outcome = _execute(study, folder, seed, written, out if out.is_terminal else console(stderr=True))
    if as_json or not no_report:
        _results(study, folder, out, as_json=as_json, report=not no_report)
    if outcome.failed:
        _say_failed(outcome, out)
        ctx.exit(1)


def _execute(
    study: Study, folder: ResultsFolder, seed: int | None, written: StudyText, console: Console
) -> Outcome:
    from assay.cli.results_folder import progress_of
    from assay.plan import choose_seed, make_plan
    from assay.run.execute import execute
    from assay.study import study_hash
    from assay.terminal.live import LiveProgress
    from assay.terminal.progress import PlainProgress

    begun = progress_of(folder, study_hash(study)).seed
    plan = make_plan(study, seed=next(s for s in (seed, begun, choose_seed(study)) if s is not None))
    progress = LiveProgress(console) if console.is_terminal else PlainProgress(console)
    return execute(study, plan, folder, progress, written)


def _results(study: Study, folder: ResultsFolder, console: Console, *, as_json: bool, report: bool) -> None:
    """What came out, in words or as an object; and the pages, where they are wanted."""
    from assay.report import print_summary, write_report
    from assay.store import build_store, open_store
    from assay.verdict import judge

    build_store(folder)
    store = open_store(folder)
    try:
        judged = judge(study, store)
        page = write_report(study, judged, store, folder) if report else None
    finally:
        store.close()
    if as_json:
        import msgspec

        say_json(json.loads(msgspec.json.encode(judged)))
    else:
        print_summary(judged, console)
    if page is not None:
        console.print(f"\nreport: {page}", markup=False)


def _say_failed(outcome: Outcome, console: Console) -> None:
    count = len(outcome.failed)
    again = "it" if count == 1 else "them"
    console.print(f"\n[red]{counted(count, 'run')} failed[/red] (the same command does {again} again):")
    for run_id, reason in outcome.failed:
        console.print(f"  {run_id}: {line(reason)}", markup=False)
