"""What was recorded beside a load: logs of the machine, and the options file of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.design.folder import PrintedFigure, PrintedSeries


@dataclass(frozen=True)
class CompanionFile:
    """The content of a file beside the results of a load.

    `of_machine`: it was recorded during one run, and belongs to that alone. `known` are keys of what is
    unknown without it, each with the key that takes its place, or None.
    """

    tool: str
    of_machine: bool
    figures: tuple[PrintedFigure, ...] = ()
    series: tuple[PrintedSeries, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, str | None] = field(default_factory=dict)


def mean_of(
    file: str, name: str, unit: str, values: Sequence[float], *, place: str, of: str
) -> PrintedFigure:
    """Returns the mean of readings as a measure; `of` says what was read."""
    return PrintedFigure(
        name=name,
        unit=unit,
        value=sum(values) / len(values),
        text="",
        file=file,
        place=place,
        how=f"mean of {of} over {len(values)} readings",
    )
