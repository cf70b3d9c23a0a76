"""Options of several verbs: which results of a study they are about, and how these are printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from assay.design.study import FORMER_SCALE


class ScaleOption(click.Option):
    """The option `--scale`, which command lines may still give by its former name; help has the new one."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Adds the option under both names to the parser of a command line."""
        super().add_to_parser(parser, ctx)
        parser.add_option(self, [f"--{FORMER_SCALE}"], self.name)


results_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.  [default: results/<name of the study>, or <name>-<scale>]",
)
scale_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--scale",
    cls=ScaleOption,
    metavar="NAME",
    help="Take the study with this scale of its file.  [default: as [study] scale says, or none]",
)
json_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object; everything else goes to standard error.",
)
json_results_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the results as one JSON object; progress goes to standard error.",
)
markdown_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--markdown", metavar="LANGUAGE", type=click.Choice(["en", "zh"]), help="Print tables in Markdown."
)
