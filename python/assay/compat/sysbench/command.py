"""Reads sysbench's command line: options before and after the test's name, bare switches, old names, a file
of options.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.argument_types import spelled_out
from assay.compat.sysbench.names import instead_of
from assay.compat.sysbench.options import BARE_SHUTDOWN
from assay.errors import InputError
from assay.terminal import say

OLD_NAMES = {
    "--num-threads": "--threads",
    "--max-time": "--time",
    "--max-requests": "--events",
    "--tx-rate": "--rate",
}
"""Names that options had before sysbench 1.0."""

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
        _deprecated("--test", "the test's name without it")
        return [named.partition("=")[2], *(one for one in arguments if one != named)]
    at = next((at for at, one in enumerate(arguments) if one == "-" or not one.startswith("-")), None)
    if not at:
        return arguments
    return [arguments[at], *arguments[:at], *arguments[at + 1 :]]


class TestCommand(click.Command):
    """The command of one of sysbench's tests."""

    __test__ = False
    takes_any = False
    """Whether options that the command does not know are for somebody else."""

    def __init__(self, name: str, **settings: Any) -> None:
        super().__init__(name, context_settings=CONTEXT, **settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses sysbench's forms of options; an option that Assay refuses is told its alternative."""
        try:
            return super().parse_args(ctx, spelled_out(self.params, self._given(ctx, args)))
        except click.NoSuchOption as unknown:
            alternative = instead_of(unknown.option_name)
            if alternative is None:
                raise
            raise click.UsageError(
                f"{unknown.option_name} is an option of sysbench that this test does not take: {alternative}",
                ctx,
            ) from None

    def _given(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Returns the arguments by sysbench's names of today, those in files of options first."""
        given = [self._plain(one) for one in args]
        return [*self._of_files(ctx, given), *given]

    def _plain(self, argument: str) -> str:
        """Returns an argument with the name and the value that stand for it."""
        name, equals, value = argument.partition("=")
        if not name.startswith("--"):
            return argument
        dashed = name.replace("_", "-")
        if dashed in OLD_NAMES:
            _deprecated(dashed, f"{OLD_NAMES[dashed]} instead")
            dashed = OLD_NAMES[dashed]
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
        from assay.study import did_you_mean

        known = {name for parameter in self.params for name in parameter.opts if name.startswith("--")}
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise InputError(f"cannot read the options in {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"cannot read the options in {path}: {error}") from error
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


def _deprecated(name: str, instead: str) -> None:
    say(f"WARNING: {name} is deprecated, use {instead}", err=True)
