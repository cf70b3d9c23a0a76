"""Adds what generators counted and timed in the same stretch of time; every sum is exact.

Counts are added, histograms bin by bin. No percentile is ever averaged, and no rate: a rate is a sum over
the length of the stretch, on which the generators agreed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from assay.base.format.event import Connections, Deferred, Pacing, Reading, UnendedTimes
from assay.base.tally import merge_texts
from assay.design.folder import Counts, EngineUse, Interval, KindTally, LabelTimes, RunResult

Tallied = Interval | RunResult

_T = TypeVar("_T")

COUNTED = (
    "transactions",
    "queries",
    "reads",
    "writes",
    "other",
    "retries",
    "failed",
    "reconnects",
    "timeouts",
    "dropped",
)
"""The fields of `Counts` that are whole numbers."""
_BY_NAME = ("errors", "counters", "drops")


def counted(parts: Sequence[Counts | Tallied]) -> dict[str, Any]:
    """Returns the fields of `Counts`, added."""
    sums: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in COUNTED}
    return sums | {name: by_name(getattr(part, name) for part in parts) for name in _BY_NAME}


def by_name(maps: Iterable[Mapping[Any, int]]) -> dict[Any, int]:
    """Returns counts by name, added."""
    total: Counter[Any] = Counter()
    for one in maps:
        total.update(one)
    return dict(sorted(total.items()))


def tallied(parts: Sequence[Tallied]) -> dict[str, Any]:
    """Returns the fields that intervals and results share: counts, times by label and kind, pacing."""
    return counted(parts) | {
        "labels": _joined([part.labels for part in parts], _times),
        "kinds": _joined([part.kinds for part in parts], _kind),
        "pacing": _if_any([part.pacing for part in parts], _pacing),
        "reading": _if_any([part.reading for part in parts], _reading),
    }


def engine_use(parts: Sequence[EngineUse]) -> EngineUse:
    """Returns the use of the machine by all generators together."""
    return EngineUse(
        **{name: sum(getattr(part, name) for part in parts) for name in EngineUse.__struct_fields__}
    )


def connections(parts: Sequence[Connections]) -> Connections:
    """Returns the spread of operations over the connections of all generators."""
    count = sum(part.count for part in parts)
    mean = sum(part.mean * part.count for part in parts) / max(count, 1)
    spreads = [part.stdev for part in parts if part.stdev is not None]
    squares = sum(
        part.count * (stdev**2 + (part.mean - mean) ** 2) for part, stdev in zip(parts, spreads, strict=False)
    )
    return Connections(
        count=count,
        min=min(part.min for part in parts),
        mean=mean,
        max=max(part.max for part in parts),
        stdev=math.sqrt(squares / max(count, 1)) if len(spreads) == len(parts) else None,
    )


def deferred(parts: Sequence[Deferred]) -> Deferred:
    """Returns the work that all generators left for later."""
    return Deferred(
        **{name: sum(getattr(part, name) for part in parts) for name in Deferred.__struct_fields__}
    )


def counts(parts: Sequence[Counts]) -> Counts:
    return Counts(**counted(parts))


def optional(parts: Sequence[_T | None], merge: Callable[[list[_T]], _T]) -> _T | None:
    """Returns the merged values of those that have one; None where none has."""
    return _if_any(parts, merge)


def _if_any(parts: Sequence[_T | None], merge: Callable[[list[_T]], _T]) -> _T | None:
    there = [part for part in parts if part is not None]
    return merge(there) if there else None


def _joined(maps: Sequence[Mapping[str, _T]], merge: Callable[[list[_T]], _T]) -> dict[str, _T]:
    """Returns a map with each name's values merged, names in the order of the engine: that of the
    alphabet.
    """
    names = sorted({name for one in maps for name in one})
    return {name: merge([one[name] for one in maps if name in one]) for name in names}


def _texts(texts: Iterable[str | None]) -> str | None:
    return _if_any(list(texts), merge_texts)


def _times(parts: list[LabelTimes]) -> LabelTimes:
    return LabelTimes(
        count=sum(part.count for part in parts),
        service=merge_texts([part.service for part in parts]),
        wait=_texts(part.wait for part in parts),
        response=_texts(part.response for part in parts),
        unended=_if_any([part.unended for part in parts], _unended),
    )


def _unended(parts: list[UnendedTimes]) -> UnendedTimes:
    return UnendedTimes(
        count=sum(part.count for part in parts),
        service=_texts(part.service for part in parts),
        wait=_texts(part.wait for part in parts),
        response=merge_texts([part.response for part in parts]),
    )


def _kind(parts: list[KindTally]) -> KindTally:
    sums = {
        name: sum(getattr(part, name) for part in parts)
        for name in ("inside", "retries", "failed", "timeouts", "retry_ns", "failed_ns")
    }
    return KindTally(
        **sums,
        times=_if_any([part.times for part in parts], _times),
        think=_texts(part.think for part in parts),
        errors=by_name(part.errors for part in parts),
    )


def _pacing(parts: list[Pacing]) -> Pacing:
    return Pacing(
        arrivals=sum(part.arrivals for part in parts),
        prompt=sum(part.prompt for part in parts),
        lateness=merge_texts([part.lateness for part in parts]),
    )


def _reading(parts: list[Reading]) -> Reading:
    return Reading(
        answers=sum(part.answers for part in parts),
        lateness=merge_texts([part.lateness for part in parts]),
    )
