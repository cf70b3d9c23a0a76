"""The verb `assay report`: judges existing results again and writes their report."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.cli.result_options import results_option, scale_option
from assay.front.terminal import console, say


@click.command("report")
@click.argument("source", metavar="RESULTS|STUDY", type=click.Path(path_type=Path))
@scale_option
@results_option
@click.option("--png", is_flag=True, help="Write the charts as PNG too.")
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    help="Write the report in one language only.  [default: both]",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the results as one JSON object instead of a table."
)
def command(
    source: Path, scale: str | None, results: Path | None, png: bool, language: str | None, as_json: bool
) -> None:
    """Judge results again and write their report: report.html, report.zh.html, tables/, charts/.

    Give the results folder, or the study file: hypotheses added to the file after the runs are judged too.

    \b
    Example:
      assay report results/quickstart
      assay report quickstart --png
    """
    if png and language == "zh":
        raise click.UsageError("--png draws charts in English: it cannot be combined with --language zh")

    from assay.experiments.gate import write_pages
    from assay.experiments.lab import judged, open_results
    from assay.front.cli.results_shown import say_results
    from assay.reporting.report import LANGUAGES

    study, folder = open_results(source, results, scale=scale)
    with judged(folder, study) as found:
        page = write_pages(found, png=png, languages=(language,) if language else LANGUAGES)
        advice = found.advice
    say_results(found.results, console(), as_json=as_json, advice=advice)
    if not as_json:
        say(f"\nreport: {page}")
