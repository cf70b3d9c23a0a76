"""Types of numbers and switches on the command line: each reads a word, checks its range, and reports a usage
error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import click

YEAR_S = 366 * 86_400.0
MOST_CONNECTIONS = 100_000
MOST_PER_SECOND = 1e9
MOST_OF = {"uint8": 2**8 - 1, "uint16": 2**16 - 1, "uint32": 2**32 - 1, "uint64": 2**64 - 1}
"""The largest number of each of the engine's whole-number formats."""

_SECONDS = {"": 1.0, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


class WholeNumber(click.ParamType[int]):
    """A whole number from `least` to `most`."""

    name = "whole number"

    def __init__(self, least: int = 0, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns the whole number; a usage error for text, fractions and numbers out of range."""
        text = str(value).strip()
        if re.fullmatch(r"[+-]?\d{1,40}", text) is None:
            said = f"{text[:60]!r} is not a whole number; expected one {_range(self.least, self.most)}"
            raise click.BadParameter(said, ctx, param)
        number = int(text)
        if number < self.least or (self.most is not None and number > self.most):
            raise click.BadParameter(
                f"{number} is out of range; expected {_range(self.least, self.most)}", ctx, param
            )
        return number


class Number(click.ParamType[float]):
    """A finite number from `least` to `most`."""

    name = "number"

    def __init__(self, least: float = 0.0, most: float | None = None, *, above: bool = False) -> None:
        self.least, self.most, self.above = least, most, above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Returns the number; a usage error for text, nan, infinity and numbers out of range."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            said = f"{str(value)[:60]!r} is not a number; expected one {_range(self.least, self.most)}"
            raise click.BadParameter(said, ctx, param)
        self.check(number, value, param, ctx)
        return number

    def check(
        self, number: float, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> None:
        """Raises a usage error that states the range when the number lies outside it."""
        low = number <= self.least if self.above else number < self.least
        if low or (self.most is not None and number > self.most):
            expected = _range(self.least, self.most, above=self.above)
            raise click.BadParameter(f"{value} is out of range; expected {expected}", ctx, param)


class Seconds(Number):
    """A length of time, given as 60, 1.5, 60s, 500ms, 5min or 2h, as a number of seconds."""

    name = "seconds"

    def __init__(self, least: float = 0.0, most: float = YEAR_S) -> None:
        super().__init__(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Returns seconds; a usage error for text that is no length of time."""
        found = re.fullmatch(r"(\d{1,20}(?:\.\d*)?|\.\d+)\s*([a-z]*)", str(value).strip())
        if found is None or found[2] not in _SECONDS:
            name = "--time" if param is None else param.opts[0]
            raise click.BadParameter(
                f"{str(value)[:60]!r} is not a length of time; write a number of seconds, as in {name} 60",
                ctx,
                param,
            )
        number = float(found[1]) * _SECONDS[found[2]]
        self.check(number, value, param, ctx)
        return number


class WholeSeconds(Seconds):
    """A length of time in whole seconds, given as 1 or 10s."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns whole seconds; a usage error for a fraction of a second."""
        seconds = super().convert(value, param, ctx)
        if seconds != int(seconds):
            raise click.BadParameter(f"{value} is not a number of whole seconds", ctx, param)
        return int(seconds)


class Numbers(click.ParamType[tuple[int, ...]]):
    """One or several numbers of connections, given as 64 or 1,16,64."""

    name = "numbers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Returns the numbers, each at least 1; a usage error for any other text."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",")]
        if not all(re.fullmatch(r"\d{1,9}", one) and 0 < int(one) <= MOST_CONNECTIONS for one in parts):
            expected = f"numbers from 1 to {MOST_CONNECTIONS:,}, as in 1,16,64"
            raise click.BadParameter(f"{str(value)[:60]!r}: expected {expected}", ctx, param)
        return tuple(map(int, parts))


ON = ("on", "true", "yes", "1")
OFF = ("off", "false", "no", "0")


class OnOff(click.ParamType[bool]):
    """A sysbench boolean, given as on/off, true/false, yes/no or 1/0."""

    name = "on|off"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bool:
        """Returns True or False; a usage error for any other text."""
        if isinstance(value, bool):
            return value
        word = str(value).lower()
        if word in ON:
            return True
        if word in OFF:
            return False
        raise click.BadParameter(f"{value!r} must be on or off", ctx, param)


def spelled_out(options: Sequence[click.Parameter], arguments: list[str]) -> list[str]:
    """Returns the arguments with every bare boolean made explicit: `--skip-trx run` becomes `--skip-trx=on
    run`.
    """
    booleans = {name for option in options if isinstance(option.type, OnOff) for name in option.opts}
    out: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument.replace("_", "-") not in booleans:
            out.append(argument)
            continue
        following = next(rest, None)
        if following is not None and following.lower() in (*ON, *OFF):
            out.append(f"{argument}={following}")
            continue
        out.append(f"{argument}=on")
        if following is not None:
            out += spelled_out(options, [following, *rest])
    return out


def _range(least: float, most: float | None, *, above: bool = False) -> str:
    low = f"{'above' if above else 'from'} {least:,.15g}"
    return low if most is None else f"{low} to {most:,.20g}"
