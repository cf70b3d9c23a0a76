"""The verb `assay demo`: a first study, from nothing to its verdict."""

from __future__ import annotations

import zlib
from pathlib import Path

import click

from assay.front.cli.result_options import json_results_option

PRIVATE, RUNNING = "quickstart", "running-server"
"""The study of a server that the lab starts; that of one which runs already, and is used as it is."""


@click.command("demo")
@click.option(
    "--server",
    metavar="SERVER",
    help="Measure this server: a catalogue name, path:DIR or dsn:mysql://…; the password of a running one is"
    " in $ASSAY_PASSWORD.  [default: the installed MariaDB]",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the results to this folder.  [default: results/quickstart]",
)
@json_results_option
@click.pass_context
def command(ctx: click.Context, server: str | None, results: Path | None, as_json: bool) -> None:
    """Measure what an index is worth, on a private MariaDB: twelve runs, a verdict and a report in three
    minutes.

    Nothing is asked, and nothing of the machine is changed. Of a running server, prepared statements are
    measured. The same command continues where Ctrl-C stopped it.

    \b
    Example:
      assay demo
      assay demo --server path:/opt/mysql-8.4
      assay demo --server dsn:mysql://bench@127.0.0.1:3306/bench
    """
    from assay.front.cli import doctor, run
    from assay.front.cli.shipped import shipped_file

    if server is None and not as_json:
        ctx.invoke(doctor.command, quiet=True)
    study = RUNNING if server is not None and server.startswith("dsn:") else PRIVATE
    results = results or _results(study, server)
    ctx.invoke(run.command, file=shipped_file(study), server=server, results=results, as_json=as_json)


def _results(study: str, server: str | None) -> Path:
    """Returns the results folder of a study: one for each server, which may not share one."""
    return Path("results") / (study if server is None else f"{study}-{zlib.crc32(server.encode()):08x}")
