"""Weighs one kind of doubts against the verdict on one claim: whether another verdict could come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from assay.design.study import Hypothesis
from assay.design.study.claims import CauseClaim
from assay.results.stats import Gate, far_from_others
from assay.results.verdict.answers import HypothesisVerdict, Part
from assay.results.verdict.claims.bounds import is_one_sided, is_within_the_window
from assay.results.verdict.compared import FEW
from assay.results.verdict.consequence.altered import ends_of, moved, without
from assay.results.verdict.consequence.natures import OF_MISSING_BLOCKS, Nature, Sort, sort_of
from assay.results.verdict.consequence.reach import Reach, is_about
from assay.results.verdict.observations import Cell, Observations
from assay.results.verdict.ratio_course import DRIFTS, OUTLYING, TWO_MODES
from assay.results.verdict.results import ConsequenceWord, DoubtNote, Severity, Why
from assay.results.verdict.stored_values import NOT_REACHED, OF_STALLS

LEAST_LEFT = 3
"""Blocks that must be without a doubt, before what they say alone counts."""

_OF_BOUNDS = ("abandoned", "dropped", *OF_STALLS)
"""Kinds for which times count as lower bounds."""
_STEPS = (0.25, 0.5, 0.75)
"""Places between the ends, for claims whose outcome may change and change back between them."""

JudgeAgain = Callable[[Hypothesis, Observations, Gate], HypothesisVerdict]
Weighed = tuple[ConsequenceWord, Why]


@dataclass(frozen=True)
class Doubted:
    """One kind of doubts: what they can do, what they are about, and their gravest severity."""

    kind: str
    nature: Nature
    reach: Reach
    severity: Severity
    notes: tuple[DoubtNote, ...]


@dataclass(frozen=True)
class Weighing:
    """The verdict on one claim, and what is needed to reach it again from other observations."""

    hypothesis: Hypothesis
    verdict: HypothesisVerdict
    seen: Observations
    gate: Gate
    judge: JudgeAgain

    def weigh(self, doubted: Doubted) -> Weighed:
        """Returns what the doubts can do to the verdict, and why."""
        kind, nature = doubted.kind, doubted.nature
        parts = [part for part in self.verdict.parts if is_about(part, kind, nature, doubted.reach)]
        if not parts or not nature.reaches & self._sorts:
            return "cannot-turn", "elsewhere"
        is_open = self.verdict.outcome == "undecided"
        if is_open and self._is_cause(doubted, parts):
            return "has-turned", "lifted"
        if doubted.severity == "invalid" or kind in OF_MISSING_BLOCKS:
            return "cannot-turn", "open" if is_open else "counted"
        return self._of_open(doubted, parts) if is_open else self._of_decided(doubted, parts)

    def _of_open(self, doubted: Doubted, parts: list[Part]) -> Weighed:
        """Returns whether an undecided claim would be decided without the doubts."""
        if all(self._blocks(part) < self.gate.fewest for part in parts):
            return "cannot-turn", "open"
        left, again = self._rest(doubted, parts)
        if again is None or left < LEAST_LEFT:
            return self._by_size(doubted, "open")
        if again.outcome == "undecided":
            return "cannot-turn", "open"
        return "has-turned" if left >= self.gate.fewest else "could-turn", "rest-differs"

    def _blocks(self, part: Part) -> int:
        """Returns how many blocks the places of a part have, whatever its intervals rest on."""
        return max(
            (
                len(blocks)
                for key, blocks in self.seen.values.items()
                if any(key[1] == place.treatment and place.load in (None, key[2]) for place in part.where)
            ),
            default=0,
        )

    def _of_decided(self, doubted: Doubted, parts: list[Part]) -> Weighed:
        """Returns whether a verdict stays without the doubted blocks or, where too few are left, with the
        doubts' size on the losing side.
        """
        if doubted.kind in (DRIFTS, OUTLYING, TWO_MODES):
            stays = all(self._stays_without(blocks) for blocks in self._halves(doubted.kind, parts))
            return ("cannot-turn", "rest-agrees") if stays else ("could-turn", "rest-differs")
        left, again = self._rest(doubted, parts)
        if again is not None and left >= LEAST_LEFT:
            if again.outcome == self.verdict.outcome:
                return "cannot-turn", "rest-agrees"
            if left >= self.gate.fewest:
                return "could-turn", "rest-differs"
        return self._by_size(doubted, "too-small")

    def _rest(self, doubted: Doubted, parts: list[Part]) -> tuple[float, HypothesisVerdict | None]:
        """Returns the fewest blocks that a doubted part has without the doubts, and the verdict on what is
        left; no verdict where nothing is.
        """
        places = {part.where for part in parts}
        cells = {cell: doubted.reach.blocks[cell] for one in places for cell in doubted.reach.at(one)}
        if not cells:
            return 0, None
        there: dict[Cell, set[int]] = {cell: set() for cell in cells}
        for key, blocks in self.seen.values.items():
            if key[1:] in there:
                there[key[1:]] |= blocks.keys()
        if any(len(there[cell] - cells[cell]) < LEAST_LEFT for cell in cells):
            return 0, None
        again = self.judge(self.hypothesis, without(self.seen, cells), self._least)
        blocks_left = [part.blocks for part in again.parts if part.where in places]
        return min(blocks_left, default=0), again

    @property
    def _least(self) -> Gate:
        """The gate of what blocks without a doubt say alone."""
        return replace(self.gate, fewest=min(self.gate.fewest, LEAST_LEFT))

    def _by_size(self, doubted: Doubted, otherwise: Why) -> Weighed:
        """Returns whether another verdict comes out with the figures moved by the size of the doubts."""
        biases = doubted.nature.biases
        unmoved = {sort for sort in self._sorts & doubted.nature.reaches if sort not in biases}
        claims = self.hypothesis.claims
        if not biases or unmoved or any(is_within_the_window(claim) for claim in claims):
            return "could-turn", "unknown"
        ends = ends_of(self.seen, doubted.kind, biases, doubted.reach)
        if ends is None:
            return "could-turn", "unknown"
        cells = {key[1:] for key in ends}
        for up in self._scenarios(cells):
            again = self.judge(self.hypothesis, moved(self.seen, ends, up), self.gate)
            if again.outcome != self.verdict.outcome:
                return "could-turn", "large-enough"
        return "cannot-turn", otherwise

    def _scenarios(self, cells: set[Cell]) -> Iterator[Mapping[Cell, float]]:
        """Yields places of the true values between their ends, by cell: all that the left sides of parts can
        lose against the right sides, and win; where a cell stands on both sides, each against the others.
        """
        if not cells:
            return
        left = {cell for part in self.verdict.parts for cell in self._at(cells, part, first=True)}
        right = {cell for part in self.verdict.parts for cell in self._at(cells, part, first=False)}
        both = dict.fromkeys(cells, 0.0), dict.fromkeys(cells, 1.0)
        if not right:
            ends = [*both]
        else:
            groups = [{cell} for cell in sorted(cells)] if left & right else [left]
            ends = [
                {cell: end if cell in group else 1.0 - end for cell in cells}
                for group in groups
                for end in (0.0, 1.0)
            ]
            ends += both if left & right else ()
        distinct = [one for number, one in enumerate(ends) if one not in ends[:number]]
        yield from distinct
        if not all(is_one_sided(claim) for claim in self.hypothesis.claims):
            for one, other in pairwise(distinct):
                for step in _STEPS:
                    yield {cell: one[cell] + step * (other[cell] - one[cell]) for cell in cells}

    @staticmethod
    def _at(cells: set[Cell], part: Part, *, first: bool) -> Iterator[Cell]:
        for place in part.where[:1] if first else part.where[1:]:
            yield from (c for c in cells if c[0] == place.treatment and place.load in (None, c[1]))

    @property
    def _sorts(self) -> frozenset[Sort]:
        if any(isinstance(part, CauseClaim) for claim in self.hypothesis.claims for part in claim.parts):
            return frozenset({"rate", "cost", "other"})
        return frozenset(sort_of(term.measure) for term in self.hypothesis.terms)

    def _is_cause(self, doubted: Doubted, parts: list[Part]) -> bool:
        """Returns whether the rule of a doubt leaves the claim undecided: it would be decided if nobody had
        raised the doubt.
        """
        kind, seen, gate = doubted.kind, self.seen, self.gate
        if kind in seen.barred:
            lifted = replace(seen, barred=tuple(one for one in seen.barred if one != kind))
        elif kind in NOT_REACHED:
            lifted = replace(seen, approaching=_less(seen.approaching, kind))
        elif kind == FEW:
            lifted = replace(seen, few={})
        elif kind in _OF_BOUNDS:
            lifted = replace(seen, at_least={}, stalled=frozenset())
        elif kind in (DRIFTS, OUTLYING, TWO_MODES) and gate.sequential:
            lifted, gate = seen, replace(gate, sequential=False)
        else:
            return any(self._lacks(part, self._missing(doubted, part)) for part in parts)
        return self.judge(self.hypothesis, lifted, gate).outcome != "undecided"

    def _missing(self, doubted: Doubted, part: Part) -> int:
        """Returns how many blocks a part lacks for the doubts."""
        if doubted.kind == "few-blocks":
            return max(self.gate.fewest - part.blocks, 0)
        if doubted.kind == "missing-blocks":
            facts = doubted.notes[0].facts
            return int(facts.get("planned", 0)) - int(facts.get("complete", 0))
        if doubted.kind == "failed-run":
            at = doubted.reach.at(part.where)
            gone = {block for cell in at for block in doubted.reach.cells[cell]}
            there = {key[1:]: blocks for key, blocks in self.seen.values.items() if key[1:] in at}
            return sum(any(block not in there.get(cell, ()) for cell in at) for block in gone)
        lost: set[int] = set()
        for cell in doubted.reach.at(part.where):
            kinds = self.seen.left_out.get(cell, {})
            lost |= {block for block, of in kinds.items() if doubted.kind in of}
        return len(lost)

    def _lacks(self, part: Part, missing: int) -> bool:
        """Returns whether so many more blocks would decide an undecided part, or allow it a word."""
        if part.outcome != "undecided" or missing <= 0:
            return False
        if part.blocks < self.gate.fewest:
            return part.blocks + missing >= self.gate.fewest
        return part.more_blocks is not None and part.more_blocks <= missing

    def _halves(self, kind: str, parts: list[Part]) -> Iterator[dict[Cell, frozenset[int]]]:
        """Yields what is left out in turn where blocks do not stand for each other: each half of their order,
        each group of starts, or the outlying start.
        """
        for part in parts:
            ratios = self._ratios(part)
            blocks = sorted(ratios)
            if len(blocks) < LEAST_LEFT:
                yield {}
                continue
            if kind == DRIFTS:
                middle = len(blocks) // 2
                groups = [blocks[:middle], blocks[middle:]]
            else:
                ordered = sorted(blocks, key=lambda block: ratios[block])
                if kind == TWO_MODES:
                    cut = int(np.argmax([ratios[b] - ratios[a] for a, b in pairwise(ordered)])) + 1
                    groups = [ordered[:cut], ordered[cut:]]
                else:
                    places = far_from_others([ratios[block] for block in blocks])
                    groups = [[blocks[place] for place in places]]
            for group in groups:
                is_enough = len(blocks) - len(group) >= LEAST_LEFT
                yield {
                    (place.treatment, place.load): frozenset(group)
                    for place in part.where
                    if place.load is not None and is_enough
                }

    def _stays_without(self, blocks: Mapping[Cell, frozenset[int]]) -> bool:
        """Returns whether the verdict is the same without these blocks, where any are left."""
        if not blocks:
            return False
        again = self.judge(self.hypothesis, without(self.seen, blocks), self._least)
        return again.outcome == self.verdict.outcome

    def _ratios(self, part: Part) -> dict[int, float]:
        """Returns the logarithm of left / right of a part by block; empty where a claim holds more than two
        places against each other.
        """
        terms = self.hypothesis.terms
        if len(part.where) != 2 or not terms:
            return {}
        measures = terms[0].measure, terms[-1].measure
        first, second = (
            self.seen.blocks(measure, place) for measure, place in zip(measures, part.where, strict=True)
        )
        return {
            block: float(np.log(first[block] / second[block]))
            for block in first.keys() & second.keys()
            if first[block] > 0 and second[block] > 0
        }


def _less(
    of: Mapping[Cell, Mapping[int, tuple[str, ...]]], kind: str
) -> dict[Cell, dict[int, tuple[str, ...]]]:
    """Returns kinds by cell and block without one kind."""
    found: dict[Cell, dict[int, tuple[str, ...]]] = {}
    for cell, blocks in of.items():
        rest = {block: tuple(one for one in kinds if one != kind) for block, kinds in blocks.items()}
        if kept := {block: kinds for block, kinds in rest.items() if kinds}:
            found[cell] = kept
    return found
