"""The verb `assay baseline`: keeps the figures of a build as a file for `assay gate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.base.printable import line
from assay.base.wording import counted
from assay.front.cli.result_options import json_option
from assay.front.terminal import say, say_json

if TYPE_CHECKING:
    from assay.experiments.gate import Baseline

_RESULTS = click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
_FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))


@click.group("baseline")
def command() -> None:
    """Keep the figures of a build as a file, for gates that cannot run it.

    The file is JSON of at most 100 kB, meant for a repository. It holds, for each measure, configuration and
    load point, the mean, the spread and the number of blocks, and says where they were measured. `assay gate
    --baseline FILE` judges nothing where the study, the class of machine, the canary or the version differs.

    \b
    Example:
      assay baseline save results/nightly baseline.json
      assay gate nightly.toml --baseline baseline.json
      assay baseline accept results/nightly baseline.json --reason "new allocator"
    """


@command.command("save")
@_RESULTS
@_FILE
@json_option
def save_new(results: Path, file: Path, as_json: bool) -> None:
    """Write the figures of RESULTS into a new FILE. Of two builds, those of the new one are taken.

    Results with failed or missing runs, or an invalid doubt, are refused (exit code 11). A file that exists
    is left as it is (exit code 7).

    \b
    Example:
      assay baseline save results/nightly baseline.json
    """
    from assay.experiments.gate import save

    _said(save(results, file), file, as_json=as_json)


@command.command("accept")
@_RESULTS
@_FILE
@click.option("--reason", required=True, metavar="TEXT", help="Why the new figures are right; it is kept.")
@json_option
def accept_new(results: Path, file: Path, reason: str, as_json: bool) -> None:
    """Replace the figures in FILE by those of RESULTS, and keep the reason. Nothing else moves a baseline.

    \b
    Example:
      assay baseline accept results/nightly baseline.json --reason "new allocator"
    """
    from assay.experiments.gate import accept

    _said(accept(results, file, reason), file, as_json=as_json)


def _said(made: Baseline, file: Path, *, as_json: bool) -> None:
    last = made.accepted[-1]
    if as_json:
        of = {"study": made.name, "servers": last.servers, "host": made.identity.host}
        say_json({"file": str(file), **of, "series": len(made.series)})
        return
    servers = ", ".join(map(line, last.servers))
    say(f"wrote {file}: {counted(len(made.series), 'series', 'series')} of {servers}")
    say(f"measured on {line(made.identity.host)}")
