"""The verb `assay sysbench`: sysbench's command line."""

from __future__ import annotations

from typing import Any

import click

from assay.front.compat.sysbench import (
    COMPATIBLE,
    SCRIPTS,
    STDIN,
    ScriptCommand,
    TestCommand,
    fileio_options,
    general_help,
    has_own_name,
    machine_commands,
    name_first,
    print_help,
    stdin_waits,
)


def _fileio(action: str, **values: Any) -> None:
    from assay.front.compat.sysbench import fileio

    if action == "help":
        print_help("fileio")
    else:
        fileio(action, **values)


def _version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from assay.front.terminal import say

        say(f"sysbench {COMPATIBLE}")
        ctx.exit()


_ABOUT = ("--help", "-h", "--version", "-")


class _Tests(click.Group):
    """The group of tests by sysbench's names, and of scripts: whatever is no test is one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses options in front of the test's name, too, as sysbench does."""
        ctx.meta["argv"] = list(args)
        if has_own_name() and "--help" in args:
            from assay.front.terminal import say

            say(general_help(), newline=False)
            ctx.exit()
        unnamed = not any(one in _ABOUT or not one.startswith("-") for one in args)
        if unnamed and (has_own_name() or stdin_waits()):
            args = [STDIN, *args]
        return super().parse_args(ctx, name_first(args))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or ScriptCommand(cmd_name)


command = _Tests(
    "sysbench",
    help="Run tests and Lua scripts of sysbench 1.0.20 by its names and options, and print its text.\n\n"
    "A script is a file, - for standard input, or one that comes with Assay:\n"
    f"{', '.join(sorted(SCRIPTS))}.\n\n"
    "\b\nExample:\n"
    "  assay sysbench oltp_read_write prepare --mysql-db=sbtest --tables=4 --threads=4\n"
    "  assay sysbench oltp_read_write run --mysql-db=sbtest --tables=4 --threads=64 --report-interval=1\n"
    "  assay sysbench my.lua run --mysql-socket=/run/mysqld/mysqld.sock\n"
    "  assay sysbench cpu run --cpu-max-prime=20000 --threads=2\n"
    "  assay sysbench memory run --memory-block-size=1M --memory-oper=read\n"
    "  assay sysbench fileio prepare --file-total-size=1G\n"
    "  assay sysbench fileio run --file-total-size=1G --file-test-mode=rndrw --threads=16\n"
    "  assay sysbench fileio cleanup --file-total-size=1G",
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Print the version of sysbench that this stands in for.",
        )
    ],
    commands=[
        TestCommand(
            "fileio",
            actions=("prepare", "run", "cleanup", "help"),
            params=fileio_options(),
            callback=_fileio,
            help="Files: sequential and random, read and written.\n\n"
            "The text is sysbench's. An asynchronous operation is timed to its completion: sysbench times\n"
            "the submission.\n\n"
            "\b\nExample:\n"
            "  assay sysbench fileio run --file-test-mode=rndrd --file-extra-flags=direct --threads=16",
        ),
        *machine_commands(),
    ],
)
