"""The options that `assay bench` has for every workload."""

from __future__ import annotations

from typing import Any

import click

from assay.base.argument_types import (
    MOST_CONNECTIONS,
    MOST_PER_SECOND,
    Number,
    Seconds,
    WholeNumber,
    WholeSeconds,
)
from assay.front.cli.workload_options import QuietOption

_TLS_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")
_FILE = click.Path(exists=True, dir_okay=False, resolve_path=True)


def general_options() -> list[click.Option]:
    """Returns the options for the server's address, the load and its length, and the output."""
    return [
        _option(
            "server",
            click.STRING,
            "NAME",
            "Start this server for the run, such as mysql@5.6, and remove it afterwards.",
        ),
        click.Option(
            ["--var", "settings"],
            multiple=True,
            metavar="NAME=VALUE",
            help="Set a variable of that server; may be repeated.",
        ),
        _option("socket", click.Path(), "PATH", "Unix socket of the server; overrides host and port."),
        _option("host", click.STRING, "NAME", "Host of the server.", "127.0.0.1"),
        _option("port", click.IntRange(1, 65535), "N", "TCP port of the server.", 3306),
        _option("user", click.STRING, "NAME", "User to log in as.", "root"),
        _flag("ask-password", "Prompt for the password; otherwise $ASSAY_PASSWORD or $MYSQL_PWD is used."),
        _option("db", click.STRING, "NAME", "Database; it must exist.", "sbtest"),
        _option(
            "threads",
            WholeNumber(1, MOST_CONNECTIONS),
            "N",
            "Connections; in prepare, the connections that load rows.",
            1,
        ),
        _option(
            "terminals",
            WholeNumber(0, 10_000_000),
            "N",
            "Users who share the connections (closed loop); 0: as many as those, or what the workload's pace"
            " wants.",
            0,
        ),
        _option(
            "time", Seconds(), "SECONDS", "Measured time; 0: until --events transactions have ended.", 10.0
        ),
        _option("events", WholeNumber(0, 10**15), "N", "Stop after N transactions; 0: no limit.", 0),
        _option(
            "reconnect",
            WholeNumber(0, 10**9),
            "N",
            "Reconnect every N transactions; 0: never.",
            0,
        ),
        _option("warmup", Seconds(), "SECONDS", "Load before the measured time.", 0.0),
        _option(
            "rate", Number(0, MOST_PER_SECOND), "X", "Arrivals per second (open loop); 0: closed loop.", 0.0
        ),
        _option(
            "arrivals",
            click.Choice(["poisson", "constant"]),
            None,
            "Distribution of the arrivals' spacing.",
            "poisson",
        ),
        _option(
            "ps-mode",
            click.Choice(["auto", "disable"]),
            None,
            "Prepared statements (auto) or SQL text (disable).",
            "auto",
        ),
        _option(
            "seed",
            WholeNumber(0, 2**64 - 1),
            "N",
            "The same seed gives the same operations and, in prepare (default 1), the same rows.",
        ),
        _option("report-interval", WholeSeconds(), "SECONDS", "Time between live lines; 0: none.", 1),
        _option(
            "engine-threads",
            WholeNumber(0, 4096),
            "N",
            "Event loops of the engine; 0: chosen by the engine.",
            0,
        ),
        _flag("resume", "Continue an interrupted prepare."),
        _option(
            "on-error",
            click.Choice(["stop", "count"]),
            None,
            "After an error that is not retried, stop or count it; by default stop, of sql: count.",
        ),
        _option(
            "ssl-mode",
            click.Choice(_TLS_MODES),
            None,
            "TLS mode; by default preferred over TCP to another machine, disabled otherwise.",
        ),
        _option("ssl-ca", _FILE, "FILE", "PEM file of the certificates to trust."),
        _option("ssl-cert", _FILE, "FILE", "PEM file of the client's certificate."),
        _option("ssl-key", _FILE, "FILE", "PEM file of the client's key."),
        _option("server-public-key", _FILE, "FILE", "PEM file of the server's RSA key, for TCP without TLS."),
        _flag(
            "get-server-public-key", "Ask the server for its RSA key; an attacker in between can replace it."
        ),
        _option("percentile", Number(0, 100, above=True), "P", "Print this percentile of the latency too."),
        _flag("histogram", "Print the distribution of the latency."),
        _flag("json", "Print one JSON object; live lines go to standard error.", "as_json"),
    ]


def ledger_option() -> click.Option:
    """Returns the option `--ledger`, for workloads that can record acknowledged commits."""
    return _option(
        "ledger",
        click.Path(dir_okay=False, resolve_path=True),
        "FILE",
        "In run, write acknowledged commits to this file; in check, look for them.",
    )


def _option(
    name: str, kind: click.ParamType[Any], metavar: str | None, text: str, default: Any = None
) -> click.Option:
    return QuietOption(
        [f"--{name}"],
        type=kind,
        metavar=metavar,
        help=text,
        default=default,
        show_default=default is not None,
    )


def _flag(name: str, text: str, *parameter: str) -> click.Option:
    return click.Option([f"--{name}", *parameter], is_flag=True, help=text)
