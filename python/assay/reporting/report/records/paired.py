"""Records of the single blocks of all treatments: whether pairs agree where means overlap."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import BlockPoint, blocks
from assay.reporting.report.records.distribution import chosen_loads


def paired(material: Material) -> list[BlockPoint]:
    """Returns the throughput of the blocks that measured at least two treatments, at `chosen_loads`.

    Empty where fewer than two blocks did.
    """
    places = {treatment: at for at, treatment in enumerate(material.results.treatments)}
    loads = chosen_loads(material.results.loads)
    found = [
        point
        for point in blocks(material, material.throughput)
        if point.load in loads and point.treatment in places and point.value > 0
    ]
    several = {
        (point.load, point.block)
        for point in found
        if sum((one.load, one.block) == (point.load, point.block) for one in found) > 1
    }
    if len({block for _, block in several}) < 2:
        return []
    kept = [point for point in found if (point.load, point.block) in several]
    return sorted(kept, key=lambda point: (point.load, point.block, places[point.treatment]))


def pairs(
    points: Sequence[BlockPoint], baseline: str, other: str, load: float
) -> list[tuple[int, float, float]]:
    """Returns block, baseline's value and other's value of each block that has both."""
    first, second = (
        {one.block: one.value for one in points if (one.treatment, one.load) == (treatment, load)}
        for treatment in (baseline, other)
    )
    return [(block, value, second[block]) for block, value in first.items() if block in second]
