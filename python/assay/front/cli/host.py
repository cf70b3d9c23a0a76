"""The verb `assay host`: this machine's facts, what would disturb a measurement, what a study may change."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.terminal import say_json

_path = click.argument(
    "path",
    required=False,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="[DIRECTORY]",
)


@click.group("host")
def command() -> None:
    """Show facts about this machine, possible disturbances, and the settings that a study may change.

    \b
    Example:
      assay host check
      assay host facts --json | jq .memory
      assay host knobs /data/fast
    """


@command.command("facts")
@_path
@click.option("--json", "as_json", is_flag=True, help="Print the facts as one JSON object.")
def facts(path: Path | None, as_json: bool) -> None:
    """Show what every run records about this machine: processor, memory, kernel, disks, file systems.

    The facts cover the disks and file systems under DIRECTORY. The default is the lab's own directory and the
    current one.

    \b
    Example:
      assay host facts
      assay host facts --json | jq .memory
    """
    from assay.front.cli.host_view import readable
    from assay.front.cli.tree_view import print_tree
    from assay.system.host import host_facts

    found = host_facts(_places(path))
    if as_json:
        say_json(found)
    else:
        print_tree(readable(found))


@command.command("check")
@_path
@click.option("--json", "as_json", is_flag=True, help="Print the findings as one JSON object.")
@click.pass_context
def check(context: click.Context, path: Path | None, as_json: bool) -> None:
    """Show what would disturb a measurement with data in DIRECTORY, and what to do. Nothing is changed.

    The exit code is 6 if something would disturb it; a note alone does not count. Call it on an idle machine.

    \b
    Example:
      assay host check
      assay host check /data/fast && assay run quickstart
    """
    from assay.base.errors import HostError
    from assay.front.cli.host_view import print_findings, print_findings_json
    from assay.system.host.check import check_host

    findings = check_host(_places(path)[:1])
    (print_findings_json if as_json else print_findings)(findings)
    if any(finding.outcome == "disturbs" for finding in findings):
        context.exit(HostError.exit_code)


@command.command("knobs")
@_path
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def knobs(path: Path | None, as_json: bool) -> None:
    """List the settings that a study may change for data in DIRECTORY, with their values.

    Each name is a key of [host] in a study, or a factor. This command changes nothing.

    \b
    Example:
      assay host knobs
      assay host knobs /data/fast
    """
    from assay.front.cli.host_view import knob_records, print_knobs

    records = knob_records(_places(path)[0])
    if as_json:
        say_json(records)
    else:
        print_knobs(records)


def _places(path: Path | None) -> list[Path]:
    from assay.system.server import home

    return [home(), Path.cwd()] if path is None else [path]
