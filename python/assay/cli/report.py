"""`assay report`: the report of results that are there, written again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.results_folder import results_option
from assay.terminal import console, say, say_json

if TYPE_CHECKING:
    from assay.folder import ResultsFolder
    from assay.study import Study


@click.command("report")
@click.argument("source", metavar="RESULTS|STUDY", type=click.Path(path_type=Path))
@results_option
@click.option("--png", is_flag=True, help="Write the charts as PNG too.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the results as one JSON object instead of a table."
)
def command(source: Path, results: Path | None, png: bool, as_json: bool) -> None:
    """Judge results again and write their report: report.html, tables/, charts/.

    Give the results folder, or the study file: hypotheses added to the file after the runs are judged too.

    \b
    Example:
      assay report results/quickstart
      assay report studies/quickstart.toml --png
    """

    from assay.report import print_summary, write_report
    from assay.store import build_store, open_store
    from assay.verdict import judge

    study, folder = _open(source, results)
    build_store(folder)
    store = open_store(folder)
    try:
        judged = judge(study, store)
        page = write_report(study, judged, store, folder, png=png)
    finally:
        store.close()
    if as_json:
        import json

        import msgspec

        say_json(json.loads(msgspec.json.encode(judged)))
        return
    print_summary(judged, console())
    say(f"\nreport: {page}")


def _open(source: Path, results: Path | None) -> tuple[Study, ResultsFolder]:
    """The study and its results. InputError when there are none, ConflictError when they are another's."""
    from assay.cli.results_folder import folder_of
    from assay.errors import InputError
    from assay.folder import ResultsFolder
    from assay.run.journal import check_same_study
    from assay.study import load_measured, load_study

    if source.is_dir():
        folder = ResultsFolder(source)
        if not folder.study_file.is_file():
            raise InputError(
                f"{source}: holds no results of a study",
                hint="give a folder that `assay run` made, as in results/quickstart",
            )
        return load_measured(folder.study_file), folder
    study = load_study(source)
    folder = folder_of(study, results)
    if not folder.entry.is_file():
        raise InputError(
            f"{folder.path}: holds no results of {source}", hint=f"run it first: assay run {source}"
        )
    check_same_study(folder, study)
    return study, folder
