"""Finds the smallest change that the blocks of a check can show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from assay.base.errors import AssayError
from assay.design.study import GateRule
from assay.experiments.gate.checks import Reach
from assay.experiments.lab import Judged, NoisePlace, noise_around
from assay.measurement.calibration import Noise, host_class_of
from assay.results.stats import detectable
from assay.results.verdict import Part


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
        if load is None or treatment not in self._places or part.blocks < 2:
            return
        try:
            found = self._kept(NoisePlace(treatment, *self._places[treatment], load, measure))
        except AssayError:  # no engine to ask for the size of the data: it is not known which noise fits
            return
        for one in found:
            least = detectable(one.log_sd, part.blocks, self._found.results.gate.confidence)
            if least is not None:
                yield least

    @cached_property
    def _kept(self) -> Callable[[NoisePlace], tuple[Noise, ...]]:
        return noise_around(self._found.study)

    @cached_property
    def _places(self) -> dict[str, tuple[str, str, str]]:
        """By treatment, the flavour, the class of host and the workload of its first run."""
        facts: dict[str, dict[str, str]] = defaultdict(dict)
        store = self._found.store
        for run, key, value in store.execute(
            "SELECT run_id, key, value FROM facts WHERE scope = 'host' AND moment = 'before'"
            " AND key IN ('cpu.logical', 'memory.total_bytes')"
        ).fetchall():
            facts[run][key] = value
        found: dict[str, tuple[str, str, str]] = {}
        for run, treatment, flavour, workload, processor in store.execute(
            "SELECT run_id, treatment, server_flavour, workload, processor FROM runs"
            " WHERE status = 'complete' ORDER BY block"
        ).fetchall():
            known = facts[run]
            host = host_class_of(processor, known.get("cpu.logical"), known.get("memory.total_bytes"))
            found.setdefault(treatment, (flavour or "", host, workload))
        return found
