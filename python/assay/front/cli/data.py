"""The verb `assay data`: statistics of a server's tables, of which others are generated."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.cli.result_options import json_option
from assay.front.terminal import StepLines, console, say, say_json


@click.group("data")
def command() -> None:
    """Describe the data of a server, so that data like them can be generated elsewhere, at any scale.

    \b
    Example:
      assay data profile dsn:mysql://me@db.example/shop -o shop.data.toml
    """


@command.command("profile")
@click.argument("dsn", metavar="dsn:mysql://…")
@click.option(
    "-o",
    "--output",
    default=Path("own.data.toml"),
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write this file.  [default: own.data.toml]",
)
@click.option(
    "--rows",
    default=200_000,
    type=click.IntRange(min=1000),
    metavar="N",
    help="Read at most N rows of a table; of a larger one, stretches of it.  [default: 200000]",
)
@click.option("--table", "tables", multiple=True, metavar="NAME", help="Only this table; may be repeated.")
@click.option("--without", multiple=True, metavar="NAME", help="All tables but this one; may be repeated.")
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="T.C=T.C",
    help="A column refers to another one, though no foreign key says so:"
    ' orders.customer=customers.id; of several columns "lines(shop,number)=orders(shop,id)".',
)
@click.option(
    "--keep", multiple=True, metavar="T.C", help="Frequent values of this column may be in the file."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@json_option
def profile(
    dsn: str,
    output: Path,
    rows: int,
    tables: tuple[str, ...],
    without: tuple[str, ...],
    references: tuple[str, ...],
    keep: tuple[str, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Write statistics of a server's tables to a file, of which a study generates data.

    The server is only read, in a session that cannot write, a few thousand rows at a time, with pauses. The
    file has the statements that make the tables, the numbers of their rows, and for each column the share of
    NULL, how many different values there are, how often they occur, their lengths and compressibility; and
    how many rows of a table belong to one of another. It holds no value of the source but for DEFAULT and
    ENUM in the statements, and the ends of ranges of numbers and dates, which are rounded.

    In a study:  [dataset] use = "generate:shop.data.toml", scale = 10

    \b
    Example:
      assay data profile dsn:mysql://me@db.example/shop -o shop.data.toml
      assay data profile dsn:mysql://me@db.example/shop --reference orders.customer=customers.id
      assay data profile dsn:mysql://me@db.example/shop --keep orders.state --without audit
    """
    from assay.base.durable import write_whole
    from assay.base.errors import ConflictError, InputError
    from assay.base.wording import counted
    from assay.experiments.own import Wanted, profile_of

    if not dsn.startswith("dsn:"):
        raise InputError(
            f"{dsn}: expected a running server", hint="write it as dsn:mysql://user@host/database"
        )
    if output.exists() and not force:
        raise ConflictError(f"{output} exists already", hint="give --force, or another name with -o")
    steps = StepLines(console(stderr=True))
    steps.begin()
    try:
        steps.step("reading tables")
        made = profile_of(Wanted(dsn, rows, tables, without, keep, references), steps.far)
    finally:
        steps.end()
    write_whole(output, made.text.encode())
    if as_json:
        say_json(
            {
                "file": str(output),
                "tables": {one.name: {"rows": one.rows, "read": made.read[one.name]} for one in made.tables},
                "notes": list(made.notes),
            }
        )
        return
    rows_of_all = sum(one.rows for one in made.tables)
    say(f"{output}: {counted(len(made.tables), 'table')}, {counted(rows_of_all, 'row')}")
    for note in made.notes:
        say(f"  {note}")
    say(f'In a study: [dataset] use = "generate:{output.name}", scale = 1')
