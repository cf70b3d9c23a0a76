"""sysbench's options and their names in Assay, for the command line, for errors, for the reference."""

from __future__ import annotations

from dataclasses import dataclass

SYSBENCH_NAMES = {
    "mysql-socket": "socket",
    "mysql-host": "host",
    "mysql-port": "port",
    "mysql-user": "user",
    "mysql-db": "db",
    "mysql-ssl-ca": "ssl-ca",
    "mysql-ssl-cert": "ssl-cert",
    "mysql-ssl-key": "ssl-key",
    "db-ps-mode": "ps-mode",
    "warmup-time": "warmup",
    "rand-seed": "seed",
    "num-threads": "threads",
    "max-time": "time",
    "max-requests": "events",
    "scale": "warehouses",
}
"""Accepted options: Assay's name by sysbench's name, or by that of its TPC-C scripts."""


@dataclass(frozen=True)
class Elsewhere:
    """A sysbench option that Assay refuses, with the words for the error and for the reference."""

    instead: str


REFUSED = {
    "db-driver": Elsewhere("leave it out: every server here speaks the MySQL protocol"),
    "mysql-password": Elsewhere(
        "set $ASSAY_PASSWORD or $MYSQL_PWD, or use --ask-password: a command line can be read by every user"
    ),
    "mysql-ignore-errors": Elsewhere(
        "use --on-error count; deadlocks and lock timeouts are retried and counted anyway, idle"
        " connections that the server cut are opened again and counted; a connection lost within an"
        " operation ends the run"
    ),
    "mysql-ssl": Elsewhere("use --ssl-mode required (or verify-ca, verify-identity)"),
    "mysql-ssl-cipher": Elsewhere("leave it out: the server and TLS 1.2 or 1.3 choose"),
    "mysql-compression": Elsewhere("leave it out: packets are never compressed"),
    "mysql-debug": Elsewhere("leave it out"),
    "mysql-dry-run": Elsewhere("leave it out; assay calibrate measures the generator without a server"),
    "report-checkpoints": Elsewhere(
        'use --report-interval for live lines; --json has each second under "series"'
    ),
    "validate": Elsewhere("use `assay bench WORKLOAD check` after the run"),
    "verbosity": Elsewhere("use --report-interval 0 for no live lines"),
    "debug": Elsewhere("leave it out"),
    "thread-init-timeout": Elsewhere("leave it out: connections have 10 s each"),
    "thread-stack-size": Elsewhere("leave it out: connections are not threads here"),
    "forced-shutdown": Elsewhere("leave it out: Ctrl-C ends the window, a second one ends at once"),
    "config-file": Elsewhere("write the options on the command line, or a study"),
    "luajit-cmd": Elsewhere("leave it out: workloads are built in; assay bench --help lists them"),
    "tx-rate": Elsewhere("use --rate"),
    "oltp-tables-count": Elsewhere("use --tables"),
    "oltp-table-size": Elsewhere("use --table-size"),
    "oltp-read-only": Elsewhere("use the workload oltp_read_only"),
    "test": Elsewhere("name the workload first: assay bench oltp_read_write …"),
}
"""Options of sysbench that are not accepted, with what to do instead."""


def normal(token: str) -> str:
    """Returns an option with dashes for underscores, and with Assay's name for sysbench's."""
    dashed = token.replace("_", "-")
    return SYSBENCH_NAMES.get(dashed, dashed)


def instead_of(option: str) -> str | None:
    """Returns what to do in place of an option of sysbench; None for one that sysbench does not have
    either.
    """
    found = REFUSED.get(option.lstrip("-").replace("_", "-"))
    return None if found is None else found.instead
