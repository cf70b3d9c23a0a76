"""Builders: one thing each, with sensible values for whatever a test does not care about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from assay.folder import Interval, KindTally, LabelTimes, RunResult, succeeded
from assay.format.event import Connections, Counts, EngineUse
from assay.plan import Treatment
from assay.testing.histograms import EDGES, encode_hdr


def histogram(times_ns: Iterable[int]) -> str:
    """The engine's text of a histogram with these times (ns, from 1 to one hour)."""
    values = np.fromiter(times_ns, dtype=np.int64)
    index, counts = np.unique(np.searchsorted(EDGES, values, side="right") - 1, return_counts=True)
    return encode_hdr(index, counts)


def label_times(times_ms: Iterable[float], **more: Any) -> LabelTimes:
    """Service times of one label. `more`: other fields of LabelTimes."""
    values = [int(value * 1e6) for value in times_ms]
    return LabelTimes(**{"count": len(values), "service": histogram(values), **more})


def kind_tally(times_ms: Iterable[float], **more: Any) -> KindTally:
    """One kind of transactions that took so long. `more`: other fields of KindTally."""
    return KindTally(**{"times": label_times(times_ms), **more})


def interval(
    kinds: Mapping[str, KindTally] | None = None, *, index: int = 0, seconds: float = 1.0, **more: Any
) -> Interval:
    """Interval number `index` of the window, `seconds` long. `more`: other fields of Interval."""
    kinds = dict(kinds or {})
    fields: dict[str, Any] = {
        "phase": "measure",
        "index": index,
        "start_ns": int(index * seconds * 1e9),
        "end_ns": int((index + 1) * seconds * 1e9),
        "transactions": sum(succeeded(kind) for kind in kinds.values()),
        "in_flight": 0,
        "queued": 0,
        "labels": {},
        "kinds": kinds,
        "engine": EngineUse(),
    }
    return Interval(**{**fields, **more})


def run_result(
    kinds: Mapping[str, KindTally] | None = None, *, seconds: float = 1.0, **more: Any
) -> RunResult:
    """The result of a complete window of `seconds`. `more`: other fields of RunResult."""
    kinds = dict(kinds or {})
    fields: dict[str, Any] = {
        "transactions": sum(succeeded(kind) for kind in kinds.values()),
        "start_ns": 0,
        "end_ns": int(seconds * 1e9),
        "elapsed_s": seconds,
        "labels": {},
        "kinds": kinds,
        "connections": Connections(count=4, min=1, mean=1, max=1),
        "engine": EngineUse(),
        "engine_total": EngineUse(),
        "warmup": Counts(),
        "warmup_s": 0.0,
        "drained": 0,
        "abandoned": 0,
        "complete": True,
        "latency": "service",
    }
    return RunResult(**{**fields, **more})


def treatment(**given: Any) -> Treatment:
    """A treatment with no levels, of oltp_read_write on MariaDB. `given`: fields of Treatment."""
    fields: dict[str, Any] = {
        "name": "default",
        "levels": {},
        "server_use": "mariadb",
        "variables": {},
        "workload": "oltp_read_write",
        "workload_options": {},
        "ps_mode": "auto",
    }
    return Treatment(**{**fields, **given})
