"""The type of a calculator: quantities in, quantities out, each with its formula and the formula's source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.base.numbers import plain
from assay.base.wording import sized

Unit = Literal["bytes", "bytes/s", "count", "1/s", "share", "s"]
Value = float | str


@dataclass(frozen=True)
class Input:
    """An input of a calculator.

    `choices`: words that may be given instead of a number; `default` None: the input must be given, unless it
    is `optional`.
    """

    name: str
    unit: Unit
    help: str
    default: Value | None = None
    least: float = 0.0
    most: float | None = None
    choices: Sequence[str] = ()
    optional: bool = False


@dataclass(frozen=True)
class Answer:
    """A result of a calculator, in `unit`; `formula` has its numbers filled in."""

    name: str
    value: float
    unit: Unit
    formula: str
    source: str

    @property
    def text(self) -> str:
        """The value with its unit, for people."""
        return in_words(self.value, self.unit)


@dataclass(frozen=True)
class Calculator:
    """One calculation by name. `answers` raises ValueError, with the reason, for inputs that do not fit."""

    name: str
    summary: str
    inputs: Sequence[Input]
    answers: Callable[[Mapping[str, Value]], Sequence[Answer]]
    example: str


def in_words(value: float, unit: Unit) -> str:
    """Returns a value with its unit: `1.5 GiB`, `20 MiB/s`, `12,000`, `12,000/s`, `87.5 %`, `90 s`."""
    match unit:
        case "bytes":
            return sized(value)
        case "bytes/s":
            return f"{sized(value)}/s"
        case "share":
            return f"{plain(100 * value, 3)} %"
        case "1/s":
            return f"{value:,.10g}/s"
        case "s":
            return f"{value:,.4g} s"
        case "count":
            return f"{value:,.10g}"


def number(given: Mapping[str, Value], name: str) -> float:
    """Returns an input that is a number."""
    value = given[name]
    assert not isinstance(value, str)
    return value
