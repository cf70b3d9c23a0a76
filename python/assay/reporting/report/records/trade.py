"""Records of throughput and tail latency at each load point, which together say what more load costs."""

from __future__ import annotations

from dataclasses import dataclass

from assay.reporting.report.material import Material


@dataclass(frozen=True)
class TradePoint:
    """Throughput and p99 of one treatment at one load, means over blocks."""

    treatment: str
    load: float
    throughput_per_s: float
    p99_ms: float
    p99_at_least: bool = False


def trade(material: Material) -> list[TradePoint]:
    """Returns the points in the order of the load. Empty where there are fewer than three load points."""
    loads = sorted(material.results.loads)
    if len(loads) < 3:
        return []
    found = []
    for treatment in material.results.treatments:
        for load in loads:
            rate = material.estimate(treatment, load, material.throughput)
            tail = material.estimate(treatment, load, "p99_ms")
            if rate is not None and tail is not None and tail.value > 0:
                found.append(TradePoint(treatment, load, rate.value, tail.value, tail.at_least))
    return found
