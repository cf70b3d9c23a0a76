"""The command of a Lua script for sysbench: the general options, those of MySQL, and the script's own, which
only the script knows.
"""

from __future__ import annotations

import select
import sys
from pathlib import Path
from typing import Any

import click

from assay.base.argument_types import Number
from assay.front.compat.sysbench.command import TestCommand
from assay.front.compat.sysbench.general import general_options
from assay.front.compat.sysbench.options import CommaList, choice, option, switch
from assay.front.compat.sysbench.own_name import has_own_name, hide_password, refuse

SCRIPTS = frozenset(
    {
        "bulk_insert",
        "oltp_delete",
        "oltp_insert",
        "oltp_point_select",
        "oltp_read_only",
        "oltp_read_write",
        "oltp_update_index",
        "oltp_update_non_index",
        "oltp_write_only",
        "select_random_points",
        "select_random_ranges",
    }
)
"""The scripts that come with the engine; their names need no `.lua`."""

LONGEST_THINK_MS = 86_400_000
"""A day, the longest pause that the engine takes."""

STDIN = "-"
"""The name of a script that is read from standard input."""

_NOT_FOR_SCRIPTS = frozenset(
    {"--mysql-password", "--help", "--json", "--output", "--config-file", "--think-ms"}
)


def stdin_waits() -> bool:
    """Returns whether standard input holds a script: a file, or a pipe that somebody has written to."""
    try:
        if sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]:
            return False
        return bool(sys.stdin.buffer.peek(1))  # type: ignore[union-attr]
    except (OSError, ValueError, AttributeError):  # closed, or none at all
        return False


def mysql_options() -> list[click.Option]:
    """Returns the options of the driver, with sysbench's names and defaults, made anew for each command."""
    return [
        option("db-driver", click.STRING, "mysql", "Accepted: every server here speaks the MySQL protocol."),
        choice("db-ps-mode", ["auto", "disable"], "auto", "Prepare statements at the server, or send text."),
        switch("db-debug", False, "Accepted."),
        option(
            "mysql-host",
            CommaList(),
            "localhost",
            "Hosts, each as HOST or USER@HOST; connections take turns.",
        ),
        option("mysql-port", CommaList(), "3306", "Ports of each host; connections take turns."),
        option("mysql-socket", CommaList(), "", "Unix sockets, which go before hosts and ports."),
        option("mysql-user", click.STRING, "sbtest", "User."),
        option(
            "mysql-password",
            click.STRING,
            "",
            "Password; $MYSQL_PWD where it is empty. Every user of this machine can read a command line.",
        ),
        option("mysql-db", click.STRING, "sbtest", "Database."),
        option(
            "mysql-ssl",
            click.STRING,
            "",
            "on, off, disabled, preferred, required, verify_ca or verify_identity.",
        ),
        option("mysql-ssl-key", click.STRING, "", "PEM file with the client's key."),
        option("mysql-ssl-ca", click.STRING, "", "PEM file with the certificates to trust."),
        option("mysql-ssl-cert", click.STRING, "", "PEM file with the client's certificate."),
        option("mysql-ignore-errors", CommaList(), "1213,1020,1205", "Codes after which an event restarts."),
        switch("mysql-dry-run", False, "Send nothing: every statement succeeds."),
        switch("mysql-debug", False, "Accepted."),
    ]


def rand_type() -> click.Option:
    """Returns the option that chooses the distribution of random numbers."""
    return option("rand-type", click.STRING, "special", "How numbers are drawn by default.")


class ScriptCommand(TestCommand):
    """The command of one script. Options that it does not know itself are the script's."""

    takes_any = True

    def __init__(self, script: str) -> None:
        self.script = script
        super().__init__(
            script,
            params=[
                click.Argument(["action"], required=False),
                *general_options(),
                *mysql_options(),
                rand_type(),
                click.Option(
                    ["--luajit-cmd"],
                    expose_value=False,
                    help="Command for LuaJIT, as of luajit -j: off, opt=hotloop=20, or a module jit.NAME.",
                ),
                option(
                    "think-ms",
                    Number(0, LONGEST_THINK_MS),
                    0.0,
                    "Pause of each thread between two events, in milliseconds; sysbench has none.",
                ),
                choice("output", ["text", "json"], "text", "sysbench's text, or one JSON object."),
                click.Option(["--json", "as_json"], is_flag=True, help="The same as --output=json."),
            ],
            callback=self._run,
            help="Run a Lua script for sysbench: prepare, run, cleanup, or a command of its own.\n\n"
            "`help` as its command lists the options of the script itself.\n\n"
            "\b\nExample:\n"
            f"  assay sysbench {script} run --mysql-db=sbtest --threads=16 --time=30 --report-interval=1",
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the options that every script has, and keeps the texts of all of them for the script."""
        hide_password(args)
        known = {name for parameter in self.params for name in parameter.opts if name.startswith("--")}
        texts: dict[str, str] = {}
        ours, words = [], []
        for argument in self._given(ctx, args):
            if not argument.startswith("--"):
                words.append(argument)
                continue
            name, _, value = argument.partition("=")
            if name in known | {"--help"}:
                ours.append(argument)
            if name not in _NOT_FOR_SCRIPTS:
                texts[name[2:].replace("-", "_")] = value
        if len(words) > 1:
            refuse(f"Unrecognized command line argument: {words[1]}")
        if self.script == STDIN and has_own_name():
            words = []  # sysbench only loads it
        ctx.meta["texts"] = texts
        return super().parse_args(
            ctx, [*(one for one in ours if not one.startswith("--config-file")), *words]
        )

    def _check_action(self, action: str | None, heading: str) -> None:
        """Refuses to load a script that comes with Assay and to do nothing: another one may do its work as it
        is loaded.
        """
        if action is None and self.script in SCRIPTS and not Path(f"{self.script}.lua").exists():
            text = f"The '{self.script}' test requires a command argument. See 'sysbench {self.script} help'"
            refuse(text, heading=heading)

    def _run(self, action: str | None, **values: Any) -> None:
        from assay.front.compat.sysbench.script_run import script_command

        meta = click.get_current_context().meta
        argv = ["sysbench", *map(_without_password, meta["argv"])]
        script_command(self.script, action, texts=meta["texts"], argv=argv, **values)


def _without_password(argument: str) -> str:
    name = argument.partition("=")[0]
    return f"{name}=***" if name.replace("_", "-") == "--mysql-password" else argument
