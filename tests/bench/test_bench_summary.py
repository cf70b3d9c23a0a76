"""The summary of one measurement shows a workload's own figures without code for that workload."""

from __future__ import annotations

import io

from assay.design.folder import KindTally
from assay.experiments.bench.figures import figures
from assay.front.terminal.bench import print_figures
from assay.testing import label_times, run_result
from rich.console import Console


def summary(kinds: dict[str, KindTally], counters: dict[str, int]) -> list[str]:
    labels = {"transaction": label_times([1.0] * 30), "read": label_times([1.0] * 30)}
    result = run_result(kinds, seconds=10.0, labels=labels, counters=counters)
    settings = {"workload": "ycsb", "threads": 4, "rate": 0}
    out = io.StringIO()
    print_figures(figures(result, settings=settings, own={}), Console(file=out, width=80, highlight=False))
    return out.getvalue().splitlines()


def test_kinds_and_counters_of_any_workload_are_shown() -> None:
    kinds = {
        "read": KindTally(times=label_times([2.0] * 20), retries=3),
        "scan": KindTally(),
        "insert": KindTally(failed=1, errors={1062: 1}),
    }
    lines = summary(kinds, {"records_found": 20, "records_missing": 0})
    parts = next(number for number, line in enumerate(lines) if line.startswith("components, ms"))
    rows = {line.split()[0]: line.split()[1:] for line in lines[:parts] if line.strip()}
    assert rows["read"][:3] == ["20", "2.0", "2.000"]
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
