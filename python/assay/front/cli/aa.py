"""The verb `assay aa`: measures how much single runs of a study vary, by equal copies of its baseline."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import WholeNumber
from assay.front.cli.result_options import json_results_option, results_option, scale_option
from assay.front.cli.shipped import StudyPath
from assay.front.terminal import console


@click.command("aa")
@click.argument("file", metavar="STUDY", type=StudyPath())
@scale_option
@results_option
@click.option(
    "--seed", type=WholeNumber(0, 2**53 - 1), help="Order the runs by this seed instead of the study's."
)
@click.option(
    "--blocks",
    type=WholeNumber(2, 99),
    default=6,
    show_default=True,
    help="Number of blocks, the passes over the copies.",
)
@click.option(
    "--loads",
    type=WholeNumber(1, 16),
    default=1,
    show_default=True,
    help="Load the data of the baseline so often, run one copy on each load, and report the luck of loads.",
)
@json_results_option
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    scale: str | None,
    results: Path | None,
    seed: int | None,
    blocks: int,
    loads: int,
    as_json: bool,
) -> None:
    """Run four identical copies of the baseline of STUDY (with --loads, one for each load), and report how
    much single runs vary.

    The copies have the load of STUDY and the first level of each factor; hypotheses are left out. The results
    go into a separate folder, results/<name>-aa. Assay keeps the measured noise: `assay plan` uses it to say
    which differences a study can detect, and margin = "aa" uses it as the margin.

    \b
    Example:
      assay aa quickstart
      assay aa quickstart --loads 4
      assay aa quickstart --blocks 10 --json | jq '.copies'
    """
    from assay.experiments.gate import write_pages
    from assay.experiments.lab import carry_out, folder_of, judged, judging, keep_spread, open_copies
    from assay.front.cli.fetching import ready_for
    from assay.front.cli.results_shown import say_results
    from assay.front.cli.run import progress_on, say_failed

    opened = open_copies(file, blocks=max(blocks, loads), loads=loads, scale=scale)
    folder = folder_of(opened.study, results)
    ready_for(opened, folder, seed=seed)
    out = console(stderr=as_json)
    progress = progress_on(out if out.is_terminal else console(stderr=True))
    outcome = carry_out(opened, folder, progress, seed=seed)
    with judging(folder, progress), judged(folder, opened.study) as found:
        page = write_pages(found)
        kept = keep_spread(found) if found.results.copies else None
    say_results(found.results, out, as_json=as_json)
    if kept is not None:
        out.print(f'\nkept for assay plan and margin = "aa": {kept}', markup=False)
    out.print(f"report: {page}", markup=False)
    if outcome.failed:
        say_failed(outcome, out)
        ctx.exit(1)
