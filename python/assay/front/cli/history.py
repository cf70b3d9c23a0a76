"""The verb `assay history`: follows results over server builds, and finds where they changed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from assay.base.argument_types import Number
from assay.base.printable import line
from assay.front.terminal import console, say, say_json

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("history")
@click.argument(
    "roots",
    metavar="ROOT…",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    default=("throughput",),
    help="Follow this measure, named as in claims; may be repeated.  [default: throughput]",
)
@click.option(
    "--by",
    "order",
    type=click.Choice(["build", "date"]),
    default="build",
    show_default=True,
    help="Order by the version of the server, or by when it was measured (then every results folder counts"
    " by itself).",
)
@click.option(
    "--canary",
    metavar="SERVER",
    help="Follow ratios to this server in the same blocks, which cancels changes of the host. Use an old"
    " build that every study also measures.",
)
@click.option(
    "--least",
    type=Number(0, 100, above=True),
    metavar="PERCENT",
    help="Smallest change that counts.  [default: 2, or the difference between runs of one build, if larger]",
)
@click.option(
    "--confirm", metavar="ID", help="Write the study that confirms this change, and print how to run it."
)
@click.option(
    "--explain",
    nargs=2,
    metavar="ID REASON",
    help="Record the reason of this change in ROOT/history.toml; an empty reason removes the record.",
)
@click.option(
    "--close",
    "closed",
    nargs=3,
    metavar="ID HOW REASON",
    help="Close this change as justified, false-alarm, fixed-elsewhere, later or reverted, with the reason.",
)
@click.option("--csv", "table", type=_FILE, help="Write the values as CSV.")
@click.option("--svg", "drawn", type=_FILE, help="Draw the series as SVG.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    roots: tuple[Path, ...],
    measures: tuple[str, ...],
    order: Literal["build", "date"],
    canary: str | None,
    least: float | None,
    confirm: str | None,
    explain: tuple[str, str] | None,
    closed: tuple[str, str, str] | None,
    table: Path | None,
    drawn: Path | None,
    as_json: bool,
) -> None:
    """Follow results over server builds, and find the builds that changed them.

    ROOT is a results folder, or a folder with results anywhere below it. Results with the same workload,
    settings, load point and class of host form one series. A series has one value for each build: the
    geometric mean over blocks. A step is reported as soon as two builds have reached the new level.

    A change starts as new. A study that measures the two builds side by side, in the same blocks, confirms or
    refutes it: --confirm writes that study into ROOT/confirmations, and the change has its answer after you
    have run the study. With --explain, you note the reason. With --close, nothing more is to be done.

    \b
    Example:
      assay history results/nightly
      assay history results/nightly --canary mariadb@10.11 --measure throughput --measure p95_ms
      assay history results/nightly --confirm 8d3d1ba3
      assay history results/nightly --explain 8d3d1ba3 "new allocator"
      assay history results/nightly --close 8d3d1ba3 later "issue 4711"
      assay history results/nightly --json | jq '.shifts[] | {before, after, series}'
    """
    from assay.experiments.history import HistoryRequest, as_csv, as_object, history, picture
    from assay.front.terminal import print_history

    share = None if least is None else least / 100
    wanted = HistoryRequest(measures, order, canary, share)
    with console(stderr=True).status("reading …") as status:  # shows on a terminal only
        found = history(roots, wanted, lambda folder: status.update(f"reading {line(str(folder))} …"))
    if closed is not None:
        wanted_id, how, reason = closed
        found.explain(wanted_id, reason, how)
        say(f"noted in {found.root / 'history.toml'}")
        return
    if explain is not None:
        found.explain(*explain)
        say(f"noted in {found.root / 'history.toml'}")
        return
    if confirm is not None:
        file = found.confirm(confirm)
        say(f"wrote {file}; run it with")
        say(f"  assay run {file} --until-decided --results {file.with_suffix('')}")
        return
    if table is not None:
        table.write_text(as_csv(found), encoding="utf-8")
    if drawn is not None:
        drawn.write_text(picture(found), encoding="utf-8")
    if as_json:
        say_json(as_object(found))
        return
    print_history(found, console())
    for path in filter(None, (table, drawn)):
        say(f"wrote {path}")
