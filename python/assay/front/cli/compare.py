"""The verb `assay compare`: compares results with a published table, or with other results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.front.cli.result_options import markdown_option
from assay.front.terminal import console, say, say_json

if TYPE_CHECKING:
    from assay.experiments.comparison import GridComparison


@click.command("compare")
@click.argument("left", metavar="RESULTS")
@click.argument("right", metavar="[RESULTS|published:TABLE]", required=False)
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
@markdown_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    left: str,
    right: str | None,
    measures: tuple[str, ...],
    levels: tuple[str, ...],
    file: Path | None,
    language: str,
    markdown: str | None,
    as_json: bool,
) -> None:
    """Compare RESULTS with a published table, or with other results, on the same axes.

    What differs between both is listed first, with the doubts of each side. Each common cell has its ratio,
    left / right, with an interval where both sides have enough independent blocks, otherwise with the reason
    why it is an estimate. Along the load points, ranks, the best level and the knee show whether the shapes
    agree. Two kinds of work, as a test of files and one of a server, are refused.

    With RESULTS alone, the other side is the published table that their study repeats.

    \b
    Example:
      assay compare results/003-fileio
      assay compare results/numa published:002_02
      assay compare results/io-capacity published:002_18 --svg beside.svg
      assay compare results/quickstart results/quickstart-again --measure tps
    """
    from assay.experiments.comparison import compare, comparison_tables, grid_of, picture, repeated_table
    from assay.front.terminal import print_comparison, say_tables
    from assay.reporting.report import load_words

    at = dict(_level(text) for text in levels)
    found = compare(grid_of(left), grid_of(right or repeated_table(left)), measures, at)
    if file is not None:
        file.write_text(picture(found, language), encoding="utf-8")
    if as_json:
        say_json(_as_object(found))
        return
    if markdown is not None:
        say_tables(comparison_tables(found, load_words(markdown)), markdown)
        return
    print_comparison(found, console())
    if file is not None:
        say(f"wrote {file}")


def _as_object(found: GridComparison) -> dict[str, Any]:
    from dataclasses import asdict

    from assay.experiments.comparison import estimates
    from assay.reporting.report import load_words

    sides = {
        name: {
            "name": grid.name,
            "machine": grid.machine,
            "work": f"{grid.work}",
            "doubts": [asdict(note) for note in grid.doubts],
        }
        for name, grid in (("left", found.left), ("right", found.right))
    }
    cells = [
        {
            "measure": one.measure,
            "levels": one.levels,
            "left": one.left,
            "right": one.right,
            "ratio": one.ratio,
            "low": one.low,
            "high": one.high,
            "blocks": None if one.decision is None else one.decision.blocks,
            "estimate": None if one.decision is None else one.decision.obstacles,
            "doubts": None if one.decision is None else one.decision.doubts,
        }
        for one in found.cells
    ]
    return {
        **sides,
        "differs": [asdict(one) for one in found.unlike],
        "estimates": estimates(found, load_words("en")),
        "notes": found.notes,
        "along": found.along and found.along.name,
        "cells": cells,
        **{name: [asdict(one) for one in getattr(found, name)] for name in ("shapes", "best")},
    }


def _level(text: str) -> tuple[str, str]:
    axis, equals, level = text.partition("=")
    if not equals or not axis or not level:
        raise click.BadParameter(f"{text!r}: expected AXIS=LEVEL, as in cpus=0-1", param_hint="--at")
    return axis, level
