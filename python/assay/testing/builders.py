"""Builders of single records, with defaults for everything a test does not care about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from assay.base.format.event import Connections, Counts, EngineUse
from assay.design.folder import Interval, KindTally, LabelTimes, RunResult, succeeded
from assay.design.plan import Treatment
from assay.design.study import Work
from assay.results.verdict import Decision
from assay.testing.histograms import EDGES, encode_hdr


def histogram(times_ns: Iterable[int]) -> str:
    """Returns the engine's text of a histogram with these times (ns, from 1 to one hour)."""
    values = np.fromiter(times_ns, dtype=np.int64)
    index, counts = np.unique(np.searchsorted(EDGES, values, side="right") - 1, return_counts=True)
    return encode_hdr(index, counts)


def label_times(times_ms: Iterable[float], **more: Any) -> LabelTimes:
    """Returns service times of one label. `more` holds other fields of LabelTimes."""
    values = [int(value * 1e6) for value in times_ms]
    return LabelTimes(**{"count": len(values), "service": histogram(values), **more})


def kind_tally(times_ms: Iterable[float], **more: Any) -> KindTally:
    """Returns the tally of one kind of transactions with these times. `more` holds other fields of
    KindTally.
    """
    return KindTally(**{"times": label_times(times_ms), **more})


def interval(
    kinds: Mapping[str, KindTally] | None = None, *, index: int = 0, seconds: float = 1.0, **more: Any
) -> Interval:
    """Returns interval number `index` of the window, `seconds` long. `more` holds other fields of
    Interval.
    """
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
    """Returns the result of a complete window of `seconds`. `more` holds other fields of RunResult."""
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


def decision(figure: float, low: float | None = None, high: float | None = None, **given: Any) -> Decision:
    """Returns a decision of six blocks on a load on a server, without doubts."""
    fields: dict[str, Any] = {
        "work": Work("server"),
        "figure": figure,
        "low": low,
        "high": high,
        "blocks": (6,),
        "fewest": 6,
        "confidence": 0.95,
        "doubts": {},
    }
    return Decision(**{**fields, **given})


def treatment(**given: Any) -> Treatment:
    """Returns a treatment without levels, of oltp_read_write on MariaDB. `given` holds fields of
    Treatment.
    """
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
