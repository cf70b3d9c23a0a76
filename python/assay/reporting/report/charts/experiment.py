"""Draws the measures of an experiment or a device failure, one small panel each."""

from __future__ import annotations

from dataclasses import dataclass

from assay.design.study import device_failure
from assay.reporting.report.charts.bars import bars, parts_of
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.material import Material


@dataclass(frozen=True)
class Outcome:
    """A measure of one treatment, with its interval over blocks where known."""

    measure: str
    unit: str
    treatment: str
    value: float
    low: float | None
    high: float | None


def draw(material: Material) -> Chart | None:
    """Returns bars by treatment; None for a study of a steady load in which nothing fails."""
    results, study = material.results, material.study
    if study.experiment is None and not study.fails_device:
        return None
    measures = results.headlines if study.experiment is not None else device_failure.HEADLINES
    found = [
        Outcome(e.measure, e.unit, e.treatment, e.value, e.low, e.high)
        for measure in measures
        for e in results.estimates
        if e.measure == measure
    ]
    if not found:
        return None
    words = material.words
    said = caption(words, parts_of(found, results.blocks_complete))
    return Chart("results", "experiment", words("chart.experiment"), said, bars(material, found), found)
