"""The options that `assay bench` has for every workload."""

from __future__ import annotations

from typing import Any

import click

from assay.argument_types import MOST_CONNECTIONS, MOST_PER_SECOND, Number, Seconds, Whole, WholeSeconds
from assay.cli.workload_options import QuietOption

_TLS_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")
_FILE = click.Path(exists=True, dir_okay=False, resolve_path=True)


def general_options() -> list[click.Option]:
    """Where the server is, how much load for how long, how it is reported."""
    return [
        _option(
            "server", click.STRING, "NAME", "Start this server for the run, as in mysql@5.6, and remove it."
        ),
        click.Option(
            ["--var", "settings"],
            multiple=True,
            metavar="NAME=VALUE",
            help="A variable of --server's; again for more.",
        ),
        _option("socket", click.Path(), "PATH", "Unix socket of the server; wins over host and port."),
        _option("host", click.STRING, "NAME", "Host of the server.", "127.0.0.1"),
        _option("port", click.IntRange(1, 65535), "N", "TCP port of the server.", 3306),
        _option("user", click.STRING, "NAME", "User to log in as.", "root"),
        _flag("ask-password", "Ask for the password; else it is $ASSAY_PASSWORD or $MYSQL_PWD."),
        _option("db", click.STRING, "NAME", "Database; it must exist.", "sbtest"),
        _option("threads", Whole(1, MOST_CONNECTIONS), "N", "Connections; of prepare: that load rows.", 1),
        _option(
            "terminals",
            Whole(0, 10_000_000),
            "N",
            "Users who share the connections (closed loop); 0: as many as those, or what the workload's pace"
            " wants.",
            0,
        ),
        _option("time", Seconds(), "SECONDS", "Measured time; 0 leaves the end to --events.", 10.0),
        _option("events", Whole(0, 10**15), "N", "Stop after N transactions; 0: no limit.", 0),
        _option(
            "reconnect",
            Whole(0, 10**9),
            "N",
            "Open connections anew every N transactions; 0: never.",
            0,
        ),
        _option("warmup", Seconds(), "SECONDS", "Load before the measured time.", 0.0),
        _option(
            "rate", Number(0, MOST_PER_SECOND), "X", "Arrivals a second (open loop); 0: closed loop.", 0.0
        ),
        _option("arrivals", click.Choice(["poisson", "constant"]), None, "Spacing of arrivals.", "poisson"),
        _option("ps-mode", click.Choice(["auto", "disable"]), None, "Prepared statements, or text.", "auto"),
        _option("seed", Whole(0, 2**64 - 1), "N", "Same seed, same rows (prepare: 1), same operations."),
        _option("report-interval", WholeSeconds(), "SECONDS", "Between live lines; 0: none.", 1),
        _option("engine-threads", Whole(0, 4096), "N", "Of the engine; 0 lets it choose.", 0),
        _flag("resume", "Prepare only: go on with a load that was broken off."),
        _option("on-error", click.Choice(["stop", "count"]), None, "After one that is not retried.", "stop"),
        _option(
            "ssl-mode",
            click.Choice(_TLS_MODES),
            None,
            "Transport security; not given: preferred over TCP to another machine, else disabled.",
        ),
        _option("ssl-ca", _FILE, "FILE", "PEM file of the certificates to trust."),
        _option("ssl-cert", _FILE, "FILE", "PEM file of the client's certificate."),
        _option("ssl-key", _FILE, "FILE", "PEM file of the client's key."),
        _option("server-public-key", _FILE, "FILE", "PEM file of the server's RSA key, for TCP without TLS."),
        _flag("get-server-public-key", "Ask the server for that key; whoever is between can send another."),
        _option("percentile", Number(0, 100, above=True), "P", "Print this one of the latency too."),
        _flag("histogram", "Print the distribution of the latency."),
        _flag("json", "Print one JSON object; live lines go to standard error.", "as_json"),
    ]


def ledger_option() -> click.Option:
    """`--ledger`, for workloads that can say what the server has acknowledged."""
    return _option(
        "ledger",
        click.Path(dir_okay=False, resolve_path=True),
        "FILE",
        "Run: write down acknowledged commits there; check: look for them.",
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
