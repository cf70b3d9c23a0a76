"""What the command of a workload has beyond what all have, where it stands in for another tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import click

from assay.errors import InputError
from assay.terminal import say

if TYPE_CHECKING:
    from assay.bench import Bench, Listener
    from assay.folder import Event, RunResult
    from assay.terminal import AssayConsole

Options = dict[str, click.Option]
"""Options by the name of their parameter."""

OWN_TEXT = "assay"
"""The value of `--output` that keeps to our own text."""


class Addition(Protocol):
    """Figures of its own that a tool's users look for in a result."""

    def hear(self, event: Event) -> None:
        """Something the engine said."""
        ...

    def figures(self, result: RunResult) -> dict[str, Any]:
        """Figures by name, for the record beside those of every workload."""
        ...

    def show(self, figures: dict[str, Any], console: AssayConsole) -> None:
        """Prints them, in place of the workload's counters; `figures` are all of the record."""
        ...


@dataclass
class Asked:
    """What a command line asks for, before it becomes a bench; a tool's own files may add to it.

    `own` holds the options of the workload that were given, `general` those of every workload, `tool` the
    tool's; `given` names what the command line itself said. A `password` gives way to the environment's,
    unless it was `password_told` on the command line; `password_hint` says where it is from, for
    a login that is refused. `text` makes what prints in place of our own text, `files` what writes files
    besides; each is made when the server is known. `addition` is for the action `run`.
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
        """Whether `--output` asks for it. InputError when `--json` asks for something else."""
        if self.tool["output"] != output:
            return False
        if self.general["as_json"]:
            raise InputError(
                f"--json cannot be combined with --output {output}: both write to standard output",
                hint="leave one of them out",
            )
        return True


class Tool(Protocol):
    """The tool. `options` are made anew for each command."""

    def options(self) -> list[click.Option]:
        """What the command offers besides."""
        ...

    def settle(self, asked: Asked, own: Options, general: Options) -> None:
        """Adds to what was asked what the tool's options mean; `own` and `general` are all that could be."""
        ...


def say_text(text: str) -> None:
    """Prints a part of a tool's text, which has its own ends of lines."""
    say(text, newline=False)


def output_option(tool: str, text: str) -> click.Option:
    """`--output`, for our own text or the tool's."""
    return click.Option(
        ["--output"],
        type=click.Choice([OWN_TEXT, tool]),
        default=OWN_TEXT,
        show_default=True,
        help=text,
    )
