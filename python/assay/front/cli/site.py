"""The verb `assay site`: pages over results as files."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.printable import line
from assay.base.wording import counted
from assay.front.terminal import console, say


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
def build(root: Path, folder: Path) -> None:
    """Write all pages over the results below ROOT into DIR, for any server of files.

    DIR must be empty, or hold an earlier build, which is replaced. Searching by the server, lists to choose
    from and other orders are left out. The engine's events are there in pages of a hundred lines.

    \b
    Example:
      assay site build results public
    """
    from assay.front.web import build_site

    with console(stderr=True).status("reading …") as status:  # shows on a terminal only
        found = build_site(root, folder, lambda count: status.update(f"{counted(count, 'file')} …"))
    for address in found.failed:
        say(f"shows nothing: {line(address)}", err=True)
    say(f"wrote {counted(found.files, 'file')}: {found.page}")
