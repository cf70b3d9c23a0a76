"""Records of the whole latency distribution.

Spectra come from histograms merged over blocks (never from averaged percentiles).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.base.tally import Histogram, decode_many, merge
from assay.reporting.report.material import Material
from assay.results.store import WHOLE

# Points per decade of 1/(1-q), and how many operations must lie beyond the last one shown.
POINTS_PER_DECADE, BEYOND = 24, 10


@dataclass(frozen=True)
class SpectrumPoint:
    """One point of a latency spectrum: a share `quantile` of the transactions took at most `ms`.

    `one_in` = 1/(1-quantile): one transaction in so many took longer.
    """

    treatment: str
    load: float
    kind: str  # service in a closed loop, response in an open one
    quantile: float
    one_in: float
    ms: float
    operations: int
    blocks: int
    at_least: bool = False  # operations never ended: the true time may be any above


@dataclass(frozen=True)
class RunQuantile:
    """One point of the latency spectrum of a single run at a load point, as in `SpectrumPoint`.

    `used`: whether the run's figures count there.
    """

    run_id: str
    block: int
    treatment: str
    load: float
    kind: str
    quantile: float
    one_in: float
    ms: float
    operations: int
    used: bool


def chosen_loads(loads: Sequence[float]) -> tuple[float, ...]:
    """Returns the lowest, the middle and the highest rung, which suffice to see the tail grow."""
    ordered = sorted(loads)
    if len(ordered) <= 3:
        return tuple(ordered)
    return (ordered[0], ordered[len(ordered) // 2], ordered[-1])


def spectrum(material: Material, loads: Sequence[float] | None = None) -> list[SpectrumPoint]:
    """Returns the spectra of all treatments at `loads` (default: `chosen_loads`)."""
    kind = _kind(material)
    points = []
    for load in chosen_loads(material.results.loads) if loads is None else loads:
        for treatment in material.results.treatments:
            if found := merged(material, treatment, load, kind):
                histogram, blocks = found
                points += _points(
                    histogram, treatment, load, kind, blocks, at_least=_is_bound(material, treatment, load)
                )
    return points


def merged(
    material: Material, treatment: str, load: float, kind: str, label: str = WHOLE
) -> tuple[Histogram, int] | None:
    """Returns the times (ns) of one treatment at one load point, merged over all blocks that count, and the
    number of blocks.

    `kind` is wait, service or response, `label` the kind of operation. None where nothing was measured.
    """
    rows = material.rows(
        "select h.run_id, h.hdr from histograms h join runs r using (run_id) where h.treatment = ?"
        " and h.load = ? and h.label = ? and h.kind = ? and r.status = 'complete'",
        (treatment, load, label, kind),
    )
    used = [row["hdr"] for row in rows if material.is_used(row["run_id"], load)]
    return (merge(decode_many(used)), len(used)) if used else None


def run_spectra(material: Material, treatment: str, load: float) -> list[RunQuantile]:
    """Returns the spectrum of each run of a treatment at a load point, in the order of blocks."""
    kind = _kind(material)
    rows = material.rows(
        "select h.run_id, r.block, h.hdr from histograms h join runs r using (run_id) where h.treatment = ?"
        " and h.load = ? and h.label = ? and h.kind = ? order by r.block, r.started_ns",
        (treatment, load, WHOLE, kind),
    )
    return [
        RunQuantile(
            row["run_id"], row["block"], treatment, load, kind, *point, histogram.total,
            material.is_used(row["run_id"], load),
        )
        for row, histogram in zip(rows, decode_many([row["hdr"] for row in rows]), strict=True)
        for point in _tail(histogram)
    ]  # fmt: skip


def _kind(material: Material) -> str:
    return "service" if material.closed_loop else "response"


def _points(
    histogram: Histogram, treatment: str, load: float, kind: str, blocks: int, *, at_least: bool
) -> list[SpectrumPoint]:
    return [
        SpectrumPoint(treatment, load, kind, *point, histogram.total, blocks, at_least)
        for point in _tail(histogram)
    ]


def _is_bound(material: Material, treatment: str, load: float) -> bool:
    """Whether operations never ended there, so that the longest times are lower bounds."""
    mean = material.estimate(treatment, load, "mean_ms")
    return mean is not None and mean.at_least


def _tail(histogram: Histogram) -> Iterator[tuple[float, float, float]]:
    """Yields quantile, one in so many, and milliseconds, as far as enough operations lie beyond."""
    # From one in 1.1: the fastest tenth is noise of the first few.
    step, ones_in = 1, []
    while histogram.total / (one_in := 10 ** (step / POINTS_PER_DECADE)) >= BEYOND:
        ones_in.append(one_in)
        step += 1
    quantiles = [1 - 1 / one_in for one_in in ones_in]
    for quantile, one_in, ns in zip(quantiles, ones_in, histogram.percentiles(quantiles), strict=True):
        yield quantile, one_in, float(ns) / 1e6
