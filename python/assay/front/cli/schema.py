"""The verb `assay schema`: JSON Schemas of files that people write."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.terminal import say


@click.command("schema")
@click.argument("which", type=click.Choice(["study"]))
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the schema to this file instead of printing it.",
)
def command(which: str, write: Path | None) -> None:
    """Print the JSON Schema of a file.

    \b
    Example:
      assay schema study --write schema/study.json
    """
    from assay.base.errors import InputError
    from assay.design.study import schema_text

    if write:
        try:
            write.write_text(schema_text(), encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"--write {write}: {(error.strerror or str(error)).lower()}",
                hint="name a file in an existing folder",
            ) from None
    else:
        say(schema_text(), newline=False)
