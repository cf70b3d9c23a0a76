"""Records of the answer picture: what every treatment reaches at each load, and its ratio to the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.reporting.report.headline import answer_measure
from assay.reporting.report.labels import labels
from assay.reporting.report.material import Material
from assay.reporting.report.records.screening import effect_bars

if TYPE_CHECKING:
    from assay.results.verdict import Comparison, Estimate


@dataclass(frozen=True)
class AnswerPoint:
    """One treatment at one load, in one row of the picture. `ratio` is to `baseline`; None where it is the
    baseline, or was not compared. The values of a kind of load, and of a factor of a screen, are None.
    """

    label: str  # of the treatment, of the kind of load, or of the factor
    treatment: str
    load: float
    measure: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    baseline: str
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    word: str = ""
    at_least: bool = False  # operations never ended: the true value may be any above

    @property
    def has_interval(self) -> bool:
        return self.low is not None or self.ratio_low is not None


def answer_points(material: Material) -> list[AnswerPoint]:
    """Returns the points of the answer picture: treatments by load; of several kinds of load, and of a
    screen, ratios.
    """
    if material.results.screening is not None:
        return _of_screen(material)
    if material.results.workloads:
        return _of_kinds(material)
    return _of_treatments(material)


def _of_treatments(material: Material) -> list[AnswerPoint]:
    measure, results, names = answer_measure(material), material.results, labels(material)
    if measure is None:
        return []
    baseline = results.treatments[0]
    found = []
    for treatment in results.treatments:
        for load in results.loads:
            one = material.estimate(treatment, load, measure)
            if one is not None:
                to = None if treatment == baseline else material.comparison(treatment, load, measure)
                # A single treatment is not named; its rows are those of the load points.
                name = names[treatment] if len(results.treatments) > 1 else material.load_words(load)
                found.append(_point(name, one, names[baseline], to))
    return found


def _point(label: str, one: Estimate, baseline: str, to: Comparison | None) -> AnswerPoint:
    return AnswerPoint(
        label=label,
        treatment=one.treatment,
        load=one.load,
        measure=one.measure,
        unit=one.unit,
        value=one.value,
        low=one.low,
        high=one.high,
        baseline=baseline,
        ratio=None if to is None else to.ratio,
        ratio_low=None if to is None else to.low,
        ratio_high=None if to is None else to.high,
        word="" if to is None else to.word,
        at_least=one.at_least,
    )


def _of_kinds(material: Material) -> list[AnswerPoint]:
    """Returns the ratios of each kind of load at the highest load; of kinds with one treatment their
    values.
    """
    measure, load = answer_measure(material), max(material.results.loads)
    if measure is None:
        return []
    found = []
    for part in material.parts():
        kind = part.workload or ""
        baseline, *others = part.results.treatments
        names = labels(part)
        for treatment in others or [baseline]:
            one = part.estimate(treatment, load, measure)
            to = part.comparison(treatment, load, measure) if others else None
            if one is not None and (to is not None or not others):
                label = kind if len(others) < 2 else material.words.listed((kind, names[treatment]))
                found.append(_point(label, one, names[baseline], to))
    return found


def _of_screen(material: Material) -> list[AnswerPoint]:
    bars = effect_bars(material.results)
    return [
        AnswerPoint(
            label=f"{bar.factor}: {bar.first} → {bar.level}",
            treatment=f"{bar.factor}={bar.level}",
            load=bar.load,
            measure=bar.measure,
            unit="",
            value=None,
            low=None,
            high=None,
            baseline=bar.first,
            ratio=bar.ratio,
            ratio_low=bar.low,
            ratio_high=bar.high,
            word=bar.word,
        )
        for bar in bars
        if (bar.measure, bar.load) == (bars[0].measure, bars[0].load)
    ]
