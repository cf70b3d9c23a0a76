"""The options of `assay fio`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.argument_types import Seconds
from assay.compat.options import OWN_TEXT


def fio_options() -> list[click.Parameter]:
    """The job file and what becomes of it; made anew for each command."""
    return [
        click.Argument(["job"], type=click.Path(path_type=Path), metavar="JOB.fio"),
        click.Option(
            ["--output"],
            type=click.Choice([OWN_TEXT, "fio", "fio-json"]),
            default=OWN_TEXT,
            help="Form of the result: ours, or fio's own as text or JSON.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Our form as one JSON object."),
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
            help="Where jobs with verify note what was acknowledged and what durable: best on another disk.",
        ),
        click.Option(
            ["--verify"],
            is_flag=True,
            help="Write nothing; read back what an earlier run wrote, as after a kill.",
        ),
        click.Option(["--check"], is_flag=True, help="Read the job file and run nothing."),
    ]
