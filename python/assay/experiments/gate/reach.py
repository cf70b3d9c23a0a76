"""Finds the smallest change that the blocks of a check can show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from assay.base.errors import AssayError
from assay.design.study import Conditions, GateRule
from assay.experiments.gate.checks import Reach
from assay.experiments.lab import Judged, NoiseFinder, noise_around
from assay.results.stats import detectable
from assay.results.verdict import Part, first_conditions


class Reaches:
    """The smallest changes that results can show, by the noise of their blocks and by that of equal
    copies.
    """

    def __init__(self, found: Judged) -> None:
        self._found = found
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
        try:
            found = self._kept(treatment, replace(self._conditions[treatment], load=load), measure)
        except AssayError:  # no engine to ask for the size of the data: it is not known which noise fits
            return
        for one in found:
            least = detectable(one.log_sd, part.blocks, self._found.results.gate.confidence)
            if least is not None:
                yield least

    @cached_property
    def _kept(self) -> NoiseFinder:
        return noise_around(self._found.study)

    @cached_property
    def _conditions(self) -> dict[str, Conditions]:
        return first_conditions(self._found.store)
