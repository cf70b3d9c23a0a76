"""The verb `assay published`: five published reports, their tables and claims, and the verdicts on them
here.
"""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.cli.result_options import ScaleOption, json_option, markdown_option
from assay.front.terminal import console, say, say_json


@click.group("published")
def command() -> None:
    """Show five published reports: their tables, charts and claims, and the verdicts on this machine.

    \b
    Example:
      assay published list
      assay published show 002_02
      assay published plot 002_02 --svg numa.svg
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_reports(as_json: bool) -> None:
    """List the reports with their tables, charts and claims.

    \b
    Example:
      assay published list
    """
    from assay.experiments.comparison.published import published_reports
    from assay.front.terminal import print_reports

    if as_json:
        say_json(
            [
                {
                    "id": report.id,
                    "subject": report.subject,
                    "tables": [table.id for table in report.tables],
                    "charts": [chart.name for chart in report.charts],
                    "claims": [claim.id for claim in report.claims],
                }
                for report in published_reports()
            ]
        )
        return
    print_reports(published_reports(), console())


@command.command("show")
@click.argument("id", metavar="REPORT|TABLE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(id: str, as_json: bool) -> None:
    """Show a report (002) with its claims, or a table (002_02) with its printed figures.

    \b
    Example:
      assay published show 003
      assay published show 002_02
    """
    from dataclasses import asdict

    from assay.experiments.comparison.published import PublishedReport, find_published
    from assay.front.terminal import print_report, print_table, table_object

    found = find_published(id)
    if isinstance(found, PublishedReport):
        if as_json:
            say_json({**asdict(found), "tables": [table.id for table in found.tables]})
        else:
            print_report(found, console())
    elif as_json:
        say_json(table_object(found))
    else:
        print_table(found, console())


@command.command("plot")
@click.argument("name", metavar="TABLE|CHART")
@click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    help="Draw this measure of the table; may be repeated.  [default: those that the report drew, or all]",
)
@click.option(
    "--svg",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the picture here.  [default: TABLE.svg or CHART.svg]",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the titles.",
)
@json_option
def plot(name: str, measures: tuple[str, ...], file: Path | None, language: str, as_json: bool) -> None:
    """Draw a published TABLE, or a CHART by its name, as its report drew it: a line for each level, as SVG.

    The vertical axis is logarithmic if series differ by more than a factor of thirty.

    \b
    Example:
      assay published plot 002_02
      assay published plot bp24G_cpu8_qps --language zh
      assay published plot 003_01 --measure latency_p95 --svg p95.svg
    """
    from assay.experiments.comparison.published import draw_table, table_and_measures
    from assay.reporting.report import to_svg

    table, drawn = table_and_measures(name)
    picture = to_svg(draw_table(table, measures or drawn, language))
    file = file or Path(f"{name}.svg")
    file.write_text(picture, encoding="utf-8")
    if as_json:
        say_json({"file": str(file)})
    else:
        say(f"wrote {file}")


@command.command("run")
@click.argument("report")
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results/published"),
    show_default=True,
    help="Results go into DIR/REPORT/<name of the study>.",
    metavar="DIR",
)
@click.option(
    "--studies",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Take the study files of DIR/REPORT.  [default: published of the shipped studies]",
)
@click.option(
    "--scale",
    cls=ScaleOption,
    metavar="NAME",
    help="Take each study with this scale, as in small; results go into DIR/REPORT/NAME/<name of the"
    " study>.  [default: as each file says]",
)
@click.option("--only", multiple=True, metavar="NAME", help="Run only this study; may be repeated.")
@click.option("--plan", "only_plan", is_flag=True, help="Only show what would run, and how long it takes.")
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    report: str,
    results: Path,
    studies: Path | None,
    scale: str | None,
    only: tuple[str, ...],
    only_plan: bool,
    as_json: bool,
) -> None:
    """Run the studies of a REPORT again, in order, and write the report of each.

    The command first prints how long each study takes, and fetches the catalogue servers that this machine
    lacks, without installing anything. It skips complete studies and continues a study that was interrupted.
    If one study fails, the next ones still run. If this machine lacks the hardware for the claims of a study,
    the command names what is missing, which is no failure. An index page links all reports. Ctrl-C ends the
    current run early; the same command continues there.

    \b
    Example:
      assay published run 003 --scale small
      assay published run 003 --plan
    """
    from assay.base.errors import HostError
    from assay.experiments.comparison.published import files_to_run, studies_of
    from assay.experiments.lab import queued_studies
    from assay.front.cli.queued import ended_object, fetched, queue_object, run_queue
    from assay.front.terminal import print_queue

    out = console(stderr=as_json)
    files = files_to_run(report, studies, only)
    if only_plan:
        queued = queued_studies(files, results / report, scale)
        if as_json:
            say_json(queue_object(queued))
        else:
            print_queue(queued, out)
        ctx.exit(0)
    queued = fetched(lambda: queued_studies(files, results / report, scale), out)

    title = {"en": f"Published report {report}, run again", "zh": f"重新运行的已发表报告 {report}"}
    over, index = run_queue(queued, out, title=title, name=report, place=results / report)
    elsewhere = {one.file for one in studies_of(report, studies) if one.needs_other_machine}
    if as_json:
        say_json(ended_object(over, index))
    else:
        say(f"\nassay published tally {results} counts what became of the claims")
    lacking = [one for one in over if isinstance(one.error, HostError) and one.queued.file in elsewhere]
    if not all(one.is_whole or one in lacking for one in over):
        ctx.exit(1)


@command.command("tally")
@click.argument("roots", metavar="[RESULTS]…", nargs=-1, type=click.Path(path_type=Path))
@click.option("--claims", "every", is_flag=True, help="Print every claim with its verdicts.")
@markdown_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def tally_claims(roots: tuple[Path, ...], every: bool, markdown: str | None, as_json: bool) -> None:
    """Count the verdicts on the published claims, by report and kind of claim.

    RESULTS are results folders, or folders with results anywhere below them. The default is the folder
    "results". Each is judged as `assay show` judges it, and a hypothesis tests the claim whose id it has.

    \b
    Example:
      assay published tally
      assay published tally results/published --claims
    """
    from dataclasses import asdict

    from assay.base.printable import line
    from assay.experiments.comparison.published import tally, tally_tables
    from assay.front.terminal import print_tally, say_tables
    from assay.reporting.report import load_words

    with console(stderr=True).status("reading …") as status:  # shows on a terminal only
        found = tally(
            roots or (Path("results"),), lambda folder: status.update(f"judging {line(str(folder))} …")
        )
    if as_json:
        counts = [{"report": report, "kind": kind, **each} for report, kind, each in found.rows]
        say_json({"counts": counts, "total": found.counts(), **asdict(found)})
        return
    if markdown is not None:
        say_tables(tally_tables(found, load_words(markdown)), markdown)
        return
    print_tally(found, console(), every=every)
