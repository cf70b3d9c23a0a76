"""The grid, a common form of results from any source: figures on axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.design.study import Conditions, Work
from assay.results.verdict import DoubtNote, Severity


@dataclass(frozen=True)
class GridAxis:
    """An axis of a grid, by its short name in studies: `threads`, `innodb_io_capacity`, or `a=b` for tied
    settings.
    """

    name: str
    levels: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """The settings that the axis stands for."""
        return frozenset(self.name.split("="))


@dataclass(frozen=True)
class GridFigure:
    """One figure: the mean over `blocks`, which are empty for a printed figure of unknown origin.

    `doubts` has the kinds of the warnings about it.
    """

    value: float
    blocks: tuple[float, ...] = ()
    doubts: Mapping[str, Severity] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Grid:
    """The figures of one source. `cells`: figures by measure and a level for each axis.

    `units` are by measure; `headlines` are the measures that a reader wants first; `machine` describes where
    it was measured; `fixed` are levels that all of its figures share, by axis. `conditions` and `doubts` are
    those of measured results; a printed table has none. `fewest`: the blocks that a verdict needs.
    """

    name: str
    work: Work
    axes: tuple[GridAxis, ...]
    cells: Mapping[tuple[str, tuple[str, ...]], GridFigure]
    units: Mapping[str, str]
    headlines: tuple[str, ...]
    machine: str = ""
    fixed: Mapping[str, str] = field(default_factory=dict)
    conditions: Conditions | None = None
    doubts: tuple[DoubtNote, ...] = ()
    fewest: int = 0
    confidence: float = 0.95
