"""`assay schema`: JSON Schemas of files that people write; schema/ holds them."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("schema", hidden=True)
@click.argument("which", type=click.Choice(["study"]))
@click.option(
    "--write", type=click.Path(path_type=Path, dir_okay=False), help="Write there instead of printing."
)
def command(which: str, write: Path | None) -> None:
    """Print the JSON Schema of a file.

    \b
    Example:
      assay schema study --write schema/study.json
    """
    from assay.study import schema_text

    if write:
        write.write_text(schema_text(), encoding="utf-8")
    else:
        click.echo(schema_text(), nl=False)
