"""Finds the smallest change that the blocks of a check can show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from assay.design.study import Conditions, GateRule
from assay.results.stats import detectable
from assay.results.verdict.answers import Part
from assay.results.verdict.conditions import first_conditions
from assay.results.verdict.gates.checks import JudgedResults, Reach

SpreadFinder = Callable[[str, Conditions, str], Sequence[float]]
"""Finds the spread of equal copies of a treatment's measure: the treatment, its conditions, the measure."""


class Reaches:
    """The smallest changes that results can show, by the noise of their blocks and by that of equal
    copies.
    """

    def __init__(self, found: JudgedResults, copies: SpreadFinder) -> None:
        self._found, self._copies = found, copies
        self._seen: dict[tuple[str, frozenset[str], float | None], float | None] = {
            (one.measure, frozenset((one.baseline, one.other)), one.load): one.detectable
            for one in found.results.comparisons
        }

    def of(self, rule: GateRule, parts: Sequence[Part]) -> Reach:
        """Returns the reach of the parts of a gate's claim at one load point, that of the noisiest; nothing
        is known of a claim that compares no treatments.
        """
        paired = [part for part in parts if len(part.treatments) == 2 and part.load is not None]
        measures = list(dict.fromkeys(term.measure for term in rule.claim.terms))
        blocks = [
            seen
            for part in paired
            for measure in measures
            if (seen := self._seen.get((measure, frozenset(part.treatments), part.load))) is not None
        ]
        copies = [one for part in paired for measure in measures for one in self._by_copies(part, measure)]
        return Reach(max(blocks, default=None), max(copies, default=None))

    def _by_copies(self, part: Part, measure: str) -> Iterator[float]:
        treatment, load = part.where[0].treatment, part.load
        if load is None or treatment not in self._conditions or part.blocks < 2:
            return
        for log_sd in self._copies(treatment, replace(self._conditions[treatment], load=load), measure):
            least = detectable(log_sd, part.blocks, self._found.results.gate.confidence)
            if least is not None:
                yield least

    @cached_property
    def _conditions(self) -> dict[str, Conditions]:
        return first_conditions(self._found.store)
