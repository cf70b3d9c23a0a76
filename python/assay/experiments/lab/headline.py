"""The figure that a list shows of results: that of the best treatment, beside its baseline's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.design.study import LoadKind
from assay.results.verdict import Estimate, Results, higher_is_better, leading_measures


@dataclass(frozen=True)
class Headline:
    """A measure of two treatments at one load point: of the first, and of the best of those compared with it.

    With one treatment, `other` is empty. `ratio` is other / baseline, with its interval where blocks give
    one.
    """

    measure: str
    unit: str
    load: float
    load_kind: LoadKind
    baseline: str
    before: float
    other: str = ""
    after: float | None = None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def best(self) -> float:
        """The figure of the best treatment; the only one's where nothing is compared."""
        return self.before if self.after is None else self.after


def headline_of(results: Results) -> Headline | None:
    """Returns the headline of results; None where they have no figure for one."""
    for measure in leading_measures(results):
        values = {(one.treatment, one.load): one for one in results.estimates if one.measure == measure}
        if values:
            return _headline(results, measure, values)
    return None


def _headline(results: Results, measure: str, values: Mapping[tuple[str, float], Estimate]) -> Headline:
    sign = 1 if higher_is_better(measure) else -1
    pairs = [
        (values[baseline, load], values[other, load])
        for baseline, *others in _compared(results)
        for other in others
        for load in results.loads
        if (baseline, load) in values and (other, load) in values
    ]
    if not pairs:
        only = max(values.values(), key=lambda one: sign * one.value)
        return Headline(measure, only.unit, only.load, results.load_kind, only.treatment, only.value)
    before, after = max(pairs, key=lambda pair: sign * pair[1].value)
    ratio, low, high = _ratio(results, before, after)
    return Headline(
        measure, before.unit, before.load, results.load_kind, before.treatment, before.value,
        after.treatment, after.value, ratio, low, high,
    )  # fmt: skip


def _compared(results: Results) -> Iterator[tuple[str, ...]]:
    """Yields the treatments of each kind of load, its baseline first."""
    if results.workloads:
        yield from (tuple(part.names) for part in results.workloads)
    elif results.treatments:
        yield results.treatments


def _ratio(
    results: Results, before: Estimate, after: Estimate
) -> tuple[float | None, float | None, float | None]:
    wanted = (before.treatment, after.treatment, after.load, after.measure)
    for one in results.comparisons:
        if (one.baseline, one.other, one.load, one.measure) == wanted:
            return one.ratio, one.low, one.high
    return (after.value / before.value if before.value > 0 else None), None, None
