"""The summary of one measurement: what a workload has of its own is shown without code of its own."""

from __future__ import annotations

import io

from assay.bench.figures import figures
from assay.folder import KindTally, LabelTimes, RunResult, succeeded
from assay.format.event import Connections, Counts, EngineUse
from assay.terminal.bench import print_figures
from hdrh.histogram import HdrHistogram
from rich.console import Console


def times(values_ms: list[float]) -> LabelTimes:
    histogram = HdrHistogram(1, 3_600_000_000_000, 3)
    for value in values_ms:
        histogram.record_value(int(value * 1e6))
    return LabelTimes(count=len(values_ms), service=histogram.encode().decode())


def summary(kinds: dict[str, KindTally], counters: dict[str, int]) -> list[str]:
    result = RunResult(
        transactions=sum(succeeded(kind) for kind in kinds.values()),
        start_ns=0,
        end_ns=10_000_000_000,
        elapsed_s=10.0,
        labels={"transaction": times([1.0] * 30), "read": times([1.0] * 30)},
        kinds=kinds,
        counters=counters,
        facts={},
        connections=Connections(count=4, min=1, mean=1, max=1),
        engine=EngineUse(),
        engine_total=EngineUse(),
        warmup=Counts(),
        warmup_s=0.0,
        drained=0,
        abandoned=0,
        complete=True,
        latency="service",
    )
    settings = {"workload": "ycsb", "threads": 4, "rate": 0}
    out = io.StringIO()
    print_figures(figures(result, settings=settings, own={}), Console(file=out, width=80, highlight=False))
    return out.getvalue().splitlines()


def test_kinds_and_counters_of_any_workload_are_shown() -> None:
    kinds = {
        "read": KindTally(times=times([2.0] * 20), retries=3),
        "scan": KindTally(),
        "insert": KindTally(failed=1, errors={1062: 1}),
    }
    lines = summary(kinds, {"records_found": 20, "records_missing": 0})
    parts = next(number for number, line in enumerate(lines) if line.startswith("parts of it"))
    rows = {line.split()[0]: line.split()[1:] for line in lines[:parts] if line.strip()}
    assert rows["read"][:3] == ["20", "2.0", "2.00"]
    assert rows["read"][-3:] == ["3", "0", "0"]
    assert rows["insert"][-3:] == ["0", "1", "1"]
    below = {line.split()[0]: line.split()[1:] for line in lines[parts:] if line.strip()}
    assert {"read", "insert"} <= below.keys()
    assert "scan" not in rows | below, "a kind that has no share in the mix"
    assert below["records_found"] == ["20", "2.0"]
    assert below["records_missing"] == ["0", "0.0"]


def test_without_kinds_there_are_labels() -> None:
    lines = summary({}, {})
    assert any(line.startswith("read ") and " 30 " in line for line in lines)
    assert not any(line.startswith("counters") for line in lines)
