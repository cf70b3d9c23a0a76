"""The verb `assay site`: pages over results as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.base.printable import line
from assay.base.wording import counted
from assay.front.cli.result_options import json_option
from assay.front.terminal import console, say, say_json

if TYPE_CHECKING:
    from assay.front.web import Depth

_DEPTHS = ("answers", "numbers", "events")


@click.group("site")
def command() -> None:
    """Write the pages of `assay serve` as files.

    \b
    Example:
      assay site build results public
    """


@command.command("build")
@click.argument("root", metavar="ROOT", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--depth",
    type=click.Choice(_DEPTHS),
    default=_DEPTHS[0],
    show_default=True,
    help="How far down links lead: to the answers of each result; to every number, comparison, run and load"
    " point as well; to the engine's events as well, which takes minutes and 15 MB a result.",
)
@json_option
def build(root: Path, folder: Path, depth: Depth, as_json: bool) -> None:
    """Write the pages over the results below ROOT into DIR, for any server of files.

    DIR must be empty, or hold an earlier build, which is replaced. Searching by the server, lists to choose
    from and other orders are left out.

    \b
    Example:
      assay site build results public
      assay site build results public --depth events
    """
    from dataclasses import asdict

    from assay.front.web import build_site

    with console(stderr=True).status("reading …") as status:  # shows on a terminal only
        found = build_site(
            root, folder, lambda count: status.update(f"{counted(count, 'file')} …"), depth=depth
        )
    for address in found.failed:
        say(f"shows nothing: {line(address)}", err=True)
    if as_json:
        say_json(asdict(found))
    else:
        say(f"wrote {counted(found.files, 'file')}: {found.page}")
