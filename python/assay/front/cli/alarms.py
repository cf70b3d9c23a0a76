"""The verb `assay alarms`: shows the alarms of gates, and records which of them were right."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.printable import line
from assay.front.terminal import console, say, say_json


@click.command("alarms")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--close",
    "closed",
    nargs=3,
    metavar="ID HOW REASON",
    help="Close this alarm as justified, false-alarm, fixed-elsewhere, later or reverted, with the reason.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: Path,
    closed: tuple[str, str, str] | None,
    as_json: bool,
) -> None:
    """Show the alarms of gates in FILE, and record which of them were right.

    `assay gate --alarms FILE` adds each check that failed. A person then says what became of it, in the words
    that also close a change of `assay history`. All but false-alarm mean that the alarm was right. The share
    of right alarms shows whether a gate deserves to stop a change.

    \b
    Example:
      assay gate gate.toml --alarms alarms.json
      assay alarms alarms.json
      assay alarms alarms.json --close 8d3d1ba3 reverted "the new lock is held over the flush"
      assay alarms alarms.json --close 8d3d1ba3 false-alarm "a backup ran on the machine"
    """
    from assay.experiments.gate import close_alarm, read_alarms
    from assay.front.terminal import print_alarms

    if closed is not None:
        alarm = close_alarm(file, *closed)
        say(f"noted in {file}: {alarm.id} is closed as {alarm.closing}: {line(alarm.why)}")
    elif as_json:
        import json

        from msgspec.json import encode

        found = read_alarms(file)
        say_json(json.loads(encode(found)) | {"records": json.loads(encode(found.records))})
    else:
        print_alarms(read_alarms(file), console())
