"""The verb `assay init`: writes a study to start from, by a few questions or by options."""

from __future__ import annotations

import os
import sys
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
    "server": ("Server: a catalogue name, path:DIR, dsn:mysql://…", "mariadb"),
    "workload": ("Workload (assay bench --help lists them)", "oltp_read_write"),
    "factor": ("Factor to vary, as NAME=LEVEL,LEVEL (empty: none)", ""),
    "threads": ("Load points, in connections, separated by commas", "1,8,32"),
    "measure": ("Measured time at each load point", "30s"),
    "blocks": ("Blocks (a verdict needs at least six)", "6"),
}


@click.command("init")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--server",
    metavar="SERVER",
    help="Server to measure, such as mariadb, mysql@8.0, path:DIR, dsn:mysql://….",
)
@click.option("--workload", metavar="NAME", help="Workload to drive.")
@click.option("--factor", metavar="NAME=LEVEL,…", help="Factor to vary, with two or more levels.")
@click.option(
    "--options-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Take the server's variables of this my.cnf.",
)
@click.option("--threads", type=Numbers(), metavar="N,N…", help="Load points, in connections.")
@click.option("--measure", metavar="TIME", help="Measured time at each load point, such as 30s.")
@click.option("--blocks", type=WholeNumber(1, 99), metavar="N", help="Passes over all treatments.")
@click.option("--yes", is_flag=True, help="Ask nothing; use the default of every option that is not given.")
@json_option
def command(file: Path, options_file: Path | None, yes: bool, as_json: bool, **given: Any) -> None:
    """Write a commented study to FILE, for you to edit. FILE must not exist yet.

    On a terminal, the command asks for options that you left out. The study is checked as by `assay plan`
    before it is written. A factor of server.use takes the place of --server, and --workload lua:FILE is a
    script for sysbench. With --options-file, the server options of that my.cnf are the study's variables. Of
    several servers, each gets those that it has; what it goes without is said, with the reason.

    \b
    Example:
      assay init buffer-pool.toml
      assay init commit.toml --yes --factor server.variables.innodb_flush_log_at_trx_commit=1,2
      assay init versions.toml --yes --factor server.use=mariadb@10.11,mysql@5.6
      assay init upgrade.toml --yes --options-file my.cnf --factor server.use=mysql@5.7,mysql@8.0
    """
    from assay.base.errors import ConflictError, InputError
    from assay.front.cli.complaint import error_object
    from assay.front.cli.study_template import TemplateContent, study_text, varies_server

    if file.exists():
        raise ConflictError(f"{file} exists already; nothing was changed", hint="give another name")
    ctx = click.get_current_context()
    ask = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    if varies_server(given["factor"] or ""):
        if given["server"] is not None:
            raise click.UsageError("--server cannot be combined with a factor of server.use")
        given["server"] = ""
    answers = {name: _answer(ctx, name, given[name], ask=ask) for name in _QUESTIONS}
    name = file.stem.lower().replace("_", "-").replace(" ", "-")
    options = None if options_file is None else _own_options(options_file, answers["factor"])
    written = "" if options_file is None else os.path.relpath(options_file, file.parent)
    text = study_text(TemplateContent(name=name, options_file=written, options=options, **answers))
    _check_workload(answers["workload"])
    refusal = _check(text, file)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"cannot write {file}: {(error.strerror or str(error)).lower()}", hint="name a file in a folder"
        ) from None
    if refusal is not None:
        say(f"! this machine cannot run it yet: {refusal.message}", err=True)
    if as_json:
        lacks = None if refusal is None else error_object(refusal)
        say_json({"file": str(file), "study": name, "lacks": lacks})
    else:
        say(f"written: {file}\nnext     assay plan {file}")


def _answer(ctx: click.Context, name: str, given: Any, *, ask: bool) -> Any:
    """Returns the given value, otherwise the answer to a question, otherwise the default."""
    if given is not None:
        return given
    question, default = _QUESTIONS[name]
    option = next(one for one in ctx.command.params if one.name == name)
    if not ask:
        return option.type_cast_value(ctx, default)
    shown = bool(default)
    return click.prompt(question, default=default, type=option.type, show_default=shown, err=True)


def _own_options(file: Path, factor: str) -> SharedOptions | None:
    """Returns the options of a my.cnf by server, where some of the compared servers lack some of them, and
    says which.
    """
    from assay.experiments.lab import shared_options
    from assay.front.cli.study_template import levels_of, varies_server

    if not varies_server(factor):
        return None
    options = shared_options(file, levels_of(factor))
    for sentence in options.absent:
        say(f"! {sentence}", err=True)
    return options if options.absent else None


def _check(text: str, file: Path) -> AssayError | None:
    """Makes the checks of `assay plan` that start nothing. Raises what is wrong with the study; returns what
    only this machine lacks.
    """
    from assay.base.errors import InputError, ServerError
    from assay.design.study import StudyText, parse_study
    from assay.experiments.lab import OpenedStudy, folder_of, foresee

    opened = OpenedStudy(parse_study(text, file), StudyText(file, text))
    refusal = foresee(opened, folder_of(opened.study)).refusal
    if isinstance(refusal, InputError | ServerError):
        raise refusal
    return refusal


def _check_workload(workload: str) -> None:
    """Raises InputError for a workload that the engine does not know, where the engine is built."""
    from assay.base.errors import HostError, InputError
    from assay.design.study import LUA, did_you_mean
    from assay.system.engine import workload_catalogue

    if workload.startswith(LUA):
        return  # the study's check reads it
    try:
        known = [entry["name"] for entry in workload_catalogue()]
    except HostError:
        return
    if workload not in known:
        raise InputError(
            f"no workload is called {workload!r}{did_you_mean(workload, known)}",
            hint="assay bench --help lists them",
        )
