"""The verb `assay compare`: compares results with a published table, or with other results."""

from __future__ import annotations

from pathlib import Path

import click

from assay.terminal import console, say, say_json


@click.command("compare")
@click.argument("left", metavar="RESULTS")
@click.argument("right", metavar="RESULTS|published:TABLE")
@click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    help="Compare this measure; may be repeated.  [default: the published measures, or the"
    " study's headlines]",
)
@click.option(
    "--at",
    "levels",
    metavar="AXIS=LEVEL",
    multiple=True,
    help="Level to use on an axis that only one side varies.  [default: its first]",
)
@click.option(
    "--svg", "file", type=click.Path(path_type=Path, dir_okay=False), help="Draw both sides as SVG."
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the picture.",
)
@click.option(
    "--markdown",
    metavar="LANGUAGE",
    type=click.Choice(["en", "zh"]),
    help="Print tables in Markdown.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    left: str,
    right: str,
    measures: tuple[str, ...],
    levels: tuple[str, ...],
    file: Path | None,
    language: str,
    markdown: str | None,
    as_json: bool,
) -> None:
    """Compare RESULTS with a published table, or with other results, on the same axes.

    Each common cell has its ratio, left / right, with an interval if there are repeats. Along the load
    points, ranks, the best level and the knee show whether the shapes agree.

    \b
    Example:
      assay compare results/numa published:002_02
      assay compare results/io-capacity published:002_18 --svg beside.svg
      assay compare results/quickstart results/quickstart-again --measure tps
    """
    from dataclasses import asdict

    from assay.comparison import compare, comparison_tables, grid_of, picture
    from assay.report import load_words
    from assay.terminal import print_comparison, say_tables

    at = dict(_level(text) for text in levels)
    found = compare(grid_of(left), grid_of(right), measures, at)
    if file is not None:
        file.write_text(picture(found, language), encoding="utf-8")
    if as_json:
        sides = {
            name: {"name": grid.name, "machine": grid.machine}
            for name, grid in (("left", found.left), ("right", found.right))
        }
        parts = ("cells", "shapes", "best")
        rows = {name: [asdict(one) for one in getattr(found, name)] for name in parts}
        say_json({**sides, "notes": found.notes, "along": found.along and found.along.name, **rows})
        return
    if markdown is not None:
        say_tables(comparison_tables(found, load_words(markdown)), markdown)
        return
    print_comparison(found, console())
    if file is not None:
        say(f"wrote {file}")


def _level(text: str) -> tuple[str, str]:
    axis, equals, level = text.partition("=")
    if not equals or not axis or not level:
        raise click.BadParameter(f"{text!r}: expected AXIS=LEVEL, as in cpus=0-1", param_hint="--at")
    return axis, level
