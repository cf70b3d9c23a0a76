"""sysbench's tests that Assay has under other names, with what to do instead."""

from __future__ import annotations

from assay.engine import workload_catalogue
from assay.study import did_you_mean


def elsewhere(name: str, rest: list[str], tests: list[str]) -> str:
    """Returns a sentence about `assay sysbench NAME REST`, where Assay has `tests` and no test NAME."""
    workload = name.removesuffix(".lua").rpartition("/")[2].replace("-", "_")
    known = [entry["name"] for entry in workload_catalogue()]
    if workload in known:
        return f"{name} is a load on a database: assay bench {' '.join([workload, *rest[:1]])} …"
    return f"sysbench has no test {name}{did_you_mean(name, list(dict.fromkeys([*tests, *known])))}"
