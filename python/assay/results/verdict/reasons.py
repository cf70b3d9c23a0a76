"""Finds what else differs where treatments differ: the costs and counters of one operation, by evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.design.study import Study
from assay.results.stats import beyond_p, family_wise, mean_interval
from assay.results.verdict.compared import Differing, Place, Reason
from assay.results.verdict.observations import Floats, Observations
from assay.results.verdict.treatments import Treatment, by_workload

OF_ONE_OPERATION = ("_per_query", "_per_transaction", "_per_io")
"""Endings of measures that are costs or counters of one operation."""

MAIN_COSTS = (
    "cpu_us_per_io",
    "server_cpu_us_per_query",
    "generator_cpu_us_per_query",
    "context_switches_per_query",
    "Innodb_buffer_pool_read_requests_per_query",
    "Innodb_data_reads_per_query",
    "Innodb_buffer_pool_reads_per_query",
    "Innodb_data_writes_per_query",
    "disk_write_bytes_per_query",
    "disk_read_bytes_per_query",
    "Innodb_os_log_written_per_query",
    "Innodb_data_written_per_query",
    "Innodb_data_fsyncs_per_query",
)
"""What an operation can cost. They are a family of their own: among hundreds of counters a tenth more
processor time would need more blocks to be seen.
"""

_FEWEST_BLOCKS = 3
_PROPORTIONAL = 0.005
"""Share up to which two measures in constant proportion say the same: they count one thing twice."""


@dataclass(frozen=True)
class _Pair:
    """Two treatments whose values are looked at, at these load points."""

    seen: Observations
    baseline: str
    other: str
    loads: Sequence[float]
    margin: float
    confidence: float


@dataclass(frozen=True, eq=False)
class _Compared:
    reason: Reason
    p_value: float
    values: Floats  # of both treatments, in every block at every load point


def differing(
    study: Study,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    confidence: float,
) -> tuple[Differing, ...]:
    """Returns what differs between each treatment and the first of its workload.

    Where nothing differs between two treatments, not one measure is named in as many studies as the
    confidence says: Holm's correction over the main costs, and over all other counters, each at half of the
    error. Nothing is compared where windows or data forbid any verdict. Between treatments with data of their
    own a value is that of a load of the data.
    """
    parts = by_workload(study, treatments)
    groups = [[one for one in treatments if one.name in part.names] for part in parts] or [list(treatments)]
    measures = sorted({key[0] for key in seen.values if key[0].endswith(OF_ONE_OPERATION)})
    pairs = [(group[0].name, other.name) for group in groups for other in group[1:]]
    margin = study.verdict.known_margin
    return tuple(
        _differing(
            _Pair(seen.over_loads(names), *names, loads, margin, confidence), () if seen.barred else measures
        )
        for names in pairs
    )


def _differing(pair: _Pair, measures: Sequence[str]) -> Differing:
    compared = [one for measure in measures if (one := _compare(pair, measure)) is not None]
    families = [
        [one for one in compared if (one.reason.measure in MAIN_COSTS) is main] for main in (True, False)
    ]
    error = (1 - pair.confidence) / len(families)
    clear = [one for family in families for one in _clear(family, error)]
    names = tuple(one.reason.measure for one in compared)
    return Differing(pair.baseline, pair.other, names, tuple(_without_repetitions(clear)))


def _clear(family: Sequence[_Compared], error: float) -> Iterator[_Compared]:
    """Yields those of a family that differ, with this chance that any of them does not."""
    adjusted = family_wise([one.p_value for one in family])
    yield from (one for one, p in zip(family, adjusted, strict=True) if p <= error)


def _compare(pair: _Pair, measure: str) -> _Compared | None:
    """Returns the comparison of a measure; None where too few blocks have both."""
    changes: dict[int, list[float]] = {}
    values: list[Floats] = []
    ends: tuple[float, float, float] | None = None
    for load in pair.loads:
        one, other = Place(pair.baseline, load), Place(pair.other, load)
        before, after = pair.seen.paired(measure, one, other)
        if not before.size or (before < 0).any() or (after < 0).any():
            continue
        scale = (before.mean() + after.mean()) / 2
        shares = (after - before) / scale if scale else np.zeros(before.size)
        for block, share in zip(pair.seen.common_blocks(measure, one, other), shares, strict=True):
            changes.setdefault(block, []).append(float(share))
        values += [before, after]
        ends = load, float(before.mean()), float(after.mean())
    if ends is None or len(changes) < _FEWEST_BLOCKS:
        return None
    by_block = np.array([np.mean(shares) for _, shares in sorted(changes.items())])
    interval = mean_interval(by_block, pair.confidence)
    if interval.low is None or interval.high is None:
        return None
    nearest = min(abs(interval.low), abs(interval.high)) if interval.low * interval.high > 0 else 0.0
    load, before_mean, after_mean = ends
    return _Compared(
        Reason(
            measure=measure,
            unit=pair.seen.unit(measure),
            load=load,
            before=before_mean,
            after=after_mean,
            change=interval.value,
            low=interval.low,
            high=interval.high,
            distance=(nearest - pair.margin) / max(interval.high - interval.low, 1e-9),
            blocks=by_block.size,
        ),
        beyond_p(abs(interval.value) - pair.margin, float(by_block.std(ddof=1)), by_block.size),
        np.concatenate(values),
    )


def _without_repetitions(found: Sequence[_Compared]) -> list[Reason]:
    """Returns reasons by evidence; of those that say the same, the first with the names of the others."""
    ordered = sorted(
        found, key=lambda one: (-one.reason.distance, -abs(one.reason.change), one.reason.measure)
    )
    kept: list[tuple[_Compared, list[str]]] = []
    for one in ordered:
        alike = next((names for first, names in kept if _proportional(first.values, one.values)), None)
        if alike is None:
            kept.append((one, []))
        else:
            alike.append(one.reason.measure)
    return [replace(one.reason, alike=tuple(names)) for one, names in kept]


def _proportional(one: Floats, other: Floats) -> bool:
    """Returns whether one is always so many times the other."""
    if one.size != other.size or ((one == 0) != (other == 0)).any():
        return False
    ratios = one[one != 0] / other[other != 0]
    return bool(ratios.size) and float(ratios.max() / ratios.min()) <= 1 + _PROPORTIONAL
