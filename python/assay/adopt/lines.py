"""The lines of a file, and the errors about them: file, line, what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.errors import InputError
from assay.folder import PrintedFigure

_LONGEST = 80
Unit = tuple[str, str]  # a figure's name and its unit


@dataclass(frozen=True)
class Line:
    """One line of a file, with its number from 1."""

    file: str
    number: int
    text: str

    def wrong(self, expected: str, hint: str | None = None) -> InputError:
        """Returns the error about this line."""
        found = self.text.strip()
        found = f"{found[:_LONGEST]} …" if len(found) > _LONGEST else found
        return InputError(f"{self.file}:{self.number}: expected {expected}, found {found!r}", hint=hint)

    def figure(self, name: str, unit: str, text: str) -> PrintedFigure:
        """Returns a number of this line as it is printed."""
        return PrintedFigure(
            name=name, unit=unit, value=float(text), text=text, file=self.file, place=f"line {self.number}"
        )


def lines_of(file: str, text: str) -> list[Line]:
    """Returns the lines of a file; a carriage return alone begins a new one, as on a terminal."""
    return [Line(file, number, line) for number, line in enumerate(text.splitlines(), start=1)]


def cut_short(file: str, lines: Sequence[Line], expected: str) -> InputError:
    """Returns the error about a file that ends before what every complete one has."""
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
        """Returns the figures of a line; None for a line of another kind."""
        found = self.pattern.fullmatch(line.text.strip())
        if found is None:
            return None
        return (
            line.figure(name, unit, text)
            for (name, unit), text in zip(self.units, found.groups(), strict=True)
            if text is not None and name
        )
