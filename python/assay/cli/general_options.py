"""The options that `assay bench` has for every workload."""

from __future__ import annotations

import click

SYSBENCH_NAMES = {
    "mysql-socket": "socket",
    "mysql-host": "host",
    "mysql-port": "port",
    "mysql-user": "user",
    "mysql-db": "db",
    "db-ps-mode": "ps-mode",
    "warmup-time": "warmup",
}
"""What sysbench calls them, for the fingers that know it."""

_TLS_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")


def general_options() -> list[click.Option]:
    """The options that every workload has."""
    port, positive = click.IntRange(1, 65535), click.IntRange(min=1)
    existing = click.Path(exists=True, dir_okay=False, resolve_path=True)
    return [
        click.Option(
            ["--socket"], type=click.Path(), help="Unix socket of the server; wins over host and port."
        ),
        click.Option(["--host"], default="127.0.0.1", show_default=True, help="Host of the server."),
        click.Option(["--port"], type=port, default=3306, show_default=True, help="TCP port of the server."),
        click.Option(["--user"], default="root", show_default=True, help="User to log in as."),
        click.Option(
            ["--ask-password"],
            is_flag=True,
            help="Ask for the password (else $ASSAY_PASSWORD or $MYSQL_PWD).",
        ),
        click.Option(["--db"], default="sbtest", show_default=True, help="Database; it must exist."),
        click.Option(
            ["--threads"],
            type=positive,
            default=1,
            show_default=True,
            help="Connections that drive the load, or load rows in prepare.",
        ),
        click.Option(
            ["--time"],
            type=click.FloatRange(min=0),
            default=10.0,
            show_default=True,
            help="Seconds to measure; 0 leaves the end to --events.",
        ),
        click.Option(
            ["--events"],
            type=click.IntRange(min=0),
            default=0,
            help="Stop after this many transactions; 0 for no limit.",
        ),
        click.Option(
            ["--warmup"],
            type=click.FloatRange(min=0),
            default=0.0,
            help="Seconds of load before the measured window.",
        ),
        click.Option(
            ["--rate"],
            type=click.FloatRange(min=0),
            default=0.0,
            help="Arrivals per second (open loop); 0 drives a closed loop.",
        ),
        click.Option(
            ["--arrivals"],
            type=click.Choice(["poisson", "constant"]),
            default="poisson",
            show_default=True,
            help="How arrivals are spaced.",
        ),
        click.Option(
            ["--ps-mode"],
            type=click.Choice(["auto", "disable"]),
            default="auto",
            show_default=True,
            help="Prepared statements, or text.",
        ),
        click.Option(
            ["--seed"],
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="Same seed, same rows and same operations.",
        ),
        click.Option(
            ["--report-interval"],
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="Seconds between live lines; 0 for none.",
        ),
        click.Option(
            ["--engine-threads"],
            type=click.IntRange(min=0),
            default=0,
            help="Event-loop threads of the engine; 0 lets it choose.",
        ),
        click.Option(
            ["--on-error"],
            type=click.Choice(["stop", "count"]),
            default="stop",
            show_default=True,
            help="What an error that is not retried does.",
        ),
        click.Option(
            ["--ssl-mode"],
            type=click.Choice(_TLS_MODES),
            default="disabled",
            show_default=True,
            help="Transport security.",
        ),
        click.Option(["--ssl-ca"], type=existing, help="PEM file of the certificates to trust."),
        click.Option(["--ssl-cert"], type=existing, help="PEM file of the client's certificate."),
        click.Option(["--ssl-key"], type=existing, help="PEM file of the client's key."),
        click.Option(
            ["--json", "as_json"],
            is_flag=True,
            help="Print one JSON object; live lines go to standard error.",
        ),
    ]
