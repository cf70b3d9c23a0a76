"""Reads sysbench's command line: options before and after the test's name, bare switches, old names, a file
of options.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NoReturn

import click

from assay.base.argument_types import spelled_out
from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.front.compat.sysbench.names import instead_of
from assay.front.compat.sysbench.options import BARE_SHUTDOWN
from assay.front.compat.sysbench.own_name import refuse, say_log
from assay.front.compat.sysbench.text import NOTICE, banner
from assay.front.terminal import say

OLD_NAMES = {
    "--num-threads": "--threads",
    "--max-requests": "--events",
    "--max-time": "--time",
    "--tx-rate": "--rate",
}
"""Names that options had before sysbench 1.0, in the order in which it warns of them."""

CONTEXT: dict[str, Any] = {
    "token_normalize_func": lambda token: token.replace("_", "-"),
    "max_content_width": 110,
}
"""Settings of every command here: sysbench takes underscores for dashes."""


def name_first(arguments: list[str]) -> list[str]:
    """Returns the arguments with the test's name in front: `--threads=4 cpu run` becomes `cpu --threads=4
    run`, and so does `--test=cpu --threads=4 run`.

    Without a name they stay as they are.
    """
    named = next((one for one in arguments if one.startswith("--test=")), None)
    if named is not None:
        say(
            "WARNING: the --test option is deprecated. You can pass a script name or path on the command line"
            " without any options.",
            err=True,
        )
        return [named.partition("=")[2], *(one for one in arguments if one != named)]
    at = next((at for at, one in enumerate(arguments) if one == "-" or not one.startswith("-")), None)
    if not at:
        return arguments
    return [arguments[at], *arguments[:at], *arguments[at + 1 :]]


_QUEUE_FULL = (
    "FATAL: The event queue is full. This means the worker threads are unable to keep up with the specified"
    " event generation rate\n"
)
"""What becomes of a rate that nothing can reach."""
_LARGEST = 4 << 20  # bytes


def heading_of(arguments: list[str]) -> str:
    """Returns the first lines of a command with these arguments: none where its verbosity is low."""
    levels = [one.partition("=")[2] for one in arguments if one.startswith("--verbosity=")]
    return "" if levels and (level := whole_number(levels[-1])) is not None and level < NOTICE else banner()


class TestCommand(click.Command):
    """The command of one of sysbench's tests, with the commands that the test has."""

    __test__ = False
    takes_any = False
    """Whether options that the command does not know are for somebody else."""

    def __init__(self, name: str, *, actions: tuple[str, ...] = (), **settings: Any) -> None:
        self.actions = actions
        super().__init__(name, context_settings=CONTEXT, **settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses sysbench's forms of options, and has sysbench's words for what is wrong; an option that
        Assay refuses is told its alternative.
        """
        try:
            rest = super().parse_args(ctx, spelled_out(self.params, self._given(ctx, args)))
        except click.NoSuchOption as unknown:
            self._refuse_option(unknown, args)
        except click.BadParameter as error:
            if error.param is None or error.param.name != "rate" or "out of range" not in error.message:
                raise
            say_log(_QUEUE_FULL)
            refuse("", error.message)
        except click.UsageError as error:
            extra = re.match(r"Got unexpected extra argument.* \((\S+)", error.message)
            if extra is None:
                raise
            refuse(f"Unrecognized command line argument: {extra[1]}")
        self._check_action(ctx.params.get("action"), heading_of(args))
        return rest

    def _refuse_option(self, unknown: click.NoSuchOption, args: list[str]) -> NoReturn:
        name = unknown.option_name
        given = [one for one in args if one.partition("=")[0].replace("_", "-") == name]
        alternative = instead_of(name)
        near = f"did you mean {unknown.possibilities[0]}?" if unknown.possibilities else None
        hint = near if alternative is None else f"sysbench has it, this test does not: {alternative}"
        refuse(f"invalid option: {given[0] if given else name}", hint, heading=heading_of(args))

    def _check_action(self, action: str | None, heading: str) -> None:
        """Refuses a command that the test does not have."""
        if not self.actions or action in self.actions:
            return
        if action is None:
            text = f"The '{self.name}' test requires a command argument. See 'sysbench {self.name} help'"
            refuse(text, heading=heading)
        if action in ("prepare", "cleanup"):
            hint = f"it makes nothing that stays: assay sysbench {self.name} run"
            refuse(f"'{self.name}' test does not implement the '{action}' command.", hint, heading=heading)
        refuse(f"Unknown command: {action}", f"it has {', '.join(self.actions)}", heading=heading)

    def _given(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Returns the arguments by sysbench's names of today, those in files of options first."""
        given = [self._plain(one) for one in args]
        found = [*self._of_files(ctx, given), *given]
        _warn_of_old_names(args)
        return found

    def _plain(self, argument: str) -> str:
        """Returns an argument with the name and the value that stand for it."""
        name, equals, value = argument.partition("=")
        if not name.startswith("--"):
            return argument
        dashed = name.replace("_", "-")
        dashed = OLD_NAMES.get(dashed, dashed)
        if dashed == "--forced-shutdown" and not equals:
            return f"{dashed}={BARE_SHUTDOWN}"
        return f"{dashed}{equals}{value}"

    def _of_files(self, ctx: click.Context, arguments: list[str]) -> list[str]:
        """Returns the options in the files that `--config-file` names."""
        found: list[str] = []
        for argument in arguments:
            name, _, path = argument.partition("=")
            if name == "--config-file" and path:
                found += self._of_file(ctx, Path(path))
        return found

    def _of_file(self, ctx: click.Context, path: Path) -> list[str]:
        from assay.design.study import did_you_mean, named_text

        known = {name for parameter in self.params for name in parameter.opts if name.startswith("--")}
        lines = named_text(path, "a file of options", _LARGEST).splitlines()
        found = []
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            name, equals, value = (part.strip() for part in text.partition("="))
            option = self._plain(f"--{name.removeprefix('--')}").partition("=")[0]
            if option not in known and not self.takes_any:
                near = did_you_mean(option[2:], [one[2:] for one in known])
                raise InputError(f"{path}:{number}: {ctx.info_name} has no option {name}{near}")
            found.append(f"{option}={value}" if equals else option)
        return [self._plain(one) for one in found]


def _warn_of_old_names(arguments: list[str]) -> None:
    """Warns once of each old name that was given a value other than its default, in sysbench's order."""
    given = dict(one.replace("_", "-").partition("=")[::2] for one in arguments)
    for name, instead in OLD_NAMES.items():
        if given.get(name, "0") not in ("0", "1" if name == "--num-threads" else "0"):
            say_log(f"WARNING: {name} is deprecated, use {instead} instead\n")
