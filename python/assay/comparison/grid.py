"""Results as a grid: figures on axes, whoever measured them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class GridAxis:
    """What varies, by its short name here: `threads`, `innodb_io_capacity`, or `a=b` of tied settings."""

    name: str
    levels: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """Each setting that the axis stands for."""
        return frozenset(self.name.split("="))


@dataclass(frozen=True)
class GridFigure:
    """One figure: the mean over `blocks`; none where it is printed and nobody knows of what."""

    value: float
    blocks: tuple[float, ...] = ()


@dataclass(frozen=True)
class Grid:
    """Figures of one source. `cells`: (measure, a level for each axis) -> figure.

    `units` are by measure; `headlines` are the measures that a reader wants first; `machine` is what it was
    measured on, in words; `fixed` are levels that all of its figures have, by axis.
    """

    name: str
    axes: tuple[GridAxis, ...]
    cells: Mapping[tuple[str, tuple[str, ...]], GridFigure]
    units: Mapping[str, str]
    headlines: tuple[str, ...]
    machine: str = ""
    fixed: Mapping[str, str] = field(default_factory=dict)
