"""`assay show`: how far results have come and what they say, without writing a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.printable import line
from assay.terminal import console, say, say_json

if TYPE_CHECKING:
    from assay.folder import ResultsFolder
    from assay.verdict.results import Results


@click.command("show")
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(results: Path, as_json: bool) -> None:
    """Show how far RESULTS have come, their verdicts and doubts. No report is written.

    It can be asked while `assay run` is at work: what is finished is judged.

    \b
    Example:
      assay show results/quickstart
      assay show results/quickstart --json | jq '.judged.hypotheses[].outcome'
    """
    from dataclasses import asdict

    from assay.cli.progress_of_results import standing
    from assay.errors import InputError
    from assay.folder import ResultsFolder

    folder = ResultsFolder(results)
    if not folder.entry.is_file():
        raise InputError(
            f"{results}: holds no results of a study",
            hint="give a folder that `assay run` made, as in results/quickstart; assay list names them",
        )
    found = standing(folder)
    judged = _judged(folder) if found.complete else None
    if as_json:
        import json

        import msgspec

        whole = None if judged is None else json.loads(msgspec.json.encode(judged))
        say_json(asdict(found) | {"judged": whole})
        return
    say(f"{line(found.study)}: {line(found.sentence)}")
    if judged is not None:
        from assay.report import print_summary

        say()
        print_summary(judged, console())
    if found.report:
        say(f"\nreport: {folder.report}")


def _judged(folder: ResultsFolder) -> Results:
    from assay.store import build_store, open_store
    from assay.study import load_measured
    from assay.verdict import judge

    build_store(folder)
    store = open_store(folder)
    try:
        return judge(load_measured(folder.study_file), store)
    finally:
        store.close()
