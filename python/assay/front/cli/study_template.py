"""Makes the study that `assay init` writes: complete, commented, and checked before it is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import InputError
from assay.design.study import GENERATE, LUA, SQL, Scalar, data_use, is_word

if TYPE_CHECKING:
    from assay.experiments.lab import SharedOptions
    from assay.experiments.own import Letters

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class TemplateContent:
    """The content of the study. Several `servers` are compared. `factor` is `NAME=LEVEL,LEVEL…`; empty:
    nothing else is varied. `read_only`: nothing is made or written at a running server. `dump` is the path of
    one's own data, `letters` what some servers lack of it, and `options_file` the path of a my.cnf,
    as the study writes it; where some servers lack some of its options, `options` has them in its place.
    """

    name: str
    servers: tuple[str, ...]
    workload: str
    factor: str
    threads: tuple[int, ...]
    measure: str
    blocks: int
    read_only: bool = False
    dump: str = ""
    letters: Letters | None = None
    database: str | None = None
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
{_read_only(asked)}{_options_file(asked)}
[server.variables]              # the same for every treatment; read back after each start
# innodb_buffer_pool_size = "256M"
{_variables(asked)}
{_dataset(asked)}[workload]
use = {quoted(asked.workload)}   # its options: {_options_of(asked.workload)}

[load]
threads = {list(asked.threads)}            # the ladder of load points: connections
warmup = "5s"                   # load before the measured window
measure = {quoted(asked.measure)}

{_factors(asked)}
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
    if len(asked.servers) != 1:
        return "# use: the factor below has the servers"
    written = json.dumps(asked.servers[0])
    return f'use = {written}          # or "mysql@8.0", "path:/opt/mysql", "dsn:mysql://user@host:3306/db"'


def _read_only(asked: TemplateContent) -> str:
    """Returns the line about a server that runs already; empty for servers that the lab starts."""
    if not asked.read_only and not _runs_already(asked):
        return ""
    line = (
        "read_only = true                # nothing is made or written there: the tables exist, the load reads"
    )
    return f"{line if asked.read_only else f'# {line}'}\n"


def _dataset(asked: TemplateContent) -> str:
    """Returns the table of one's own data; empty where the workload makes its tables."""
    if not asked.dump:
        return ""
    use = data_use(asked.dump)
    scale = "# scale = 10                    # ten times the rows\n" if use.startswith(GENERATE) else ""
    named = f"database = {json.dumps(asked.database)}   # of several that the dump holds\n"
    more = f"{named if asked.database is not None else ''}{scale}{_collations(asked)}"
    return f"[dataset]\nuse = {json.dumps(use)}   # loaded once, kept, copied for every run\n{more}\n"


def _collations(asked: TemplateContent) -> str:
    """Returns the key by which others stand in for collations of the dump: a remark where all servers of the
    study have them.
    """
    from assay.experiments.own import collation_key, lacked_by, who_lacks

    collations = asked.letters.collations if asked.letters else ()
    if not collations:
        return ""
    lacks = lacked_by(asked.servers, collations)
    mark, names = ("", lacks) if lacks else ("# ", collations)
    said = f"# {who_lacks(names)} lack them: these stand in, on every server"
    return f"{said}\n{mark}{collation_key(names)}\n"


def _runs_already(asked: TemplateContent) -> bool:
    return any(one.startswith("dsn:") for one in asked.servers)


def levels_of(factor: str) -> list[str]:
    """Returns the levels of `NAME=LEVEL,LEVEL…`. Raises InputError for fewer than two."""
    _, equals, levels = factor.partition("=")
    values = [one.strip() for one in levels.split(",")]
    if not equals or len(values) < 2 or not all(values):
        raise InputError(
            f"--factor {factor}: expected NAME=LEVEL,LEVEL",
            hint="give two levels or more, as in server.variables.innodb_flush_log_at_trx_commit=1,2",
        )
    return values


def _options_file(asked: TemplateContent) -> str:
    if not asked.options_file or asked.options is not None:
        return '# options_file = "my.cnf"     # variables of a server of yours\n'
    path = json.dumps(asked.options_file)
    return f"options_file = {path}   # its server options; those below go before them\n"


def _variables(asked: TemplateContent) -> str:
    """Returns the variables of all servers: those of a my.cnf that all have, and what the dump needs."""
    from assay.experiments.own import CHARACTER_SET, about_unnamed, lack_letters

    if asked.options is not None:
        return "".join(f"{line}\n" for line in _set(asked.options.everywhere))
    is_said = asked.options_file or _runs_already(asked) or "character_set_server" in asked.factor
    if is_said or asked.letters is None or not lack_letters(asked.servers, asked.letters):
        return ""
    return f"# {about_unnamed()}:\n{CHARACTER_SET}\n"


def _set(variables: Mapping[str, Scalar]) -> Iterator[str]:
    for name, value in variables.items():
        yield f"{name if is_word(name) else json.dumps(name)} = {json.dumps(value, ensure_ascii=False)}"


def _factors(asked: TemplateContent) -> str:
    """Returns the factors: the servers where there are several, and the one that was asked for."""
    written = []
    if asked.options is not None:
        written.append(_servers(asked.options))
    elif len(asked.servers) > 1:
        written.append(_factor_text("server.use", asked.servers))
    if asked.factor:
        written.append(_factor(asked.factor))
    if written:
        return "\n".join(written)
    kind = "dynamic" if _runs_already(asked) else "variables"
    return (
        "# What is varied; the first level is the baseline:\n"
        "# [[factor]]\n"
        f'# name = "server.{kind}.innodb_flush_log_at_trx_commit"\n'
        "# levels = [1, 2]\n"
    )


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
    if workload.startswith(SQL):
        return f"lines with @option in {workload.removeprefix(SQL)}"
    return f"assay bench {workload} --help"


def _factor(told: str) -> str:
    return _factor_text(told.partition("=")[0].strip(), levels_of(told))


def _factor_text(name: str, values: Sequence[str]) -> str:
    written = ", ".join(map(_level, values))
    return (
        "[[factor]]                      # what is varied; the first level is the baseline\n"
        f"name = {json.dumps(name)}\nlevels = [{written}]\n"
    )


def _level(text: str) -> str:
    if re.fullmatch(r"-?\d+(\.\d+)?", text) or text in ("true", "false"):
        return text
    return json.dumps(text)
