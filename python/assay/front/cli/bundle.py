"""The verb `assay bundle`: archives one study's results as one file, and opens such files."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.errors import InputError
from assay.base.printable import line
from assay.base.wording import counted
from assay.front.terminal import console, say, say_json


@click.command("bundle")
@click.argument("source", metavar="RESULTS|FILE", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path),
    help="Write the archive there; with --open, the results folder.",
)
@click.option("--open", "opens", is_flag=True, help="Unpack FILE into a results folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(source: Path, target: Path | None, opens: bool, as_json: bool) -> None:
    """Archive RESULTS as one file that another machine can report again.

    The file holds the study, the plan, the runs with the engine's events, samples and facts of server and
    machine, the pages, and the version of assay. Runs that are not over are left out. It is a gzipped tar
    with a list of checksums, called <name of the study>.assay.tar.gz unless --to names it otherwise.

    With --open the files are compared with their checksums and unpacked into results/<name of the study>, or
    into the folder that --to names. Ctrl-C leaves nothing behind.

    \b
    Example:
      assay bundle results/quickstart
      assay bundle --open quickstart.assay.tar.gz --to results/from-the-other-machine
      assay report results/from-the-other-machine
    """
    from dataclasses import asdict

    from assay.experiments.lab import bundled_bytes, open_bundle, results_folder, write_bundle
    from assay.front.terminal import ByteDisplay

    if opens and source.is_dir():
        raise InputError(f"{source}: --open needs an archive, and this is a folder", hint="leave --open out")
    if not opens and source.is_file():
        raise InputError(
            f"{source}: expected a folder of results, and this is a file",
            hint=f"unpack it: assay bundle --open {source}",
        )
    size = None if opens else bundled_bytes(results_folder(source))
    with ByteDisplay(console(stderr=True), "unpacking" if opens else "archiving", size) as display:
        made = (open_bundle if opens else write_bundle)(source, target, display.add)
    if as_json:
        say_json(asdict(made))
        return
    runs = f"{made.runs} of {counted(made.runs_planned, 'run')}"
    say(f"{made.file}: {line(made.study)}, {runs}, {counted(made.files, 'file')}, {made.bytes:,} bytes")
    if opens:
        say(f"report it again: assay report {made.file}")
