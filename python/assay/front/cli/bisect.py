"""The verb `assay bisect`: finds the build that brought a change."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import Number, WholeNumber
from assay.front.cli.result_options import scale_option
from assay.front.cli.shipped import StudyPath
from assay.front.terminal import console, say, say_json


@click.command("bisect")
@click.argument("file", metavar="STUDY", type=StudyPath())
@scale_option
@click.option(
    "--good", required=True, metavar="SERVER", help="The build before the change, as studies name it."
)
@click.option("--bad", required=True, metavar="SERVER", help="The build after it, which is worse.")
@click.option(
    "--versions",
    metavar="SERVER,…",
    help="Builds in between, from good to bad; '' for none.  [default: every version between them that is"
    " installed here or in the catalogue of assay server list]",
)
@click.option(
    "--measure",
    metavar="NAME",
    help="Measure that became worse.  [default: the measure of the first hypothesis, or tps]",
)
@click.option(
    "--at", type=Number(above=True), metavar="LOAD", help="Load point.  [default: the study's last]"
)
@click.option(
    "--least",
    type=Number(0, 99, above=True),
    default=2.0,
    show_default=True,
    metavar="PERCENT",
    help="The two ends must differ by more than this.",
)
@click.option(
    "--most", type=WholeNumber(2, 99), default=40, show_default=True, help="Most blocks of each step."
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Results folder of the search.  [default: results/<name of the study>-bisect]",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object; progress goes to standard error."
)
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    scale: str | None,
    good: str,
    bad: str,
    versions: str | None,
    measure: str | None,
    at: float | None,
    least: float,
    most: int,
    results: Path | None,
    as_json: bool,
) -> None:
    """Find the build between GOOD and BAD that made STUDY worse.

    The search first measures GOOD and BAD side by side; they must differ. It then measures a build in the
    middle beside the good one, until it is decided whether that build lost more than half of the difference.
    It repeats this with the remaining builds. All factors but the server stay at their first levels.

    Every step is kept: after Ctrl-C or a kill, the same command continues. A build that cannot be run or
    stays undecided is skipped, and the answer says so. The exit code is 1 if the search ends without one
    build.

    \b
    Example:
      assay bisect quickstart --good mariadb@10.11 --bad mariadb@11.4
      assay bisect nightly.toml --good path:/builds/0401 --bad path:/builds/0408 \\
        --versions path:/builds/0403,path:/builds/0405 --measure p95_ms --at 64
    """
    from assay.experiments.history import bisect, row_of, said, template
    from assay.front.cli.run import progress_on

    source = template(file, scale, use=good)
    out = console(stderr=as_json)
    progress = progress_on(out if out.is_terminal else console(stderr=True))
    named = versions if versions is None else [one.strip() for one in versions.split(",") if one.strip()]
    folder = results or Path("results") / f"{source.study.folder_name}-bisect"
    row = row_of(good, bad, named, progress)
    found = bisect(source, row, folder, progress, measure=measure, at=at, least=least / 100, most=most)
    if as_json:
        from dataclasses import asdict

        from msgspec import to_builtins

        say_json(asdict(found) | {"search": to_builtins(found.search)})
    else:
        say()
        for step in found.search.steps:
            say(f"  {said(step, found.search)}")
        if found.is_found:
            say(f"first bad: {found.bad}  (good: {found.good})")
        else:
            say(f"undecided between {found.good}, which is good, and {found.bad}, which is bad")
        for sentence in found.made_of:
            say(sentence)
    if not found.is_found:
        ctx.exit(1)
