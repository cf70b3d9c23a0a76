"""The verb `assay import`: brings results of other tools into a results folder."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import Seconds
from assay.base.wording import counted
from assay.front.terminal import console, say, say_json, tell_size


@click.command("import")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--results",
    required=True,
    type=click.Path(path_type=Path),
    help="Results folder to add to: a new one, or one that assay import made.",
)
@click.option(
    "--factor",
    "factors",
    metavar="NAME[=LEVEL]",
    multiple=True,
    help="What all FILEs of this call have in common: a word, or a factor of studies. Without a level, the"
    " one that the tool printed, or else what distinguishes the names of the files. threads, rate and iodepth"
    " are the load, where the tool does not print it."
    " May be repeated.",
)
@click.option(
    "--every",
    "every_s",
    metavar="SECONDS",
    type=Seconds(),
    help="Time between two readings of a vmstat or iostat log without timestamps.",
)
@click.option(
    "--repeats",
    "are_repeats",
    is_flag=True,
    help="Files of equal load without a factor are repeats: one setup, measured several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    files: tuple[Path, ...],
    results: Path,
    factors: tuple[str, ...],
    every_s: float | None,
    are_repeats: bool,
    as_json: bool,
) -> None:
    """Bring results of other tools into a results folder, for report, compare and audit.

    FILE is the text of sysbench 0.4, 0.5 or 1.0 (tests of a server, and fileio), JSON or text of fio 3, text
    of tpcc-mysql, text or CSV of LinkBench, or a result table. A file may hold several results. Each becomes
    a run; results with equal factors at equal load are repeats, each in a block of its own. Several files at
    one load need a factor, or --repeats. Logs of vmstat, iostat and top, and my.cnf, belong to the result
    that is given with them.

    Figures are stored as they are printed, with file and line; what the tool does not print stays unknown.
    Lines and results that are left over are counted and named. Nothing is written if no result of a file
    can be used.

    \b
    Example:
      assay import sysbench-*.txt --results results/ours --repeats
      assay import xfs/*.txt --results results/file-systems --factor filesystem=xfs
      assay import fio-*.json --results results/disk --factor bs
      assay import tpcc.txt vmstat.log my.cnf --results results/tpcc
      assay report results/ours
    """
    from dataclasses import asdict

    from assay.experiments.adopt import bring_in
    from assay.front.terminal import print_imports

    tell_size(files)
    found = bring_in(files, results, factors, every_s, are_repeats=are_repeats)
    if as_json:
        say_json({"results": str(results), **asdict(found)})
        return
    print_imports(found, console())
    say(f"{results}: {counted(len(found.runs), 'run')} added")
    say(f"report: assay report {results}")
