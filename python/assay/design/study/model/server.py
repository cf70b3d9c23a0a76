"""The table `[server]`."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, WithJsonSchema

from assay.design.study.key import (
    amount,
    by_field,
    fixed,
    name,
    needing,
    own_server,
    parsed,
    switch,
    text,
    word,
)
from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.table import OUTSIDE_IDENTITY, SCALAR, Table
from assay.design.study.values import Scalar, check_directory, check_numa, parse_size_bytes
from assay.design.study.version_span import PATTERN, VersionSpan, parse_version_span

_PROCESSORS = re.compile(r"\s*\d+(-\d+)?\s*(,\s*\d+(-\d+)?\s*)*")


class ServerChoice(Table):
    """The server under test."""

    use: Annotated[
        str,
        by_field(
            name(
                '"mariadb", "mysql@8.0", "path:/base/dir" or "dsn:mysql://user@host:port/db"; '
                'several binaries of one build: "path:/a:/b:/c"; '
                '"none" for a load on files.'
            )
        ),
    ] = ""  # of a study that varies it: the first level
    variables: Annotated[
        dict[str, Scalar],
        checked(checks.variables),
        WithJsonSchema({"type": "object", "additionalProperties": SCALAR}),
        Field(
            description="Server variables, the same for every treatment; each is read back after the start."
        ),
    ] = {}
    options_file: Annotated[
        str | None,
        Field(
            min_length=1,
            description='A my.cnf, relative to the study: "my.cnf". Its server options are variables, unless'
            " the study sets them.",
        ),
        OUTSIDE_IDENTITY,
    ] = None
    dynamic: Annotated[
        dict[str, Scalar],
        checked(checks.variables),
        WithJsonSchema({"type": "object", "additionalProperties": SCALAR}),
        Field(description="Server variables that are set on the running server, after its start."),
    ] = {}
    read_only: Annotated[
        bool,
        fixed(
            needing(
                switch(
                    "On a running server, make and write nothing: its tables exist, and the load only reads."
                ),
                "server",
            )
        ),
    ] = False
    applies: Annotated[
        tuple[
            Annotated[
                VersionSpan,
                checked(parse_version_span, written=True),
                WithJsonSchema({"type": "string", "pattern": f"^{PATTERN}$"}),
            ],
            ...,
        ],
        checked(checks.tuple_of_list),
        Field(
            description='Servers that the study applies to: "mysql >= 5.6", "mariadb >= 10.2, < 10.6";'
            " all when absent."
        ),
        OUTSIDE_IDENTITY,
    ] = ()
    reason: Annotated[
        str | None,
        Field(description="Why the study does not apply to other servers; the refusal shows it."),
        OUTSIDE_IDENTITY,
    ] = None
    on: Annotated[
        str | None,
        checked(checks.hosts),
        Field(
            description="Hosts of the fleet file that carry whole blocks out, each with its own server: a"
            ' name, or labels that all hold, as in "role=server,zone=a"; this machine when absent.'
        ),
        OUTSIDE_IDENTITY,
    ] = None
    cpus: Annotated[
        str | None,
        own_server(text('The processors that the server may use: "0-3,8".', _PROCESSORS, "0-3,8")),
    ] = None
    allocator: Annotated[
        str | None,
        own_server(
            word(
                "The memory allocator that is loaded before the server's own.",
                "libc",
                "jemalloc",
                "tcmalloc",
                "mimalloc",
            )
        ),
    ] = None
    memory: Annotated[
        str | None,
        own_server(parsed('Limit of the memory of the server, page cache included: "1G".', parse_size_bytes)),
    ] = None
    cpu_quota: Annotated[
        Annotated[float, Field(strict=False)] | None,
        own_server(
            amount("The processors that all threads of the server may use together: 1.5.", 0.01, 4096)
        ),
    ] = None
    sync_delay_ms: Annotated[
        Annotated[float, Field(strict=False)] | None,
        own_server(amount("Delay added to every fsync of the server, in ms: 0.2.", 0, 1000)),
    ] = None
    numa: Annotated[
        str | None,
        own_server(parsed('NUMA policy of the memory: "interleave", "bind=0", "preferred=1".', check_numa)),
    ] = None
    data_dir: Annotated[
        str | None,
        own_server(parsed('Directory in which each run puts its data: "/data/fast".', check_directory)),
    ] = None
    redo_dir: Annotated[
        str | None,
        own_server(parsed("Directory in which each run puts its redo log.", check_directory)),
    ] = None
    binlog_dir: Annotated[
        str | None,
        own_server(parsed("Directory in which each run puts its binary log.", check_directory)),
    ] = None
