"""The verb `assay init`: writes a study to start from, by a few questions or by options."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.argument_types import Numbers, WholeNumber
from assay.front.cli.result_options import json_option
from assay.front.terminal import say, say_json

if TYPE_CHECKING:
    from assay.base.errors import AssayError
    from assay.experiments.lab import SharedOptions

_QUESTIONS = {
    "server": (
        "Server, or several separated by commas: a catalogue name, path:DIR, dsn:mysql://… of one that runs",
        "mariadb",
    ),
    "workload": (
        "Workload: a name of assay bench --help, or a file of yours: FILE.sql of statements, FILE.lua",
        "oltp_read_write",
    ),
    "factor": ("Factor to vary, as NAME=LEVEL,LEVEL (empty: none)", ""),
    "threads": ("Load points, in connections, separated by commas", "1,8,32"),
    "measure": ("Measured time at each load point", "30s"),
    "blocks": ("Blocks (a verdict needs at least six)", "6"),
}
_DATA = "Your own data: a dump, a folder of files, or a profile of data (empty: none)"
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("init")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--server",
    metavar="SERVER",
    multiple=True,
    help="Server to measure, such as mariadb, mysql@8.0, path:DIR, dsn:mysql://…; several are compared.",
)
@click.option("--workload", metavar="NAME", help="Workload to drive.")
@click.option("--queries", type=_FILE, metavar="FILE", help="Your own SQL statements as the workload.")
@click.option(
    "--dump",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Your own data as the tables: a dump, a folder of files, or a profile (assay data profile).",
)
@click.option("--database", metavar="NAME", help="Take this database of --dump, which holds several.")
@click.option(
    "--script", type=_FILE, metavar="FILE", help="Your own Lua script for sysbench as the workload."
)
@click.option(
    "--read-only", is_flag=True, help="Make and write nothing at a running server: the load only reads."
)
@click.option("--factor", metavar="NAME=LEVEL,…", help="Factor to vary, with two or more levels.")
@click.option(
    "--options-file", type=_FILE, metavar="FILE", help="Take the server's variables of this my.cnf."
)
@click.option("--threads", type=Numbers(), metavar="N,N…", help="Load points, in connections.")
@click.option("--measure", metavar="TIME", help="Measured time at each load point, such as 30s.")
@click.option("--blocks", type=WholeNumber(1, 99), metavar="N", help="Passes over all treatments.")
@click.option("--yes", is_flag=True, help="Ask nothing; use the default of every option that is not given.")
@json_option
def command(
    file: Path,
    server: tuple[str, ...],
    queries: Path | None,
    dump: Path | None,
    database: str | None,
    script: Path | None,
    read_only: bool,
    options_file: Path | None,
    yes: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Write a commented study to FILE, for you to edit. FILE must not exist yet.

    On a terminal, the command asks for options that you left out. The study is checked as by `assay plan`
    before it is written. Several servers are compared, whether by --server or by a factor of server.use. Your
    own data are --dump PATH, your own statements --queries FILE, your own script --script FILE: assay manual
    guide/my-queries. A server that runs already is dsn:mysql://USER@HOST/DB: assay manual guide/my-server.
    With --options-file, the server options of that my.cnf are the study's variables. Of several servers, each
    gets those that it has; what it goes without is said, with the reason.

    \b
    Example:
      assay init buffer-pool.toml
      assay init commit.toml --yes --factor server.variables.innodb_flush_log_at_trx_commit=1,2
      assay init versions.toml --yes --server mariadb@10.11 --server mysql@5.6
      assay init mine.toml --yes --dump shop-dump.sql.gz --queries shop.sql
      assay init live.toml --yes --queries shop.sql --read-only --server dsn:mysql://me@localhost/shop
      assay init upgrade.toml --yes --options-file my.cnf --factor server.use=mysql@5.7,mysql@8.0
    """
    from assay.base.errors import ConflictError, InputError
    from assay.experiments.own import Letters, letters_of
    from assay.front.cli.complaint import error_object
    from assay.front.cli.study_template import TemplateContent, levels_of, study_text, varies_server

    if file.exists():
        raise ConflictError(f"{file} exists already; nothing was changed", hint="give another name")
    if database is not None and dump is None:
        raise click.UsageError("--database needs --dump: it is the one to take of several that a dump holds")
    ctx = click.get_current_context()
    ask = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    if server and varies_server(given["factor"] or ""):
        raise click.UsageError("--server cannot be combined with a factor of server.use")
    given["server"] = ",".join(server) or ("" if varies_server(given["factor"] or "") else None)
    given["workload"] = _own_workload(given["workload"], queries, script, file)
    answers = {name: _answer(ctx, name, given[name], ask=ask) for name in _QUESTIONS}
    answered = _parts(answers.pop("server"))
    servers = server or answered
    if varies_server(answers["factor"]):
        servers, answers["factor"] = tuple(levels_of(answers["factor"])), ""
    if given["workload"] is None:
        answers["workload"] = _as_file(answers["workload"])
    if ask and dump is None and ":" in answers["workload"]:
        answer = click.prompt(_DATA, default="", show_default=False, err=True)
        dump = Path(answer) if answer else None
    name = file.stem.lower().replace("_", "-").replace(" ", "-")
    options = None if options_file is None else _own_options(options_file, servers)
    written = "" if options_file is None else os.path.relpath(options_file, file.parent)
    content = TemplateContent(
        name=name,
        servers=servers,
        read_only=read_only,
        dump="" if dump is None else os.path.relpath(dump, file.parent),
        letters=Letters() if dump is None else letters_of(dump, database),
        database=database,
        options_file=written,
        options=options,
        **answers,
    )
    text = study_text(content)
    _check_workload(answers["workload"])
    refusal = _check(text, file)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"cannot write {file}: {(error.strerror or str(error)).lower()}", hint="name a file in a folder"
        ) from None
    if refusal is not None:
        what_to_do = f" ({refusal.hint})" if refusal.hint else ""
        say(f"! it cannot be run here yet: {refusal.message}{what_to_do}", err=True)
    if as_json:
        lacks = None if refusal is None else error_object(refusal)
        say_json({"file": str(file), "study": name, "lacks": lacks})
    else:
        say(f"written: {file}\nnext     assay plan {file}")


def _own_workload(name: str | None, queries: Path | None, script: Path | None, study: Path) -> str | None:
    """Returns the workload that the options name, a file as the study writes it; None where they name
    none.
    """
    from assay.design.study import LUA, SQL

    of_files = [(SQL, queries), (LUA, script)]
    named = [f"{prefix}{os.path.relpath(one, study.parent)}" for prefix, one in of_files if one is not None]
    named += [] if name is None else [name]
    if len(named) > 1:
        raise click.UsageError("--workload, --queries and --script each name the workload; give one of them")
    return named[0] if named else None


def _as_file(answer: str) -> str:
    """Returns an answer that is the name of a file as the workload of its kind."""
    from assay.design.study import LUA, SQL, is_script

    prefix = {".sql": SQL, ".lua": LUA}.get(Path(answer).suffix)
    return answer if prefix is None or is_script(answer) else f"{prefix}{answer}"


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for one in text.split(",") if (part := one.strip()))


def _answer(ctx: click.Context, name: str, given: Any, *, ask: bool) -> Any:
    """Returns the given value, otherwise the answer to a question, otherwise the default."""
    if given is not None:
        return given
    question, default = _QUESTIONS[name]
    option = next(one for one in ctx.command.params if one.name == name)
    if not ask:
        return option.type(default, option, ctx)  # of an option that may be given again: of one of its values
    shown = bool(default)
    return click.prompt(question, default=default, type=option.type, show_default=shown, err=True)


def _own_options(file: Path, servers: Sequence[str]) -> SharedOptions | None:
    """Returns the options of a my.cnf by server, where some of the compared servers lack some of them, and
    says which.
    """
    from assay.experiments.lab import shared_options

    if len(servers) < 2:
        return None
    options = shared_options(file, list(servers))
    for sentence in options.absent:
        say(f"! {sentence}", err=True)
    return options if options.absent else None


def _check(text: str, file: Path) -> AssayError | None:
    """Makes the checks of `assay plan` that start nothing. Raises what is wrong with the study; returns what
    only this machine, or the account at a running server, lacks.
    """
    from assay.base.errors import InputError, ServerError
    from assay.design.study import StudyText, parse_study
    from assay.experiments.lab import OpenedStudy, folder_of, foresee
    from assay.measurement.source import is_denied

    opened = OpenedStudy(parse_study(text, file), StudyText(file, text))
    refusal = foresee(opened, folder_of(opened.study)).refusal
    lacks_rights = isinstance(refusal, ServerError) and is_denied(refusal)
    if isinstance(refusal, InputError | ServerError) and not lacks_rights:
        raise refusal
    return refusal


def _check_workload(workload: str) -> None:
    """Raises InputError for a workload that the engine does not know, where the engine is built."""
    from assay.base.errors import HostError, InputError
    from assay.design.study import is_script, no_such_workload
    from assay.system.engine import workload_catalogue

    if is_script(workload):
        return  # the study's check reads it
    try:
        known = [entry["name"] for entry in workload_catalogue()]
    except HostError:
        return
    if workload not in known:
        sentence, hint = no_such_workload(workload, known)
        raise InputError(sentence, hint=hint)
