"""The kinds of values and options that tests by sysbench's names have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import click

from assay.base.argument_types import OnOff

BARE_SHUTDOWN = "5%"
"""The value of `--forced-shutdown` without one."""

_MOST_CHECKPOINTS = 256


class Size(click.ParamType[int]):
    """A number of bytes, given as 4096, 4k, 1m or 2g."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns bytes; a usage error for text that is no size."""
        from assay.design.storage import size

        if isinstance(value, int):
            return value
        try:
            return size(str(value))
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from error


class CommaList(click.types.StringParamType):
    """Words separated by commas, as their text."""

    name = "list"


@dataclass(frozen=True)
class ForcedShutdown:
    """How long the load may go on after its time limit: seconds, or a share of the limit; None: for ever."""

    seconds: float | None = None
    share: float | None = None

    def after_s(self, time_s: float) -> float | None:
        """Returns the seconds after a time limit of `time_s`."""
        return self.seconds if self.share is None else self.share * time_s


class Shutdown(click.ParamType[ForcedShutdown]):
    """`off`, a number of seconds, or a percentage of `--time`."""

    name = "off|N|N%"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ForcedShutdown:
        """Returns the shutdown; a usage error for any other text."""
        if isinstance(value, ForcedShutdown):
            return value
        text = str(value).strip()
        if text.lower() in ("off", ""):
            return ForcedShutdown()
        if re.fullmatch(r"\d{1,7}%", text):
            return ForcedShutdown(share=int(text[:-1]) / 100)
        if re.fullmatch(r"\d{1,9}", text):
            return ForcedShutdown(seconds=float(text))
        said = f"{text[:60]!r}: expected off, a number of seconds, or a percentage of --time, as in 10 or 5%"
        raise click.BadParameter(said, ctx, param)


class Checkpoints(click.ParamType[tuple[int, ...]]):
    """Whole seconds after the start, given as 10,60,600."""

    name = "list"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Returns the seconds in ascending order; a usage error for any other text."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",") if part.strip()]
        if not all(re.fullmatch(r"\d{1,8}", part) and int(part) > 0 for part in parts):
            said = f"{str(value)[:60]!r}: expected whole seconds after the start, as in 10,60,600"
            raise click.BadParameter(said, ctx, param)
        if len(parts) > _MOST_CHECKPOINTS:
            said = f"{len(parts)} checkpoints; expected at most {_MOST_CHECKPOINTS}"
            raise click.BadParameter(said, ctx, param)
        return tuple(sorted({int(part) for part in parts}))


def option(name: str, kind: click.ParamType[Any], default: Any, text: str) -> click.Option:
    """Returns an option with its default in its help."""
    shown = default not in (None, "")
    return click.Option([f"--{name}"], type=kind, default=default, show_default=shown, help=text)


def switch(name: str, default: bool, text: str) -> click.Option:
    """Returns an option that is on or off; without a value it is on."""
    help_text = f"{text}  [default: {'on' if default else 'off'}]"
    return click.Option(
        [f"--{name}"], type=OnOff(), is_flag=False, default=default, metavar="[on|off]", help=help_text
    )


def choice(name: str, words: list[str], default: str | None, text: str) -> click.Option:
    """Returns an option whose value is one of some words."""
    return option(name, click.Choice(words), default, text)
