"""Tells which loads write rows: some servers refuse writes and nothing else."""

from __future__ import annotations

from assay.plan import Treatment
from assay.study import LUA

_READ = {"oltp_read_only", "oltp_point_select", "select", "select_random_points", "select_random_ranges"}
"""Workloads of the engine, and scripts that come with it, whose load changes no row."""
_WRITES_OF_YCSB = ("updateproportion", "insertproportion", "readmodifywriteproportion")


def writes_rows(treatment: Treatment) -> bool:
    """Returns whether a treatment's load is known to change rows; a script of somebody's own is not known."""
    name, options = treatment.workload.removeprefix(LUA), treatment.workload_options
    if not name.isidentifier():
        return False
    if name == "ycsb":
        core_c = str(options.get("workload", "")).lower() == "c"
        return not core_c or any(float(options.get(share, 0)) > 0 for share in _WRITES_OF_YCSB)
    return name not in _READ
