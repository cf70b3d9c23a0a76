"""Records of a measure against the load, with its interval, and of the single blocks."""

from __future__ import annotations

from dataclasses import dataclass

from assay.reporting.report.material import Material


@dataclass(frozen=True)
class CurvePoint:
    """One estimate. `low`, `high`: 95 % interval over blocks, None below two blocks. `at_least`: the true
    value may be any above, as operations never ended.
    """

    measure: str
    unit: str
    treatment: str
    load: float
    value: float
    low: float | None
    high: float | None
    blocks: int
    at_least: bool = False


@dataclass(frozen=True)
class BlockPoint:
    """One block's value: one server start on fresh data."""

    measure: str
    unit: str
    treatment: str
    load: float
    block: int
    value: float


def curve(material: Material, measure: str) -> list[CurvePoint]:
    """Returns the estimates of `measure` in the study's order of treatments and loads."""
    points = []
    for treatment in material.results.treatments:
        for load in material.results.loads:
            estimate = material.estimate(treatment, load, measure)
            if estimate is not None:
                points.append(
                    CurvePoint(
                        measure=measure,
                        unit=estimate.unit,
                        treatment=treatment,
                        load=load,
                        value=estimate.value,
                        low=estimate.low,
                        high=estimate.high,
                        blocks=len(estimate.blocks),
                        at_least=estimate.at_least,
                    )
                )
    return points


def blocks(material: Material, measure: str) -> list[BlockPoint]:
    """Returns the values of `measure` in every block."""
    return [
        BlockPoint(measure, e.unit, e.treatment, e.load, block, value)
        for e in material.results.estimates
        if e.measure == measure
        for block, value in e.blocks
    ]
