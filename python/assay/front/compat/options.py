"""The interface of a stand-in for another tool: the options, text, files and figures it adds to a workload's
command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import click

from assay.base.errors import InputError
from assay.front.terminal import say

if TYPE_CHECKING:
    from assay.design.folder import Event, RunResult
    from assay.experiments.bench import Bench, Listener
    from assay.front.terminal import AssayConsole

Options = dict[str, click.Option]
"""Options by the name of their parameter."""

OWN_TEXT = "assay"
"""The value of `--output` for Assay's own text."""


class Addition(Protocol):
    """Figures that a tool's users expect in a result."""

    def hear(self, event: Event) -> None:
        """Takes in an event of the engine."""
        ...

    def figures(self, result: RunResult) -> dict[str, Any]:
        """Returns the figures by name, for the record beside those of every workload."""
        ...

    def show(self, figures: dict[str, Any], console: AssayConsole) -> None:
        """Prints the figures in place of the workload's counters; `figures` are all of the record."""
        ...


@dataclass
class ParsedCommand:
    """The parsed command line before it becomes a bench; a tool's own files may add to it.

    `own` holds the given options of the workload, `general` those of every workload, `tool` the tool's;
    `given` names the options on the command line itself. A `password` gives way to the environment's, unless
    it was `password_told` on the command line; `password_hint` says where it comes from, for a refused login.
    `text` makes the printer that replaces Assay's own text, `files` the writers of additional files; each is
    made when the server is known. `addition` is for the action `run`.
    """

    action: str
    own: dict[str, Any]
    general: dict[str, Any]
    tool: dict[str, Any]
    given: frozenset[str]
    password: str | None = None
    password_told: bool = False
    password_hint: str | None = None
    text: Callable[[Bench], Listener] | None = None
    files: list[Callable[[Bench], Listener]] = field(default_factory=list)
    addition: Addition | None = None

    def in_place_of_our_text(self, output: str) -> bool:
        """Returns whether `--output` asks for the tool's text. Raises InputError when `--json` contradicts
        it.
        """
        if self.tool["output"] != output:
            return False
        if self.general["as_json"]:
            raise InputError(
                f"--json cannot be combined with --output {output}: both write to standard output",
                hint="leave one of them out",
            )
        return True


class Tool(Protocol):
    """Another tool that a workload stands in for. `options` are made anew for each command."""

    def options(self) -> list[click.Option]:
        """Returns the options that the command has besides those of every workload."""
        ...

    def settle(self, asked: ParsedCommand, own: Options, general: Options) -> None:
        """Applies the tool's options to the parsed command line; `own` and `general` are all available
        options.
        """
        ...


def say_text(text: str) -> None:
    """Prints a part of a tool's text, which has its own line ends."""
    say(text, newline=False)


def output_option(tool: str, text: str) -> click.Option:
    """Returns the option `--output`, for Assay's own text or the tool's."""
    return click.Option(
        ["--output"],
        type=click.Choice([OWN_TEXT, tool]),
        default=OWN_TEXT,
        show_default=True,
        help=text,
    )
