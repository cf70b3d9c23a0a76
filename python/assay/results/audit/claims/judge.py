"""Judges claims by printed figures, with the engine that judges claims of studies: how many comparisons there
are, which fail, and by how much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from assay.design.study import Claim
from assay.results.audit.claims.measures import in_its_unit
from assay.results.audit.claims.printed_claim import PrintedClaim
from assay.results.audit.model import Cell, Levels
from assay.results.verdict import PrintedAnswer, Treatment, as_printed

_NO_RUNG = 0.0
"""The load of figures of a table without load points."""


@dataclass(frozen=True)
class Miss:
    """One comparison that fails: its place, the printed figures, and the share by which it fails; 0 where a
    claim asks for a place, which has no share.
    """

    cell: Cell
    said: str
    by: float
    sign: str = ""  # what else of the tables says so


@dataclass
class ComparisonCount:
    """The comparisons made for one claim."""

    asked: int = 0
    misses: list[Miss] = field(default_factory=list)
    least: float | None = None  # the smallest lead of a comparison that has one


def tried(asked: PrintedClaim, cells: Iterable[Cell]) -> ComparisonCount:
    """Compares the claim with every table that has figures of all its measures."""
    result = ComparisonCount()
    for table in _tables(asked, cells):
        for answer in as_printed(asked.claim, table.figures, table.treatments, table.loads, asked.margin):
            result.asked += 1
            if not answer.holds:
                result.misses.append(table.miss(answer, asked.claim))
            elif asked.lead and answer.short is not None:
                lead = -answer.short
                result.least = lead if result.least is None else min(lead, result.least)
    return result


@dataclass(frozen=True)
class _Table:
    """The figures of one table that stand for the measures of a claim, by measure, row and load point."""

    cells: Mapping[tuple[str, str, float], Cell]
    rows: Mapping[str, Levels]

    @property
    def figures(self) -> dict[tuple[str, str, float], float]:
        return {key: in_its_unit(cell) for key, cell in self.cells.items()}

    @property
    def treatments(self) -> list[Treatment]:
        return [Treatment(name, dict(levels)) for name, levels in self.rows.items()]

    @property
    def loads(self) -> list[float]:
        return sorted({load for _, _, load in self.cells})

    def miss(self, answer: PrintedAnswer, claim: Claim) -> Miss:
        """Returns the miss with the printed figures that were compared."""
        found = [
            cell for place in answer.where for cell in self._at(place.treatment, place.load, answer.name)
        ]
        figures = " against ".join(cell.figure.text for cell in found[: len(answer.where)])
        said = f"{found[0].metric} {answer.name or figures} ({claim})"
        sign = f"it falls from {' or '.join(answer.answers)}" if answer.answers else ""
        return Miss(found[0], said, answer.short or 0.0, sign)

    def _at(self, row: str, load: float | None, name: str) -> Iterator[Cell]:
        """Yields the figures at a place; for a whole ladder, first those at the point that begins `name`."""
        for (_, of, at), cell in self.cells.items():
            if of == row and (at == load or (load is None and name.startswith(f"{at:g} "))):
                yield cell
        if load is None:
            yield from (cell for (_, of, _), cell in self.cells.items() if of == row)


def _tables(asked: PrintedClaim, cells: Iterable[Cell]) -> Iterator[_Table]:
    """Yields every table for each choice of its metrics that stand for the measures of the claim."""
    measures = tuple(dict.fromkeys(term.measure for term in asked.claim.terms))
    by_table: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        if cell.value > 0 and asked.about(cell):
            by_table[cell.file, cell.table].append(cell)
    for some in by_table.values():
        metrics = [
            tuple(dict.fromkeys(cell.metric for cell in some if asked.stands_for(cell, measure)))
            for measure in measures
        ]
        for chosen in product(*metrics):
            yield _table(some, dict(zip(measures, chosen, strict=True)))


def _table(cells: Sequence[Cell], metrics: Mapping[str, str]) -> _Table:
    found: dict[tuple[str, str, float], Cell] = {}
    rows: dict[str, Levels] = {}
    for cell in cells:
        name = ", ".join(f"{factor}={level}" for factor, level in cell.levels)
        for measure in (one for one, metric in metrics.items() if metric == cell.metric):
            found.setdefault((measure, name, _NO_RUNG if cell.rung is None else cell.rung), cell)
            rows.setdefault(name, cell.levels)
    return _Table(found, rows)
