"""The options of `assay fio`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import Seconds
from assay.front.compat.options import OWN_TEXT


def fio_options() -> list[click.Parameter]:
    """Returns the argument and options of `assay fio`, made anew for each command."""
    return [
        click.Argument(["job"], type=click.Path(path_type=Path), metavar="JOB.fio"),
        click.Option(
            ["--output"],
            type=click.Choice([OWN_TEXT, "fio", "fio-json"]),
            default=OWN_TEXT,
            help="Format of the result: assay's, fio's text, or fio's JSON.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print assay's result as one JSON object."),
        click.Option(
            ["--report-interval"],
            type=Seconds(),
            default=1.0,
            help="Seconds between live lines; 0: none.",
        ),
        click.Option(
            ["--ledger"],
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            metavar="DIRECTORY",
            help="Directory, best on another disk, in which jobs with verify note acknowledged and"
            " durable writes.",
        ),
        click.Option(
            ["--verify"],
            is_flag=True,
            help="Only read back and verify what an earlier run wrote, for example after a crash.",
        ),
        click.Option(["--check"], is_flag=True, help="Check the job file without running it."),
    ]
