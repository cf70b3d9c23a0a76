"""The commands of sysbench's tests without files and without SQL."""

from __future__ import annotations

from typing import Any

import click

from assay.front.compat.sysbench.command import TestCommand
from assay.front.compat.sysbench.general import general_options
from assay.front.compat.sysbench.machine_tests import MACHINE_TESTS, MachineTest


def machine_commands() -> list[click.Command]:
    """Returns a command for each test."""
    return [_command(test) for test in MACHINE_TESTS.values()]


def _command(test: MachineTest) -> click.Command:
    own = test.options()

    def carry_out(action: str, **values: Any) -> None:
        if action == "help":
            print_help(test.name)
            return
        from assay.front.compat.sysbench.machine_run import machine_test

        machine_test(test.name, **values)

    return TestCommand(
        test.name,
        actions=("run", "help"),
        params=[
            click.Argument(["action"], required=False),
            *own,
            *general_options(),
            click.Option(
                ["--output"],
                type=click.Choice(["text", "json"]),
                default="text",
                show_default=True,
                help="sysbench's text, or assay's result as one JSON object.",
            ),
            click.Option(["--json", "as_json"], is_flag=True, help="The same as --output=json."),
        ],
        callback=carry_out,
        help=f"{test.summary}\n\nThe text is sysbench's.\n\n\b\nExample:\n  assay sysbench {test.example}",
    )


def print_help(test: str) -> None:
    """Prints a test's own options, as `sysbench TEST help` does."""
    from assay.front.compat.sysbench.help import options_of
    from assay.front.compat.sysbench.text import banner
    from assay.front.terminal import say

    say(banner() + options_of(test), newline=False)
