"""sysbench's tests that Assay has under other names, with what to do instead."""

from __future__ import annotations

from assay.design.study import did_you_mean
from assay.system.engine import workload_catalogue


def elsewhere(name: str, command: str | None, tests: list[str]) -> str | None:
    """Returns what to do instead of `assay sysbench NAME COMMAND`, where Assay has `tests` and no test
    NAME.
    """
    workload = name.removesuffix(".lua").rpartition("/")[2].replace("-", "_")
    known = [entry["name"] for entry in workload_catalogue()]
    if workload in known:
        asked = f"assay bench {workload} {command or ''}".rstrip()
        return f"{workload} is a load on a database: {asked} …"
    meant = did_you_mean(name, list(dict.fromkeys([*tests, *known])))
    return meant.removeprefix("; ") or None
