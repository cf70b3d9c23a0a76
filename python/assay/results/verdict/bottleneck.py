"""Judges what bounds a treatment: how much less it does with less of a resource, or more without a cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.results.stats import ConfidenceInterval, fewest_blocks, mean_interval
from assay.results.verdict.observations import higher_is_better

Blocks = Mapping[int, float]
USUAL_CHANGE = 0.8
"""Share of a resource to which effects are scaled, so that resources changed by other shares compare."""


@dataclass(frozen=True)
class ResourceEffect:
    """What a changed resource does to one treatment.

    `amount` is how much of the resource is left, as a share; None where it is not an amount, as a delay that
    is added. `ratio` is work with the change over work without it, above 1 where more is done. `elasticity`
    is the logarithm of `ratio` over that of `amount`: 1 where work follows the resource, 0 where it has no
    part. Intervals hold for all resources of a study together.
    """

    resource: str
    measure: str
    amount: float | None
    ratio: ConfidenceInterval
    elasticity: ConfidenceInterval | None
    is_judged: bool

    @property
    def distance(self) -> float:
        """How far the interval lies from no effect, as a logarithm, of 20 % less of a resource that is an
        amount; 0 where it includes no effect, or there are too few blocks.
        """
        of = self.ratio if self.elasticity is None else self.elasticity
        low, high = of.low, of.high
        if not self.is_judged or low is None or high is None:
            return 0.0
        if self.elasticity is None:
            low, high = math.log(low), math.log(high)
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        return nearest * (1.0 if self.elasticity is None else -math.log(USUAL_CHANGE))


def judge_resources(
    without: Blocks,
    changed: Mapping[str, Blocks],
    amounts: Mapping[str, float | None],
    measure: str,
    confidence: float,
) -> tuple[ResourceEffect, ...]:
    """Returns the effect of each resource that was changed in some block that has a value without change."""
    common = {name: sorted(without.keys() & of.keys()) for name, of in changed.items()}
    seen = {name: blocks for name, blocks in common.items() if blocks}
    each = 1 - (1 - confidence) / max(len(seen), 1)
    sign = 1.0 if higher_is_better(measure) else -1.0
    found = []
    for name, blocks in seen.items():
        logs = sign * np.log([changed[name][block] / without[block] for block in blocks])
        amount = amounts.get(name)
        found.append(
            ResourceEffect(
                resource=name,
                measure=measure,
                amount=amount,
                ratio=_exponential(mean_interval(logs, each)),
                elasticity=None if amount is None else mean_interval(logs / math.log(amount), each),
                is_judged=len(blocks) >= fewest_blocks(confidence),
            )
        )
    return tuple(found)


def bottleneck(effects: Sequence[ResourceEffect]) -> ResourceEffect | None:
    """Returns the resource whose interval lies farthest from no effect; None where all include it."""
    found = max(effects, key=lambda one: one.distance, default=None)
    return found if found is not None and found.distance > 0 else None


def _exponential(found: ConfidenceInterval) -> ConfidenceInterval:
    low, high = (None if end is None else math.exp(end) for end in (found.low, found.high))
    return ConfidenceInterval(math.exp(found.value), low, high, found.n)
