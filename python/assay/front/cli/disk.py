"""The verb `assay disk`: says whether a disk is fit for a durable MySQL, on one page."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from assay.base.argument_types import Seconds
from assay.front.cli.size_option import Size
from assay.front.terminal import console, say, say_json

_QUICK_S = 60.0
_SECONDS = 300.0


@click.command("disk")
@click.argument(
    "directory", metavar="DIRECTORY", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--seconds",
    type=Seconds(1, 86_400),
    help="Length of the measurement, without the making of the files.  [default: 5 min]",
)
@click.option("--quick", is_flag=True, help="Take one minute instead of five; intervals are wider.")
@click.option(
    "--size",
    type=Size(16 << 20, 16 << 40),
    default="1G",
    metavar="SIZE",
    help="Size of the file of pages; larger than the caches of disk and controller.",
    show_default=True,
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the page to this file.  [default: disk-<host>-<time>.html in the current directory]",
)
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Language of the page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def command(
    directory: Path,
    seconds: float | None,
    quick: bool,
    size: int,
    output: Path | None,
    language: str,
    as_json: bool,
) -> None:
    """Say whether the disk of DIRECTORY is fit for a durable MySQL, in five minutes and on one page.

    Measures commits (small writes to a log with a sync each), random reads and writes of pages, and whether
    the disk stays steady; says whether a synced write is kept, of which class the disk is, and which lines of
    my.cnf follow. The files are removed at the end. Root is not needed. Ctrl-C keeps what was measured.

    \b
    Example:
      assay disk /var/lib/mysql
      assay disk /data --quick --output fast-disk.html
      assay disk /data --json | jq .fitness
    """
    from assay.base.errors import Interrupted
    from assay.experiments.bench.disk import BLOCKS, measure_disk
    from assay.front.terminal import DiskDisplay, disk_object, print_disk
    from assay.reporting.report import write_disk_page
    from assay.results.advice import judge_disk

    if quick and seconds is not None:
        raise click.UsageError("--quick cannot be combined with --seconds")
    page = output or Path(f"disk-{os.uname().nodename}-{time.strftime('%Y%m%d-%H%M%S')}.html")
    _check_writable(page)
    out = console(stderr=as_json)
    with DiskDisplay(out, BLOCKS) as display:
        measured = measure_disk(
            directory, _QUICK_S if quick else seconds or _SECONDS, display, size=size - size % (1 << 20)
        )
    judged = judge_disk(measured)
    write_disk_page(judged, language, page)
    if as_json:
        say_json(disk_object(judged))
    else:
        print_disk(judged, out)
        say(f"\npage: {page}")
    if measured.interrupted:
        raise Interrupted("Interrupted; the figures cover the time until then.")


def _check_writable(page: Path) -> None:
    """Raises InputError before five minutes are spent on a page that cannot be written."""
    from assay.base.errors import InputError

    folder = page.parent
    if not folder.is_dir():
        raise InputError(f"--output {page}: there is no directory {folder}", hint="make it, or name another")
    if not os.access(folder, os.W_OK):
        raise InputError(f"--output {page}: {folder} cannot be written", hint="give --output FILE elsewhere")
