"""The lines of a file, which of them a reader took, and the errors about them: file, line, what was expected.

A reader takes the lines that it understands. What no reader took is left over, and the caller is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from assay.base.decoding import reading
from assay.base.errors import InputError
from assay.design.folder import PrintedFigure

_LONGEST = 80
_MOST_NAMED = 3
_EMPTY = re.compile(r"[\W_]*")
Unit = tuple[str, str]  # a figure's name and its unit
Result = TypeVar("Result")


@dataclass(frozen=True)
class Line:
    """One line of a file, with its number from 1. `taken` has the numbers of all lines that were taken."""

    file: str
    number: int
    text: str
    taken: set[int] = field(default_factory=set, repr=False, compare=False)

    def take(self) -> None:
        """Notes that the reader understands this line, with or without a figure in it."""
        self.taken.add(self.number)

    @property
    def is_left_over(self) -> bool:
        """Whether the line says something that nobody took; rules and empty lines say nothing."""
        return self.number not in self.taken and _EMPTY.fullmatch(self.text) is None

    @property
    def short(self) -> str:
        """The text without blanks around it, and without what is too long for a message."""
        text = self.text.strip()
        return f"{text[:_LONGEST]} …" if len(text) > _LONGEST else text

    def wrong(self, expected: str, hint: str | None = None) -> InputError:
        """Returns the error about this line."""
        return InputError(f"{self.file}:{self.number}: expected {expected}, found {self.short!r}", hint=hint)

    def figure(self, name: str, unit: str, text: str) -> PrintedFigure:
        """Takes the line; returns a number of it as it is printed. Raises InputError for what is no finite
        number.
        """
        if not math.isfinite(float(text)):
            raise self.wrong(f"a number for {name}")
        self.take()
        return PrintedFigure(
            name=name, unit=unit, value=float(text), text=text, file=self.file, place=f"line {self.number}"
        )


@dataclass(frozen=True)
class LeftRun:
    """A result that begins in a file but cannot be used: its lines, and the reason."""

    first: int
    last: int
    why: str


class Text:
    """The text of a file by lines. It knows which lines and runs are left over."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.whole = text
        self.left_runs: list[LeftRun] = []

    @cached_property
    def lines(self) -> list[Line]:
        """The lines; a carriage return alone begins a new one, as on a terminal."""
        taken: set[int] = set()
        return [
            Line(self.file, number, line, taken) for number, line in enumerate(self.whole.splitlines(), 1)
        ]

    def left_over(self) -> list[Line]:
        """Returns the lines that say something and that no reader took."""
        return [line for line in self.lines if line.is_left_over]

    def each_run(
        self, runs: Sequence[Sequence[Line]], read: Callable[[Sequence[Line]], Result]
    ) -> list[Result]:
        """Returns what `read` makes of each run of the file. A run that it refuses is left over with the
        reason; where it refuses all, the first reason is raised.
        """
        found: list[Result] = []
        refused: list[InputError] = []
        for lines in runs:
            try:
                with reading(f"{self.file}:{lines[0].number}"):
                    found.append(read(lines))
            except InputError as error:
                refused.append(error)
                lines[0].taken.difference_update(line.number for line in lines)
                self.left_runs.append(LeftRun(lines[0].number, lines[-1].number, error.message))
        if refused and not found:
            raise refused[0]
        return found


def cut_short(file: str, lines: Sequence[Line], expected: str) -> InputError:
    """Returns the error about a result without what every complete one has: its end is missing, or a line of
    it is in a form that nobody knows.
    """
    if unknown := [line for line in lines if line.is_left_over]:
        named = "; ".join(f"line {line.number} {line.short!r}" for line in unknown[:_MOST_NAMED])
        more = len(unknown) - _MOST_NAMED
        return InputError(
            f"{file}: expected {expected}; these lines have an unknown form: {named}"
            f"{f' and {more} more' if more > 0 else ''}",
            hint="give the whole output of a run that ended by itself, as the tool printed it",
        )
    last = lines[-1].number if lines else 0
    return InputError(
        f"{file}: ends after line {last}, before {expected}: it was cut short, or the tool was stopped",
        hint="give the whole output of a run that ended by itself",
    )


@dataclass(frozen=True)
class Row:
    """A kind of line: its pattern, and name and unit of the number in each group of it."""

    pattern: re.Pattern[str]
    units: tuple[Unit, ...]
    expected: str = field(default="")

    def read(self, line: Line) -> Iterator[PrintedFigure] | None:
        """Takes the line and returns its figures; None for a line of another kind."""
        found = self.pattern.fullmatch(line.text.strip())
        if found is None:
            return None
        line.take()
        return (
            line.figure(name, unit, text)
            for (name, unit), text in zip(self.units, found.groups(), strict=True)
            if text is not None and name
        )
