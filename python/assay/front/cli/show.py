"""The verb `assay show`: how far results have come, with verdicts and doubts, without writing a report."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.errors import InputError
from assay.base.printable import line
from assay.front.terminal import console, say, say_json


@click.command("show")
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(results: Path, as_json: bool) -> None:
    """Show the progress, the verdicts and the doubts of RESULTS. No report is written.

    You can use this command while `assay run` is running: it judges the finished runs.

    \b
    Example:
      assay show results/quickstart
      assay show results/quickstart --json | jq '.judged.hypotheses[].outcome'
    """
    from dataclasses import asdict

    from assay.experiments.lab import judged, results_folder, standing
    from assay.front.cli.results_shown import as_object, say_results

    folder = results_folder(results)
    found = standing(folder)
    said = None
    if found.complete:
        with judged(folder) as one:
            said = one.results
    if as_json:
        say_json(asdict(found) | {"judged": None if said is None else as_object(said)})
    if found.damaged is not None:
        raise InputError(found.damaged, hint="restore the file from a copy, or run the study again")
    if as_json:
        return
    say(f"{line(found.study)}: {line(found.sentence)}")
    if said is not None:
        say()
        say_results(said, console(), as_json=False)
    if found.report:
        say(f"\nreport: {folder.report}")
