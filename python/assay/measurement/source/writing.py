"""Tells which loads write rows: some servers refuse writes and nothing else."""

from __future__ import annotations

from assay.base.errors import HostError, InputError
from assay.design.plan import Treatment
from assay.design.study import LUA, SQL
from assay.system.engine import script_listing, workload_size


def writes_rows(treatment: Treatment) -> bool:
    """Returns whether a treatment's load is known to change rows; of somebody's own Lua script nobody knows.

    A script that comes with Assay does what the workload of its name does. What a file of statements does,
    the engine reads in it.
    """
    name, is_script = treatment.workload.removeprefix(LUA), treatment.workload.startswith(LUA)
    if treatment.script is not None and treatment.workload.startswith(SQL):
        try:
            return bool(script_listing(treatment.workload, treatment.script)["writes"])
        except (HostError, InputError):
            return False
    if not name.isidentifier():
        return False
    try:
        return bool(workload_size(name, {} if is_script else treatment.workload_options).writes)
    except (HostError, InputError):  # without the engine nobody knows; of options that are wrong others tell
        return False
