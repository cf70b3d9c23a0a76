"""The verb `assay gate`: says whether a change may pass, by the claims that a study requires."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import WholeNumber
from assay.front.cli.result_options import results_option, scale_option
from assay.front.cli.shipped import StudyPath
from assay.front.terminal import console, say, say_json

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("gate")
@click.argument("source", metavar="STUDY|RESULTS", type=StudyPath())
@scale_option
@results_option
@click.option(
    "--require",
    "claims",
    metavar="CLAIM",
    multiple=True,
    help="Require this claim beside the study's [[gate]] tables; may be repeated.",
)
@click.option("--base", metavar="SERVER", help="The build before the change, as the level base of build.")
@click.option("--new", metavar="SERVER", help="The build with the change, as the level new of build.")
@click.option(
    "--baseline",
    type=_FILE,
    help="Take this file of `assay baseline save` for the base, and run the new build alone: second best.",
)
@click.option("--blocks", type=WholeNumber(1, 99), help="Run N blocks instead of the study's number.")
@click.option(
    "--confirm",
    type=WholeNumber(2, 99),
    metavar="N",
    help="Measure claims that fail again in N fresh blocks; they fail only if they fail there, too.",
)
@click.option(
    "--alarms", type=_FILE, help="Add checks that fail to this file, and show how often each gate was right."
)
@click.option("--junit", type=_FILE, help="Write the checks as JUnit XML.")
@click.option("--markdown", type=_FILE, help="Write the checks as Markdown, short enough for a comment.")
@click.option("--openmetrics", type=_FILE, help="Write the figures as OpenMetrics text.")
@click.option(
    "--github",
    is_flag=True,
    help="Print annotations for GitHub Actions, and append Markdown to $GITHUB_STEP_SUMMARY.",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the Markdown.",
)
@click.option("--no-fail", is_flag=True, help="End with 0 whatever the outcome is; print it all the same.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object; everything else goes to standard error."
)
def command(
    source: Path,
    scale: str | None,
    results: Path | None,
    claims: tuple[str, ...],
    base: str | None,
    new: str | None,
    baseline: Path | None,
    blocks: int | None,
    confirm: int | None,
    alarms: Path | None,
    junit: Path | None,
    markdown: Path | None,
    openmetrics: Path | None,
    github: bool,
    language: str,
    no_fail: bool,
    as_json: bool,
) -> None:
    """Say whether a change may pass, by the claims that a study requires.

    STUDY is run first, or continued where it stopped; RESULTS are judged as they are. Both builds are
    treatments of one study, so that they run in the same blocks on one machine: --base and --new give the
    study a factor `build` with the levels base and new.

    A claim passes if its whole interval is on the right side, fails if it is on the wrong side, and is
    undecided otherwise. Where runs failed or are missing, a doubt is invalid, or the blocks could not show a
    change as large as the tolerance, it is not judged, and never passes. The exit code is 9 if a claim fails,
    11 if one is not judged, 10 if one is undecided and its gate forbids that, and 0 otherwise.

    \b
    Example:
      assay gate quickstart --require "tps > 100"
      assay gate quickstart --base mariadb@10.11 --new path:/builds/today \\
        --require "tps[build=new]/tps[build=base] >= 0.97" --confirm 6 --junit gate.xml
      assay gate results/quickstart --require "p95_ms < 50 ms" --json | jq .outcome
    """
    from assay.experiments.gate import (
        GateRequest,
        annotation_lines,
        as_junit,
        as_markdown,
        as_object,
        as_openmetrics,
        complaint,
        gate,
        note_alarms,
        write_summary,
    )
    from assay.experiments.lab import folder_of
    from assay.front.cli.fetching import ready_for
    from assay.front.cli.run import progress_on
    from assay.front.terminal import print_gate

    out = console(stderr=as_json)
    progress = progress_on(out if out.is_terminal else console(stderr=True))
    wanted = GateRequest(claims, base, new, scale, results, blocks, confirm, baseline)
    found = gate(source, wanted, progress, lambda opened: ready_for(opened, folder_of(opened.study, results)))
    ledger = None if alarms is None else note_alarms(alarms, found)
    for file, write in (
        (junit, as_junit),
        (markdown, lambda found: as_markdown(found, language)),
        (openmetrics, as_openmetrics),
    ):
        if file is not None:
            file.write_text(write(found), encoding="utf-8")
    if as_json:
        say_json(as_object(found, ledger))
    else:
        print_gate(found, out, ledger)
    if github:
        for annotation in annotation_lines(found):
            say(annotation, err=as_json)
        write_summary(found, language)
    error = complaint(found)
    if error is not None and not no_fail:
        raise error
