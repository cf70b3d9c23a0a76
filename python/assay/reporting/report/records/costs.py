"""Records of the cost of one query or transaction: CPU, reads, writes, bytes, flushes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reporting.report.material import Material
from assay.results.verdict import MAIN_COSTS, OF_ONE_OPERATION, Reason

CHART_LIMIT = 9


@dataclass(frozen=True)
class Cost:
    """A cost per operation of one treatment at one load, with its 95 % interval over blocks where known."""

    measure: str
    unit: str
    treatment: str
    load: float
    value: float
    low: float | None
    high: float | None

    @property
    def at_least(self) -> bool:
        """A cost is a sum over what ended: never a lower bound."""
        return False


def is_cost(measure: str) -> bool:
    return measure.endswith(OF_ONE_OPERATION)


def costs(material: Material) -> list[Cost]:
    """Returns every cost that has an estimate: all that were measured and are not invalid."""
    found = [
        Cost(e.measure, e.unit, e.treatment, e.load, e.value, e.low, e.high)
        for e in material.results.estimates
        if is_cost(e.measure)
    ]
    order = {measure: index for index, measure in enumerate(MAIN_COSTS)}
    places = {treatment: index for index, treatment in enumerate(material.results.treatments)}
    return sorted(
        (cost for cost in found if cost.treatment in places),
        key=lambda c: (order.get(c.measure, len(order)), c.measure, c.load, places[c.treatment]),
    )


def headline(found: list[Cost], load: float, reasons: Sequence[Reason]) -> list[Cost]:
    """Returns the costs that the chart has room for at `load`: those that differ between treatments, the
    clearest first, then the main ones; all-zero ones are left out.
    """
    here = [cost for cost in found if cost.load == load]
    worth = {cost.measure for cost in here if cost.value}
    repeated = {name for reason in reasons for name in reason.alike}
    wanted = dict.fromkeys(
        [reason.measure for reason in sorted(reasons, key=lambda one: -one.distance)]
        + [measure for measure in MAIN_COSTS if measure not in repeated]
    )
    shown = [measure for measure in wanted if measure in worth][:CHART_LIMIT]
    places = {measure: place for place, measure in enumerate(shown)}
    return sorted((cost for cost in here if cost.measure in places), key=lambda cost: places[cost.measure])
