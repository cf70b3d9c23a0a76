"""The options that only `assay bench tpcc` has."""

from __future__ import annotations

import click

from assay.run.bench import OWN_TEXT, TOOL_TEXT


def tool_options() -> list[click.Option]:
    """Another tool's text for parsers that know it, distributions, the result file of Deliveries."""
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
        click.Option(
            ["--histograms"],
            is_flag=True,
            help="Print the distributions of clause 5.6, which --json always has.",
        ),
        click.Option(
            ["--delivery-log"],
            type=click.Path(dir_okay=False, writable=True, resolve_path=True),
            metavar="FILE",
            help="Write the result of each queued Delivery to this CSV file (clause 2.7.2.2).",
        ),
    ]
