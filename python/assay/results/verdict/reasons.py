"""Finds what else differs where treatments differ: the costs and counters of one operation, by evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.design.study import Study
from assay.results.stats import (
    Gate,
    beyond_p,
    family_wise,
    geometric_interval,
    mean_interval,
    wariness,
)
from assay.results.verdict.compared import Differing, Place, Reason
from assay.results.verdict.observations import Floats, Observations
from assay.results.verdict.treatments import Treatment, by_workload
from assay.results.verdict.why.clock import goes_by_the_clock

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

_OF_THE_GENERATOR = frozenset(f"generator_cpu_us{ending}" for ending in OF_ONE_OPERATION)
"""Costs of what applies the load: they follow how it waits, and explain nothing of what takes it."""

_PROPORTIONAL = 0.005
"""Share up to which two measures in constant proportion say the same: they count one thing twice."""
_EQUAL = 0.05
"""Share of the larger side up to which two measures are one number, as rows read are to rows scanned."""
_FINEST = 0.02
"""Width below which an interval is no better evidence: a counter that is exact is not more of a reason."""
_CERTAIN = 20.0
"""Evidence beyond which more of it decides nothing: the larger change comes first."""
_BARE = re.compile(r"innodb|data|disk|os|log|buffer|pool|per|query|transaction|io")
"""Words of a counter's name that say where it is counted, and not what."""

_RATE_OF: Mapping[str, str] = {"_per_query": "qps", "_per_transaction": "tps", "_per_io": "iops"}
_SLOWEST_WORK = 2000.0
_SLOWEST_COST = 20.0
"""Events a second up to which a counter, and one of the main costs, may be what the server and its sampler do
by the clock, whatever the load: 600 rows of each reading of the counters among them.
"""


@dataclass(frozen=True)
class _Pair:
    """Two treatments whose values are looked at, at these load points."""

    seen: Observations
    baseline: str
    other: str
    loads: Sequence[float]
    margin: float
    gate: Gate


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
    gate: Gate,
) -> tuple[Differing, ...]:
    """Returns what differs between each treatment and the first of its workload.

    Where nothing differs between two treatments, not one measure is named in as many studies as the
    confidence says: Holm's correction over the main costs, and over all other counters, each at half of the
    error. Nothing is compared where windows or data forbid any verdict, nor before the look at which one is
    due. Between treatments with data of their own a value is that of a load of the data. A counter that
    goes by the clock costs a fast operation less than a slow one, and is no reason.
    """
    parts = by_workload(study, treatments)
    groups = [[one for one in treatments if one.name in part.names] for part in parts] or [list(treatments)]
    measures = sorted(
        {key[0] for key in seen.values if key[0].endswith(OF_ONE_OPERATION)} - _OF_THE_GENERATOR
    )
    pairs = [(group[0].name, other.name) for group in groups for other in group[1:]]
    margin = study.verdict.known_margin
    return tuple(
        _differing(
            _Pair(seen.over_loads(names), *names, loads, margin, gate), () if seen.barred else measures
        )
        for names in pairs
    )


def _differing(pair: _Pair, measures: Sequence[str]) -> Differing:
    compared = [one for measure in measures if (one := _compare(pair, measure)) is not None]
    of_work = [one for one in compared if not _goes_by_the_clock(pair, one.reason)]
    families = [
        [one for one in of_work if (one.reason.measure in MAIN_COSTS) is main] for main in (True, False)
    ]
    error = (1 - pair.gate.confidence) / len(families)
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
    logs: dict[int, list[float]] = {}
    values: list[Floats] = []
    ends: tuple[float, float, float] | None = None
    for load in pair.loads:
        one, other = Place(pair.baseline, load), Place(pair.other, load)
        before, after = pair.seen.paired(measure, one, other)
        if not before.size or (before < 0).any() or (after < 0).any():
            continue
        scale = (before.mean() + after.mean()) / 2
        shares = (after - before) / scale if scale else np.zeros(before.size)
        blocks = pair.seen.common_blocks(measure, one, other)
        for block, share, was, now in zip(blocks, shares, before, after, strict=True):
            changes.setdefault(block, []).append(float(share))
            logs.setdefault(block, []).append(float(np.log(now / was)) if now > 0 < was else np.nan)
        values += [before, after]
        ends = load, float(before.mean()), float(after.mean())
    if ends is None or len(changes) < pair.seen.fewest(pair.gate):
        return None
    by_block = np.array([np.mean(shares) for _, shares in sorted(changes.items())])
    interval = mean_interval(by_block, pair.gate.confidence)
    if interval.low is None or interval.high is None:
        return None
    width = wariness(by_block) if pair.gate.sequential else 1.0
    low, high = (interval.value + (end - interval.value) * width for end in (interval.low, interval.high))
    nearest = min(abs(low), abs(high)) if low * high > 0 else 0.0
    load, before_mean, after_mean = ends
    ratios = np.exp([np.mean(each) for _, each in sorted(logs.items())])
    ratio = geometric_interval(ratios, pair.gate.confidence) if np.isfinite(ratios).all() else None
    return _Compared(
        Reason(
            measure=measure,
            unit=pair.seen.unit(measure),
            load=load,
            before=before_mean,
            after=after_mean,
            change=interval.value,
            low=low,
            high=high,
            distance=(nearest - pair.margin) / max(high - low, _FINEST),
            blocks=by_block.size,
            ratio=None if ratio is None else ratio.value,
            ratio_low=None if ratio is None else ratio.low,
            ratio_high=None if ratio is None else ratio.high,
        ),
        beyond_p(abs(interval.value) - pair.margin, width * float(by_block.std(ddof=1)), by_block.size),
        np.concatenate(values),
    )


def _goes_by_the_clock(pair: _Pair, reason: Reason) -> bool:
    """Returns whether a counter moves as often a second on both sides, and no faster than what a server does
    by itself: then only the rate of operations differs.
    """
    measure = reason.measure
    rate = next(of for ending, of in _RATE_OF.items() if measure.endswith(ending))
    slowest = _SLOWEST_COST if measure in MAIN_COSTS else _SLOWEST_WORK
    sides = []
    for load in pair.loads:
        places = Place(pair.baseline, load), Place(pair.other, load)
        if not pair.seen.common_blocks(measure, *places):
            continue
        costs, rates = pair.seen.paired(measure, *places), pair.seen.paired(rate, *places)
        if not rates[0].size:
            return False
        sides.append(((costs[0], rates[0]), (costs[1], rates[1])))
    return goes_by_the_clock(sides, reason.change, pair.margin, slowest)


def _without_repetitions(found: Sequence[_Compared]) -> list[Reason]:
    """Returns reasons by evidence; of those that say the same, the first with the names of the others."""
    kept: list[tuple[_Compared, list[str]]] = []
    for one in sorted(found, key=lambda one: _rank(one.reason)):
        alike = next((names for first, names in kept if _says_the_same(first, one)), None)
        if alike is None:
            kept.append((one, []))
        else:
            alike.append(one.reason.measure)
    return [replace(one.reason, alike=tuple(names)) for one, names in kept]


def _rank(one: Reason) -> tuple[float, float, float, str]:
    """Returns the place of a reason: by evidence, of those beyond doubt by change, of equal ones by size."""
    return (
        -min(one.distance, _CERTAIN),
        -round(abs(one.change), 1),
        -max(one.before, one.after),
        one.measure,
    )


def _says_the_same(first: _Compared, one: _Compared) -> bool:
    if _proportional(first.values, one.values) or _equal(first.values, one.values):
        return True
    overlap = first.reason.low <= one.reason.high and one.reason.low <= first.reason.high
    return overlap and _bare(first.reason.measure) == _bare(one.reason.measure)


def _bare(measure: str) -> frozenset[str]:
    """Returns the words of a measure's name that say what is counted: `fsyncs` of `Innodb_os_log_fsyncs`."""
    return frozenset(word for word in measure.lower().split("_") if not _BARE.fullmatch(word))


def _equal(one: Floats, other: Floats) -> bool:
    """Returns whether both are one number, up to what is little beside their largest."""
    return one.size == other.size and bool(
        (abs(one - other) <= _EQUAL * max(float(one.max()), float(other.max()))).all()
    )


def _proportional(one: Floats, other: Floats) -> bool:
    """Returns whether one is always so many times the other."""
    if one.size != other.size or ((one == 0) != (other == 0)).any():
        return False
    ratios = one[one != 0] / other[other != 0]
    return bool(ratios.size) and float(ratios.max() / ratios.min()) <= 1 + _PROPORTIONAL
