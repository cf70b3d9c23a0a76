"""Estimates each treatment's measures at each load, with an interval over blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.results.stats import FEWEST_LOADS, ConfidenceInterval, geometric_interval, mean_interval
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Blocks, Observations
from assay.results.verdict.results import Estimate
from assay.results.verdict.treatments import Treatment


def estimates(
    seen: Observations, treatments: Sequence[Treatment], loads: Sequence[float], confidence: float
) -> Iterator[Estimate]:
    """Yields an estimate for each measure, treatment and load that was measured."""
    for measure, unit in seen.units.items():
        for treatment in treatments:
            for load in loads:
                place = Place(treatment.name, load)
                if blocks := seen.blocks(measure, place):
                    by_load = seen.over_loads((treatment.name,)).blocks(measure, place)
                    found = over_blocks(by_load if len(by_load) >= FEWEST_LOADS else blocks, confidence)
                    yield Estimate(
                        treatment=treatment.name,
                        load=load,
                        measure=measure,
                        unit=unit,
                        value=found.value,
                        low=found.low,
                        high=found.high,
                        blocks=tuple(sorted(blocks.items())),
                        doubts=seen.about(measure, place),
                        at_least=bool(seen.bounds(measure, place)),
                    )


def over_blocks(blocks: Blocks, confidence: float) -> ConfidenceInterval:
    """Returns the geometric mean, so that ratios of estimates agree with paired ratios; the arithmetic mean
    if a value is zero.

    Equal values are returned unchanged: 64 workers are not exp(log 64).
    """
    values = list(blocks.values())
    if len(set(values)) > 1 and all(value > 0 for value in values):
        return geometric_interval(values, confidence)
    return mean_interval(values, confidence)
