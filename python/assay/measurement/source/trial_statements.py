"""Has a server on trial prepare the statements of a file, on tables without rows: a name that is not there is
known before any load.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import msgspec

from assay.design.folder import ActionResult
from assay.design.plan import Treatment
from assay.design.study import SQL
from assay.system.engine import Interrupts, jobs, run_job
from assay.system.server import DATABASE, Build, Instance


def asks_for_statements(build: Build, key: str, treatment: Treatment) -> bool:
    """Returns whether a server of the build has yet to see the statements of a treatment on the tables of a
    key. A load that prepares nothing may make tables itself, and is not asked about.
    """
    if not treatment.workload.startswith(SQL) or treatment.script is None or treatment.ps_mode == "disable":
        return False
    return not build.answers.get(_question(key, treatment), bool)


def try_statements(
    build: Build,
    key: str,
    treatment: Treatment,
    server: Instance,
    made: ActionResult,
    interrupts: Interrupts,
) -> None:
    """Raises ServerError with file, line and the nearest name for a statement that a server refuses; `made`
    are its tables. Where they are not all that the files make, nothing is asked.
    """
    if made.untried or not asks_for_statements(build, key, treatment):
        return
    target = jobs.target(replace(server.address, database=made.database or DATABASE))
    job = jobs.job(
        "check",
        target=target,
        workload=treatment.workload,
        options=treatment.workload_options,
        seed=0,
        script=treatment.script,
    )
    outcome = run_job(job, interrupts=interrupts)
    interrupts.raise_if_requested()
    outcome.require()
    build.answers.keep(_question(key, treatment), True)


def _question(key: str, treatment: Treatment) -> tuple[str, ...]:
    made_of = (treatment.workload, dict(treatment.workload_options), treatment.script)
    encoded = msgspec.json.encode(made_of, order="deterministic")
    return ("statements", key, hashlib.sha256(encoded).hexdigest())
