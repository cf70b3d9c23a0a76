"""Tells which loads write rows: some servers refuse writes and nothing else, and some studies only read."""

from __future__ import annotations

import re
from contextlib import closing

from assay.base.errors import HostError, InputError
from assay.design.plan import Plan, Treatment, place_of
from assay.design.study import LUA, SQL, WORKLOAD, Study, StudyText
from assay.measurement.source.rights import grants_of
from assay.system.engine import script_listing, workload_size
from assay.system.server import Address

KEY = "server.read_only"
_SHOWN = 3


def writes_rows(treatment: Treatment) -> bool:
    """Returns whether a treatment's load is known to change rows."""
    return _writes(treatment) is True


def check_reads_only(study: Study, plan: Plan, source: StudyText) -> None:
    """Raises InputError for a study that only reads by its own word, and has a load that is known to write,
    or a server that the lab would start.
    """
    if not study.server.read_only:
        return
    for treatment in plan.treatments:
        if not treatment.server_use.startswith("dsn:"):
            raise source.error(
                ("server", "read_only"),
                f"{KEY} is for a server that runs already, and the lab starts {treatment.server_use}",
                hint="leave it out: nothing of yours is in such a server",
            )
        if writes_rows(treatment):
            raise source.error(
                place_of(treatment, WORKLOAD),
                f"{KEY}: the load of {treatment.workload} writes rows",
                hint="use a workload that only reads, or a file of SELECT statements (sql:FILE)",
            )


def require_reads(address: Address, treatment: Treatment) -> None:
    """Raises InputError where a load may change something at the server: by its text, unless the account can
    do nothing but read.
    """
    with closing(address.connect()) as connection:
        beyond = grants_of(connection).beyond_reading()
        if not beyond:
            return
        routines = {
            str(name)
            for name, *_ in connection.rows(
                "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION'"
                " AND ROUTINE_SCHEMA NOT IN ('sys', 'mysql')"
            )
        }
    called = sorted(name for name in routines if _names(treatment, name))
    if _writes(treatment) is False and not called:
        return
    why = (
        f"its statements name {called[0]}, a function of this server that may write"
        if called
        else "only its script knows whether it writes"
    )
    more = f" and {len(beyond) - _SHOWN} more" if len(beyond) > _SHOWN else ""
    raise InputError(
        f"{KEY}: {treatment.workload} may write: {why}, and the account may do more than read"
        f" ({', '.join(beyond[:_SHOWN])}{more})",
        hint=f"give an account that has SELECT on {address.database} alone",
    )


def _writes(treatment: Treatment) -> bool | None:
    """Returns whether a treatment's load changes rows; None where nobody but a script knows, or there is no
    engine to ask.

    A script that comes with Assay does what the workload of its name does. What a file of statements does,
    the engine reads in it, with the treatment's options.
    """
    name, is_lua = treatment.workload.removeprefix(LUA), treatment.workload.startswith(LUA)
    script = treatment.script
    try:
        if script is not None and treatment.workload.startswith(SQL):
            writes = script_listing(treatment.workload, script, treatment.workload_options).get("writes")
            return None if writes is None else bool(writes)
        if (script is not None and script.source is not None) or not name.isidentifier():
            return None
        return workload_size(name, {} if is_lua else treatment.workload_options).writes
    except (HostError, InputError):  # without the engine nobody knows; of options that are wrong others tell
        return None


def _names(treatment: Treatment, routine: str) -> bool:
    text = "" if treatment.script is None else treatment.script.source or ""
    return re.search(rf"(?<!\w){re.escape(routine)}(?!\w)", text, re.IGNORECASE) is not None
