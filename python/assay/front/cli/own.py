"""The verb `assay own`: the first file of a person's own statements, and what a server says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.front.cli.result_options import json_option
from assay.front.terminal import ServerDisplay, StepLines, console, say_json


@click.group("own")
def command() -> None:
    """Make a file of your own statements, and check it, before you measure with it.

    The file is a workload: assay bench sql:FILE, or use = "sql:FILE" in a study.

    \b
    Example:
      assay own init --from slow.log --schema schema.sql -o shop.sql
      assay own check shop.sql --server mariadb
    """


@command.command("init")
@click.option(
    "--from",
    "origin",
    required=True,
    metavar="FILE",
    help="A slow, general or audit log, as a file, an exported table or events of a cloud service, ProxySQL's"
    " query log, a file of queries, an export of performance_schema.events_statements_summary_by_digest, a"
    " report of pt-query-digest (text or JSON) or mysqldumpslow, a script of pgbench, a schema, or"
    " dsn:mysql://… for the digests of a running server. The content says what it is.",
)
@click.option(
    "--schema",
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="Take columns, keys and types from the CREATE TABLEs of this file, such as a dump, or of the folder"
    " of a dump.",
)
@click.option(
    "--dsn", metavar="dsn:mysql://…", help="Take columns, keys and types from this server. It is only read."
)
@click.option(
    "--database",
    metavar="NAME",
    help="Take the statements, and of --schema the tables, of this database.  [default: the one with most]",
)
@click.option(
    "-o",
    "--output",
    default=Path("own.sql"),
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write this file; files of values go to seen/ beside it.  [default: own.sql]",
)
@click.option(
    "--no-values",
    is_flag=True,
    help="Write no value of the source: draw from columns and by type alone. Numbers of up to three digits"
    " that belong to no column stay, as in LIMIT 20 and INTERVAL 7 DAY.",
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@json_option
def init(
    origin: str,
    schema: Path | None,
    dsn: str | None,
    database: str | None,
    output: Path,
    no_values: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write a first file of statements from a log, queries, digests, or tables.

    Statements that differ in their values alone become one, with draws in place of the values: from the
    column that a value is compared with, or from the values that were seen together, which are kept in seen/
    beside the file. Counts become weights; what one session sent from BEGIN to COMMIT becomes a transaction.
    The most costly come first. Statements that no load can send are left out, and counted.

    \b
    Example:
      assay own init --from slow.log --schema dump.sql -o shop.sql
      assay own init --from general.log --no-values --dsn dsn:mysql://me@db.example/shop -o shop.sql
      assay own init --from dsn:mysql://me@db.example/shop -o shop.sql
      assay own init --from schema.sql -o shop.sql
    """
    from assay.base.errors import InputError
    from assay.experiments.own import Source, check_file, first_file
    from assay.front.cli.own_view import made_object, say_made

    if schema is not None and dsn is not None:
        raise click.UsageError("--schema cannot be combined with --dsn: one of them says what the tables are")
    place = Path(origin)
    if not origin.startswith("dsn:") and place.exists() and not (place.is_file() or place.is_dir()):
        raise InputError(
            f"{origin}: must be a file, which is read twice",
            hint="write it to one; what is packed is read as it is",
        )
    if not origin.startswith("dsn:") and not place.exists():
        raise InputError(
            f"{origin}: cannot find this file",
            hint="give a log, a file of SQL, or dsn:mysql://user@host/database",
        )
    steps = StepLines(console(stderr=True))
    steps.begin()
    try:
        steps.step(f"reading {origin}")
        source = Source(origin, schema, dsn, database)
        made = first_file(
            source, output, with_values=not no_values, tell=lambda count: steps.far(f"{count:,} statements")
        )
        steps.step("checking the file")
        check_file(output.name, made.pages)
    finally:
        steps.end()
    made.pages.write(output, replace=force)
    if as_json:
        say_json(made_object(made, output))
    else:
        say_made(made, output)


@command.command("check")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--server", metavar="SERVER", help="Try it on a private server of this kind.  [default: mariadb]"
)
@click.option("--dsn", metavar="dsn:mysql://…", help="Try it on this server, which is only read.")
@click.option(
    "--data",
    metavar="DUMP",
    help="Load these tables into the private server: a dump, a folder or a profile of data, as [dataset] use"
    " of a study.  [default: the file's @data]",
)
@click.option(
    "--database",
    metavar="NAME",
    help="Take this database of a dump that has several; of a dump that names none, call it so.",
)
@click.option(
    "--collation",
    "collations",
    multiple=True,
    metavar="OLD=NEW",
    help="Let another collation stand in for one of the dump that the server lacks, as in"
    " utf8mb4_0900_ai_ci=utf8mb4_unicode_520_ci.",
)
@click.option(
    "--var",
    "variables",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a variable of the private server; may be repeated.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Give an @option of the file a value."
)
@json_option
def check_file(
    file: Path,
    server: str | None,
    dsn: str | None,
    data: str | None,
    database: str | None,
    collations: tuple[str, ...],
    variables: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Try each statement of a file, and say what the server makes of it.

    A private server gets the tables of the file's @data. Then each statement is prepared and executed some
    thirty times, for at most 20 seconds in all. The table has its time, its rows, how often it found a row,
    and its plan; below it stands what is doubtful: a statement that is refused or fails, reads a whole table,
    finds nothing in more than 20 % of its executions, has a result of more than 1 MB, or draws from so few
    values that it only tests caches. On a running server nothing that writes is sent.

    The exit code is 0 if nothing is doubtful, 1 if something is, 4 if the server refuses a statement.

    \b
    Example:
      assay own check shop.sql
      assay own check shop.sql --server mysql@8.0 --set mix=50
      assay own check shop.sql --var sql_mode=ANSI_QUOTES
      assay own check shop.sql --data dump.sql.zst
      assay own check shop.sql --dsn dsn:mysql://me@db.example/shop --json
    """
    from assay.base.errors import AssayError
    from assay.experiments.own import CHARACTER_SET, COLLATIONS, check, own_data
    from assay.front.cli.fetching import ready_for_servers
    from assay.front.cli.own_view import checked_object, say_checked
    from assay.front.cli.server_settings import parse_settings

    if server is not None and dsn is not None:
        raise click.UsageError("--server cannot be combined with --dsn")
    if data is not None and dsn is not None:
        raise click.UsageError(
            "--data cannot be combined with --dsn: nothing is loaded into a running server"
        )
    if variables and dsn is not None:
        raise click.UsageError("--var cannot be combined with --dsn: nothing is set at a running server")
    if database is not None and data is None:
        raise click.UsageError("--database needs --data: the name is that of the database to load them into")
    if collations and data is None:
        raise click.UsageError("--collation needs --data: the dump whose collation it is")
    tables = None if data is None else own_data(data, database, collations)
    if dsn is None:
        ready_for_servers(server or "mariadb")
    try:
        with ServerDisplay(console(stderr=True)) as display:
            checked = check(
                file,
                _options(settings),
                server=server,
                dsn=dsn,
                progress=display,
                data=tables,
                variables=parse_settings(variables),
            )
    except AssayError as error:
        if "[dataset] collation" in (error.hint or ""):
            error.hint = f"{error.hint} in a study, and here --data DUMP --collation {COLLATIONS}"
        elif CHARACTER_SET in (error.hint or ""):
            error.hint = f"{error.hint}; here: --var character_set_server=utf8mb4"
        raise
    if as_json:
        say_json(checked_object(checked))
    else:
        say_checked(checked)
    if checked.findings:
        raise SystemExit(4 if checked.refused else 1)


def _options(settings: tuple[str, ...]) -> dict[str, Any]:
    """Returns `NAME=VALUE` texts as options of a file, whose declarations say which there are."""
    from assay.base.errors import InputError

    found: dict[str, Any] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError(f"--set {text}: expected NAME=VALUE, as in mix=50")
        found[name] = _value(value)
    return found


def _value(text: str) -> bool | int | float | str:
    """Returns the value that a text means: a switch, a number, or itself."""
    if text in ("true", "on", "false", "off"):
        return text in ("true", "on")
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
