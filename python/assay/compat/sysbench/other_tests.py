"""sysbench's tests that Assay does not have, with what to do instead."""

from __future__ import annotations

from assay.engine import workload_catalogue
from assay.study import did_you_mean

TESTS = {
    "cpu": "assay host facts shows the processors; sysbench itself measures them",
    "memory": "assay host facts shows the memory; sysbench itself measures it",
    "threads": "sysbench itself measures the scheduler",
    "mutex": "sysbench itself measures mutexes",
}
"""Tests of sysbench that Assay does not have, with what to do instead."""


def elsewhere(name: str, rest: list[str]) -> str:
    """Returns a sentence about `assay sysbench NAME REST`, where Assay has no test NAME."""
    if name in TESTS:
        return f"assay has no test {name}: {TESTS[name]}"
    workload = name.removesuffix(".lua").rpartition("/")[2].replace("-", "_")
    known = [entry["name"] for entry in workload_catalogue()]
    if workload in known:
        return f"{name} is a load on a database: assay bench {' '.join([workload, *rest[:1]])} …"
    return f"sysbench has no test {name}{did_you_mean(name, ['fileio', *TESTS, *known])}"
