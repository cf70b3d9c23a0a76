"""The verb `assay alarms`: shows the alarms of gates, and records which of them were right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.printable import line
from assay.terminal import console, say, say_json

if TYPE_CHECKING:
    from assay.gate import Alarm


@click.command("alarms")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--true", "right", nargs=2, metavar="ID WHY", help="Record that this alarm was right, and why.")
@click.option(
    "--false", "wrong", nargs=2, metavar="ID WHY", help="Record that this alarm was wrong, and why."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    right: tuple[str, str] | None,
    wrong: tuple[str, str] | None,
    as_json: bool,
) -> None:
    """Show the alarms of gates in FILE, and record which of them were right.

    `assay gate --alarms FILE` adds each check that failed. A person then says whether the change really made
    something worse. The share of right alarms shows whether a gate deserves to stop a change.

    \b
    Example:
      assay gate gate.toml --alarms alarms.json
      assay alarms alarms.json
      assay alarms alarms.json --true 8d3d1ba3 "the new lock is held over the flush"
      assay alarms alarms.json --false 8d3d1ba3 "a backup ran on the machine"
    """
    from assay.gate import judge_alarm, read_alarms
    from assay.terminal import print_alarms

    if right is not None and wrong is not None:
        raise click.UsageError("an alarm is either --true or --false", ctx)
    if right is not None:
        _said(judge_alarm(file, right[0], "true", right[1]), file)
    elif wrong is not None:
        _said(judge_alarm(file, wrong[0], "false", wrong[1]), file)
    elif as_json:
        import json

        from msgspec.json import encode

        found = read_alarms(file)
        say_json(json.loads(encode(found)) | {"records": json.loads(encode(found.records))})
    else:
        print_alarms(read_alarms(file), console())


def _said(alarm: Alarm, file: Path) -> None:
    say(f"noted in {file}: {alarm.id} is {alarm.judged}: {line(alarm.why)}")
