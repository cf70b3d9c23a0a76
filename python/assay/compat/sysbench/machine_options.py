"""The commands of sysbench's tests without files and without SQL."""

from __future__ import annotations

from typing import Any

import click

from assay.compat.sysbench.command import TestCommand
from assay.compat.sysbench.general import general_options
from assay.compat.sysbench.machine_tests import MACHINE_TESTS, MachineTest

_ACTIONS = ["run", "help", "prepare", "cleanup"]


def machine_commands() -> list[click.Command]:
    """Returns a command for each test."""
    return [_command(test) for test in MACHINE_TESTS.values()]


def _command(test: MachineTest) -> click.Command:
    own = test.options()

    def carry_out(action: str, **values: Any) -> None:
        if action == "help":
            _print_help(test, own)
            return
        from assay.compat.sysbench.machine_run import machine_test

        machine_test(test.name, action, **values)

    return TestCommand(
        test.name,
        params=[
            click.Argument(["action"], type=click.Choice(_ACTIONS)),
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


def _print_help(test: MachineTest, own: list[click.Option]) -> None:
    """Prints the test's own options in the form of `sysbench TEST help`."""
    from assay.terminal import say

    lines = [f"{test.name} options:"]
    for option in own:
        values = "{" + ",".join(option.type.choices) + "}" if isinstance(option.type, click.Choice) else "N"
        default = option.default
        if isinstance(default, bool):
            default = "on" if default else "off"
        text = (option.help or "").partition("  [default")[0]
        lines.append(f"  {option.opts[0]}={values} {text} [{default}]")
    say("\n".join(lines))
