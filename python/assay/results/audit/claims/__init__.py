"""Judges claims by printed tables, without intervals: as printed they hold, or do not.

`reader.py` makes claims in the language of studies from a text, which may be in words; `judge.py` gives them
to the engine that judges the claims of studies. A claim that the tables cannot answer is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.results.audit.claims.judge import ComparisonCount, Miss, tried
from assay.results.audit.claims.plain import is_plain, tried_plainly
from assay.results.audit.claims.reader import asked
from assay.results.audit.claims.sentences import is_of_a_change, of_scope, tried_in_words
from assay.results.audit.model import Cell, Levels, Material
from assay.results.audit.selecting import vocabulary


@dataclass(frozen=True)
class PrintedClaim:
    """One claim with the tables' answer. `asked` counts comparisons, `misses` those that fail."""

    file: str
    line: int
    claim: str
    study: str
    text: str
    asked: int
    misses: tuple[Miss, ...]
    least: float | None  # the smallest lead that a comparison of order has

    @property
    def outcome(self) -> str:
        return "does not hold" if self.misses else "holds"

    @property
    def said(self) -> str:
        """The outcome as a phrase: "does not hold in 2 of 7 comparisons, at worst by 1.2 %"."""
        if not self.misses:
            lead = f", by {100 * self.least:.1f} % at least" if self.least is not None else ""
            return f"as printed: holds{lead} ({self.asked} comparisons)"
        worst = max(self.misses, key=lambda miss: miss.by)
        by = f", at worst by {100 * worst.by:.1f} %" if worst.by else ""
        return f"as printed: does not hold in {len(self.misses)} of {self.asked} comparisons{by}"


def printed_claims(material: Material) -> Iterator[PrintedClaim]:
    """Yields every claim of the sheets (columns `claim`, `hypothesis`) that their tables can answer."""
    for sheet in material.with_columns("claim", "hypothesis"):
        for line, row in sheet.rows:
            study, scope = row.get("study", ""), row.get("scope", "")
            known = vocabulary(material, study)
            cells = _wholes(one for one in material.cells if one.study in ("", study))
            found = [tried(one, cells) for one in asked(row["hypothesis"], scope, known)]
            answers = [one for one in found if one.asked]
            if not answers:
                found = [tried_in_words(row["hypothesis"], scope, known, cells)]
                answers = [one for one in found if one.asked]
            if not answers:
                found = [tried_plainly(row["hypothesis"], of_scope(cells, scope))]
                answers = [one for one in found if one.asked]
            if answers:
                yield _summed(sheet.file, line, row["claim"], study, row["hypothesis"], answers)


def _wholes(cells: Iterable[Cell]) -> list[Cell]:
    """Returns the figures without those of one direction where the other has one too: a claim is about
    both.
    """
    some = list(cells)
    ways: dict[tuple[str, str, str, Levels], set[str]] = defaultdict(set)
    for cell in some:
        if cell.value:
            ways[_apart_from_direction(cell)].add(cell.level("direction"))
    return [one for one in some if not {"read", "write"} <= ways[_apart_from_direction(one)]]


def _apart_from_direction(cell: Cell) -> tuple[str, str, str, Levels]:
    levels = tuple(one for one in cell.levels if one[0] != "direction")
    return cell.file, cell.table, cell.metric, levels


def _summed(
    file: str, line: int, claim: str, study: str, text: str, answers: list[ComparisonCount]
) -> PrintedClaim:
    leads = [one.least for one in answers if one.least is not None]
    misses = tuple(miss for one in answers for miss in one.misses)
    asked = sum(one.asked for one in answers)
    return PrintedClaim(file, line, claim, study, text, asked, misses, min(leads, default=None))


__all__ = ["PrintedClaim", "is_of_a_change", "is_plain", "printed_claims"]
