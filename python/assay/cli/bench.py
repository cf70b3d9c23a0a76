"""`assay bench`: one measurement without a study."""

from __future__ import annotations

import os
from typing import Any

import click

from assay.cli.workload_options import options_of, spelled_out
from assay.errors import InputError
from assay.run.bench import Bench, run_bench
from assay.run.engine import workload_catalogue
from assay.run.nearest import nearest

_SYSBENCH_NAMES = {
    "mysql-socket": "socket",
    "mysql-host": "host",
    "mysql-port": "port",
    "mysql-user": "user",
    "mysql-db": "db",
    "db-ps-mode": "ps-mode",
    "warmup-time": "warmup",
}

_ACTIONS = ("run", "prepare", "check", "cleanup")


def _normal(token: str) -> str:
    """Underscores as dashes, sysbench's names as ours."""
    dashed = token.replace("_", "-")
    return _SYSBENCH_NAMES.get(dashed, dashed)


def _general() -> list[click.Option]:
    """The options that every workload has."""
    port, positive = click.IntRange(1, 65535), click.IntRange(min=1)
    existing = click.Path(exists=True, dir_okay=False, resolve_path=True)
    return [
        click.Option(["--socket"], type=click.Path(), help="Unix socket of the server; wins over host and port."),
        click.Option(["--host"], default="127.0.0.1", show_default=True, help="Host of the server."),
        click.Option(["--port"], type=port, default=3306, show_default=True, help="TCP port of the server."),
        click.Option(["--user"], default="root", show_default=True, help="User to log in as."),
        click.Option(["--ask-password"], is_flag=True, help="Ask for the password (else $ASSAY_PASSWORD or $MYSQL_PWD)."),
        click.Option(["--db"], default="sbtest", show_default=True, help="Database; it must exist."),
        click.Option(["--threads"], type=positive, default=1, show_default=True, help="Connections that drive the load, or load data in prepare."),
        click.Option(["--time"], type=click.FloatRange(min=0), default=10.0, show_default=True, help="Seconds to measure; 0 leaves the end to --events."),
        click.Option(["--events"], type=click.IntRange(min=0), default=0, help="Stop after this many transactions; 0 for no limit."),
        click.Option(["--warmup"], type=click.FloatRange(min=0), default=0.0, help="Seconds of load before the measured window."),
        click.Option(["--rate"], type=click.FloatRange(min=0), default=0.0, help="Arrivals per second (open loop); 0 drives a closed loop."),
        click.Option(["--arrivals"], type=click.Choice(["poisson", "constant"]), default="poisson", show_default=True, help="How arrivals are spaced."),
        click.Option(["--ps-mode"], type=click.Choice(["auto", "disable"]), default="auto", show_default=True, help="Prepared statements, or text."),
        click.Option(["--seed"], type=click.IntRange(min=0), default=1, show_default=True, help="Same seed, same rows and same operations."),
        click.Option(["--report-interval"], type=click.IntRange(min=0), default=1, show_default=True, help="Seconds between live lines; 0 for none."),
        click.Option(["--engine-threads"], type=click.IntRange(min=0), default=0, help="Event-loop threads of the engine; 0 lets it choose."),
        click.Option(["--on-error"], type=click.Choice(["stop", "count"]), default="stop", show_default=True, help="What an error that is not retried does."),
        click.Option(["--ssl-mode"], type=click.Choice(["disabled", "preferred", "required", "verify-ca", "verify-identity"]), default="disabled", show_default=True, help="Transport security."),
        click.Option(["--ssl-ca"], type=existing, help="PEM file of the certificates to trust."),
        click.Option(["--ssl-cert"], type=existing, help="PEM file of the client's certificate."),
        click.Option(["--ssl-key"], type=existing, help="PEM file of the client's key."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object; live lines go to standard error."),
    ]  # fmt: skip


class _WorkloadCommand(click.Command):
    """One workload, with its own options and the general ones."""

    def __init__(self, entry: dict[str, Any]) -> None:
        name: str = entry["name"]
        self.own = options_of(entry["options"])
        self.general = _general()
        action = click.Argument(["action"], type=click.Choice(_ACTIONS), default="run", required=False)
        super().__init__(
            name,
            params=[action, *self.own, *self.general],
            help=f"{entry['summary']}\n\nWithout an action it runs.",
            epilog=_example(name),
            callback=self._run,
            context_settings={"token_normalize_func": _normal, "max_content_width": 110},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spelled_out(self.own, args))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, options in (("Workload options", self.own), ("General options", self.general)):
            records = [record for option in options if (record := option.get_help_record(ctx))]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write(self.epilog or "")

    def _run(self, action: str, **values: Any) -> None:
        own = {option.name for option in self.own}
        options = {name: value for name, value in values.items() if name in own and value is not None}
        general = {name: value for name, value in values.items() if name not in own}
        if action == "run" and general["time"] == 0 and general["events"] == 0:
            raise InputError(
                "--time 0 without --events would never end",
                hint="Give --time in seconds, or a number of --events.",
            )
        password = _password(ask=general.pop("ask_password"))
        assert self.name is not None
        run_bench(Bench(workload=self.name, action=action, options=options, password=password, **general))


def _password(*, ask: bool) -> str | None:
    if ask:
        return str(click.prompt("Password", hide_input=True, default="", show_default=False, err=True))
    return os.environ.get("ASSAY_PASSWORD", os.environ.get("MYSQL_PWD"))


def _example(name: str) -> str:
    return (
        "Example:\n"
        f"  assay bench {name} prepare --socket /run/mysqld/mysqld.sock --db test --threads 4\n"
        f"  assay bench {name} --socket /run/mysqld/mysqld.sock --db test --threads 16 --time 30\n"
        f"  assay bench {name} cleanup --socket /run/mysqld/mysqld.sock --db test\n"
    )


class _Workloads(click.Group):
    """The engine's catalogue as subcommands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [entry["name"] for entry in self._catalogue()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        catalogue = {entry["name"]: entry for entry in self._catalogue()}
        entry = catalogue.get(cmd_name.replace("-", "_"))
        if entry is None:
            raise InputError(
                f"No workload is called {cmd_name!r}.",
                hint=f"{nearest(cmd_name, catalogue)}`assay bench --help` lists them.",
            )
        return _WorkloadCommand(entry)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Workloads"):
            formatter.write_dl([(entry["name"], entry["summary"]) for entry in self._catalogue()])

    def _catalogue(self) -> list[dict[str, Any]]:
        return workload_catalogue()


command = _Workloads(
    "bench",
    help="One measurement without a study: prepare the tables of a workload, drive it, clean up.\n\n"
    "\b\nExample:\n"
    "  assay bench oltp_read_write prepare --socket /tmp/x.sock --tables 4 --table-size 100000\n"
    "  assay bench oltp_read_write --socket /tmp/x.sock --tables 4 --table-size 100000 --threads 16\n"
    "  assay bench WORKLOAD --help    lists a workload's options",
    subcommand_metavar="WORKLOAD [prepare|run|check|cleanup] [OPTIONS]",
    short_help="One measurement without a study.",
)
