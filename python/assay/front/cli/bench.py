"""The verb `assay bench`: one measurement without a study."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from assay.base.argument_types import spelled_out
from assay.base.errors import InputError
from assay.front.cli.bench_hints import hints_of_the_command_line
from assay.front.cli.general_options import general_options, ledger_option
from assay.front.cli.script_here import script_here
from assay.front.cli.search_options import question, search_options
from assay.front.cli.workload_group import WorkloadGroup, write_sections
from assay.front.cli.workload_options import options_of
from assay.front.compat import ParsedCommand, tool_of
from assay.front.compat.sysbench import instead_of, normal

if TYPE_CHECKING:
    from assay.base.format.job import Action
    from assay.design.plan import Script

_ACTIONS = ("run", "prepare", "check", "cleanup")


_DATA_SEED = 1
"""Seed of the rows that prepare makes, unless --seed gives another."""


class _WorkloadCommand(click.Command):
    """The command of one workload, with its own options and the general ones."""

    def __init__(self, entry: dict[str, Any], script: Script | None = None) -> None:
        name: str = entry["name"]
        self.script = script
        self.own = options_of(entry["options"])
        self.general = [*general_options(), *([ledger_option()] if entry["ledger"] else [])]
        self.search = search_options()
        self.tool = tool_of(name)
        self.of_tool = [] if self.tool is None else self.tool.options()
        action = click.Argument(["action"], type=click.Choice(_ACTIONS), default="run", required=False)
        super().__init__(
            name,
            params=[action, *self.own, *self.general, *self.of_tool, *self.search],
            help=f"{entry['summary']}\n\nWithout an action, run is carried out.",
            epilog=_example(name),
            callback=self._run,
            context_settings={"token_normalize_func": normal, "max_content_width": 110},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, spelled_out(self.own, args))
        except click.NoSuchOption as unknown:
            told = instead_of(unknown.option_name)
            if told is None:
                raise
            raise click.UsageError(
                f"{unknown.option_name} is an option of sysbench that assay does not take: {told}", ctx
            ) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = {
            "Workload options": self.own,
            "General options": [*self.general, *self.of_tool],
            "Highest rate": self.search,
        }
        write_sections(ctx, formatter, sections)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write(self.epilog or "")

    def _asked(self, action: Action, values: dict[str, Any]) -> ParsedCommand:
        def of(options: Iterable[click.Option]) -> dict[str, Any]:
            return {option.name: values[option.name] for option in options if option.name}

        source = click.get_current_context().get_parameter_source
        return ParsedCommand(
            action=action,
            own={name: value for name, value in of(self.own).items() if value is not None},
            general=of(self.general),
            tool=of(self.of_tool),
            given=frozenset(name for name in values if source(name) is ParameterSource.COMMANDLINE),
        )

    def _run(self, action: Action, **values: Any) -> None:
        asked = self._asked(action, values)
        if self.tool is not None:
            self.tool.settle(asked, _by_name(self.own), _by_name(self.general))
        options, general = asked.own, asked.general
        sought = question(**{option.name: values[option.name] for option in self.search if option.name})
        if action == "run" and general["time"] == 0 and general["events"] == 0:
            raise InputError(
                "--time 0 needs --events: the run would never end",
                hint="give --time in seconds, or a number of --events",
            )
        if sought is not None and (action != "run" or general["rate"]):
            raise InputError("--find-rate cannot be combined with --rate, and needs the action run")
        if general.get("resume") and action != "prepare":
            raise InputError(
                f"--resume continues an interrupted prepare: it cannot be combined with {action}",
                hint="write prepare, or leave --resume out",
            )
        if general.get("resume") and self.script is not None:
            raise InputError(
                f"--resume cannot continue a load of {self.name}, whose tables only its own text knows",
                hint="drop the tables, and leave --resume out",
            )
        if general.get("ledger") is not None and action not in ("run", "check"):
            raise InputError(f"--ledger needs the action run, which writes it, or check; not {action}")
        if sought is not None and (asked.text is not None or asked.files):
            raise InputError("--find-rate cannot be combined with another tool's text and files")
        if general.get("ledger") is not None and sought is not None:
            raise InputError(
                "--find-rate cannot be combined with --ledger: it runs many times, and each run"
                " would start the ledger anew",
                hint="leave one of them out",
            )
        if sought is not None and general["terminals"]:
            raise InputError(
                "--find-rate cannot be combined with --terminals: each of its runs has a rate",
                hint="leave --terminals out, or --find-rate",
            )
        if general["terminals"] and general["rate"]:
            raise InputError(
                "--terminals cannot be combined with --rate: terminals need a closed loop",
                hint="leave one of them out",
            )
        password, hint = _password(asked, ask=general.pop("ask_password"))
        if general["seed"] is None:
            # The same again would write the values that are there, and change nothing: that costs less.
            general["seed"] = int.from_bytes(os.urandom(4)) if action == "run" else _DATA_SEED
        assert self.name is not None
        use, settings = general.pop("server"), _settings(general.pop("settings"))
        if use is None and settings:
            raise InputError(
                "--var needs --server: it sets variables of the server that --server starts",
                hint="add --server mariadb",
            )
        if use is not None and (told := _places_told()):
            raise InputError(f"--server cannot be combined with --{told[0]}")
        from assay.experiments.bench import Bench
        from assay.front.cli.bench_shown import find_rate_shown, measure_shown, servers_shown

        as_json, histogram = general.pop("as_json"), general.pop("histogram")
        bench = Bench(
            workload=self.name,
            action=action,
            options=options,
            script=self.script,
            password=password,
            **general,
        )
        with hints_of_the_command_line(hint), servers_shown(bench, use, settings) as start:
            if sought is None:
                with start() as ready:
                    measure_shown(ready, asked, as_json=as_json, histogram=histogram)
            else:
                find_rate_shown(bench, start, sought, restarted=use is not None, as_json=as_json)


def _settings(told: Sequence[str]) -> dict[str, Any]:
    if not told:
        return {}
    from assay.front.cli.server_settings import parse_settings

    return parse_settings(told)


_PLACE = (
    *("socket", "host", "port", "user", "db", "ask_password"),
    *("ssl_mode", "ssl_ca", "ssl_cert", "ssl_key", "server_public_key", "get_server_public_key"),
)


def _places_told() -> list[str]:
    """Returns the options about a running server that the command line gave."""
    source = click.get_current_context().get_parameter_source
    return [name.replace("_", "-") for name in _PLACE if source(name) is ParameterSource.COMMANDLINE]


_PASSWORDS = ("ASSAY_PASSWORD", "MYSQL_PWD")


def _password(asked: ParsedCommand, *, ask: bool) -> tuple[str | None, str | None]:
    """Returns the password, and a hint about its origin where it is neither prompted for nor from the
    environment.
    """
    if ask:
        return str(click.prompt("Password", hide_input=True, default="", show_default=False, err=True)), None
    told = [os.environ[name] for name in _PASSWORDS if name in os.environ]
    return (told[0], None) if told and not asked.password_told else (asked.password, asked.password_hint)


def _by_name(options: Iterable[click.Option]) -> dict[str, click.Option]:
    return {option.name: option for option in options if option.name}


def _example(name: str) -> str:
    return (
        "Example:\n"
        f"  assay bench {name} prepare --socket /run/mysqld/mysqld.sock --db sbtest --threads 4\n"
        f"  assay bench {name} --socket /run/mysqld/mysqld.sock --db sbtest --threads 16 --time 30\n"
        f"  assay bench {name} cleanup --socket /run/mysqld/mysqld.sock --db sbtest\n"
        f"  assay bench {name} --server mariadb --var innodb_flush_log_at_trx_commit=2 --threads 16\n"
    )


def _statements_command(use: str) -> click.Command:
    """Returns the command of a file of statements, `sql:PATH`."""
    from assay.design.study import SQL
    from assay.system.engine import script_listing

    if not use.startswith(SQL):
        raise InputError(
            f"{use} is a script for sysbench, and has a command of its own",
            hint=f"assay sysbench {use.partition(':')[2]} --help",
        )
    use, script = script_here(use)
    return _WorkloadCommand(dict(script_listing(use, script)), script)


command = WorkloadGroup(
    "bench",
    make=_WorkloadCommand,
    of_script=_statements_command,
    help="Make one measurement without a study: prepare the tables of a workload, run it, clean up.\n\n"
    "\b\nExample:\n"
    "  assay bench oltp_read_write prepare --socket /tmp/x.sock --tables 4 --table-size 100000\n"
    "  assay bench oltp_read_write --socket /tmp/x.sock --tables 4 --table-size 100000 --threads 16\n"
    "  assay bench sql:shop.sql --socket /tmp/x.sock --db shop --threads 16    your own statements\n"
    "  assay bench WORKLOAD --help    lists a workload's options",
    subcommand_metavar="WORKLOAD [prepare|run|check|cleanup] [OPTIONS]",
    short_help="One measurement without a study.",
)
