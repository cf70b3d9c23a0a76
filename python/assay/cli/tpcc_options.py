"""The options that only `assay bench tpcc` has."""

from __future__ import annotations

import click

from assay.run.bench import OWN_TEXT, TOOL_TEXT


def tool_options() -> list[click.Option]:
    """The text of another tool, for parsers that know it."""
    return [
        click.Option(
            ["--output"],
            type=click.Choice([OWN_TEXT, TOOL_TEXT]),
            default=OWN_TEXT,
            show_default=True,
            help="What a run prints; tpcc-mysql is the text of that tool's tpcc_start.",
        ),
        click.Option(
            ["--rt-unit"],
            type=click.Choice(["s", "ms"]),
            default="s",
            show_default=True,
            help="How that text reads its limits of response time: as meant, or as the tool does.",
        ),
    ]
