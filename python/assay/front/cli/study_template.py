"""Makes the study that `assay init` writes: complete, commented, and checked before it is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import InputError
from assay.design.study import LUA, Scalar, is_word

if TYPE_CHECKING:
    from assay.experiments.lab import SharedOptions

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class TemplateContent:
    """The content of the study. `factor` is `NAME=LEVEL,LEVEL…`; empty: nothing is varied. A factor of
    `server.use` takes the place of `server`. `options_file` is the path of a my.cnf as the study writes it;
    where some servers lack some of its options, `options` has them in its place.
    """

    name: str
    server: str
    workload: str
    factor: str
    threads: tuple[int, ...]
    measure: str
    blocks: int
    options_file: str = ""
    options: SharedOptions | None = None


def study_text(asked: TemplateContent) -> str:
    """Returns the study file. Raises InputError for an impossible name or factor."""
    if _NAME.fullmatch(asked.name) is None:
        raise InputError(
            f"{asked.name!r} cannot be the name of a study",
            hint="use lower-case letters, digits and dashes, as in buffer-pool",
        )
    quoted = json.dumps
    return f"""\
# {asked.name}: assay plan shows what it would run, assay run runs it. Every key: assay manual reference/study
# Editors complete the keys after `assay schema study --write study.schema.json` and, as the first line here,
# `#:schema ./study.schema.json`

[study]
name = {quoted(asked.name)}
title = "What is asked, in one sentence?"

[server]
{_use(asked)}
{_options_file(asked)}
[server.variables]              # the same for every treatment; read back after each start
# innodb_buffer_pool_size = "256M"
{_variables(asked.options)}
[workload]
use = {quoted(asked.workload)}   # its options: {_options_of(asked.workload)}

[load]
threads = {list(asked.threads)}            # the ladder of load points: connections
warmup = "5s"                   # load before the measured window
measure = {quoted(asked.measure)}

{_factor(asked.factor) if asked.options is None else _servers(asked.options)}
[design]
blocks = {asked.blocks}                      # each runs every treatment once, in random order; six can decide

# What you expect; each hypothesis gets a verdict:
# [[hypothesis]]
# claim = "p95_ms < 20 ms"
# source = "what the application allows"

# Another scale of the study, for `assay run FILE --scale small`; all other keys stay as they are:
# [scale.small]
# "load.measure" = "2s"
"""


def varies_server(factor: str) -> bool:
    """Returns whether `NAME=LEVEL,LEVEL…` names the server."""
    return factor.partition("=")[0].strip() == "server.use"


def _use(asked: TemplateContent) -> str:
    if varies_server(asked.factor):
        return "# use: the factor below has the servers"
    written = json.dumps(asked.server)
    return f'use = {written}          # or "mysql@8.0", "path:/opt/mysql", "dsn:mysql://user@host:3306/db"'


def levels_of(factor: str) -> list[str]:
    """Returns the levels of `NAME=LEVEL,LEVEL…`."""
    return [one.strip() for one in factor.partition("=")[2].split(",")]


def _options_file(asked: TemplateContent) -> str:
    if not asked.options_file or asked.options is not None:
        return '# options_file = "my.cnf"     # variables of a server of yours\n'
    path = json.dumps(asked.options_file)
    return f"options_file = {path}   # its server options; those below go before them\n"


def _variables(options: SharedOptions | None) -> str:
    return "" if options is None else "".join(f"{line}\n" for line in _set(options.everywhere))


def _set(variables: Mapping[str, Scalar]) -> Iterator[str]:
    for name, value in variables.items():
        yield f"{name if is_word(name) else json.dumps(name)} = {json.dumps(value, ensure_ascii=False)}"


def _servers(options: SharedOptions) -> str:
    """Returns the factor of servers that have variables of their own."""
    lines = [
        "[[factor]]                      # the first server is the baseline; each has what only some have"
    ]
    lines.append('name = "server"')
    for use, own in options.own.items():
        lines += ["", f"[factor.settings.{json.dumps(use)}]", f"server.use = {json.dumps(use)}"]
        lines += (f"server.variables.{line}" for line in _set(own))
    return "\n".join(lines) + "\n"


def _options_of(workload: str) -> str:
    if workload.startswith(LUA):
        return f"assay sysbench {workload.removeprefix(LUA)} help"
    return f"assay bench {workload} --help"


def _factor(told: str) -> str:
    if not told:
        return (
            "# What is varied; the first level is the baseline:\n"
            "# [[factor]]\n"
            '# name = "server.variables.innodb_flush_log_at_trx_commit"\n'
            "# levels = [1, 2]\n"
        )
    name, equals, _ = told.partition("=")
    values = levels_of(told)
    if not equals or len(values) < 2 or not all(values):
        raise InputError(
            f"--factor {told}: expected NAME=LEVEL,LEVEL",
            hint="give two levels or more, as in server.variables.innodb_flush_log_at_trx_commit=1,2",
        )
    written = ", ".join(map(_level, values))
    return (
        "[[factor]]                      # what is varied; the first level is the baseline\n"
        f"name = {json.dumps(name.strip())}\nlevels = [{written}]\n"
    )


def _level(text: str) -> str:
    if re.fullmatch(r"-?\d+(\.\d+)?", text) or text in ("true", "false"):
        return text
    return json.dumps(text)
