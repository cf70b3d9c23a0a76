"""Makes room for the load's connections and prepared statements on the server, and for its files in this
process.
"""

from __future__ import annotations

import resource
from collections.abc import Sequence

from assay.base.errors import HostError
from assay.base.privileges import PrivilegeError, refused
from assay.base.wording import sized
from assay.design.folder import Scalar
from assay.design.plan import OPEN_LOOP_CONNECTIONS, Plan, PlannedExperiment, Treatment, place_of
from assay.design.study import EXPERIMENTS, Study, StudyText, number, option_text
from assay.system.engine import workload_size
from assay.system.host import meminfo_bytes, own_limits
from assay.system.server import machine_bytes

_SPARE_CONNECTIONS = 20
_LABS_CONNECTIONS = 2
"""The lab's own connections beside the load's: one for the sampler, one for queries before and after a
rung.
"""
_DEFAULT_CONNECTIONS = 151
_DEFAULT_QUEUE = 50
"""Connections that wait to be accepted: the default `back_log` of MySQL before 5.6.6. With more at once,
Linux drops the end of a TCP handshake, and the client waits for retransmissions of seconds each (tcp(7))."""
_DEFAULT_STATEMENTS = 16_382
_MOST_STATEMENTS = 1_048_576
_SPARE_FILES = 200


def connections(study: Study, load: float) -> int:
    """Returns the number of connections of one rung: the rung's own in a closed loop, the study's or a
    default in an open one.
    """
    if study.load.kind == "threads":
        return int(load)
    return study.load.connections or OPEN_LOOP_CONNECTIONS


def capacity_variables(study: Study, plan: Plan, treatment: Treatment) -> dict[str, Scalar]:
    """Returns the server variables that must be raised for the ladder and that the treatment does not set."""
    if treatment.experiment is not None:
        options = treatment.experiment.options
        at_work = int(options["sessions"]) + int(options.get("ledger_sessions", 0))
        raised = room_for(treatment, [at_work, int(options.get("idle", 0))])
        return raised | room_for_connections(treatment, at_work + _held(treatment.experiment))
    return room_for(treatment, [connections(study, load) for load in plan.loads])


def check_capacity(study: Study, plan: Plan, source: StudyText) -> None:
    """Raises InputError when a study's limit of connections or of prepared statements is too small for its
    load, or its buffer pool larger than this machine's memory; a run would fail only after its tables were
    loaded.
    """
    most = max(connections(study, load) for load in plan.loads)
    key = "load.threads" if study.load.kind == "threads" else "load.connections"
    for treatment in plan.treatments:
        if treatment.experiment or treatment.storage or treatment.server_use.startswith("dsn:"):
            continue
        statements = 0
        if treatment.ps_mode == "auto" and "max_prepared_stmt_count" in treatment.variables:
            each = workload_size(treatment.workload, treatment.workload_options).statements
            statements = most * (each or 0)
        for name, needed, remedy in (
            ("max_connections", most + _LABS_CONNECTIONS, f"or choose fewer {key}"),
            ("max_user_connections", most + _LABS_CONNECTIONS, f"or choose fewer {key}"),
            ("max_prepared_stmt_count", statements, f'or choose fewer {key}, or load.ps_mode = "disable"'),
        ):
            given = number(option_text(treatment.variables.get(name, needed)))
            unlimited = name == "max_user_connections" and given == 0
            if given is not None and given < needed and not unlimited:
                raise source.error(
                    place_of(treatment, f"server.variables.{name}"),
                    f"server.variables.{name}: {given} is too few for {key} = {most}: at least"
                    f" {needed} are needed",
                    hint=f"write {name} = {needed + _SPARE_CONNECTIONS} or leave it out, {remedy}",
                )


def check_memory(treatment: Treatment) -> None:
    """Raises HostError for a buffer pool that is larger than this machine's memory."""
    pool = number(option_text(treatment.variables.get("innodb_buffer_pool_size", 0)))
    if pool is not None and pool > machine_bytes():
        said = option_text(treatment.variables["innodb_buffer_pool_size"])
        raise HostError(
            f"server.variables.innodb_buffer_pool_size = {said} is more than {_who_allows(int(pool))}",
            hint=f"it has {sized(machine_bytes())} of memory",
        )


def _who_allows(wanted: int) -> str:
    """Returns whose memory it is that so many bytes are too many for."""
    limit, total = own_limits().memory_of, meminfo_bytes("MemTotal")
    if limit is None or (total is not None and wanted > total):
        return "this machine has"
    return f"{limit} allows"


def room_for(treatment: Treatment, ladder: Sequence[int]) -> dict[str, Scalar]:
    """Returns the variables that give a server room for the connections and prepared statements of every
    rung.
    """
    most = max(ladder)
    raised = room_for_connections(treatment, most)
    each = workload_size(treatment.workload, treatment.workload_options).statements
    if each is None or (most + _SPARE_CONNECTIONS) * each > _DEFAULT_STATEMENTS:
        raised["max_prepared_stmt_count"] = _MOST_STATEMENTS
    return {name: value for name, value in raised.items() if name not in treatment.variables}


def room_for_connections(treatment: Treatment, most: int) -> dict[str, Scalar]:
    """Returns the variables that give a server room for `most` connections that prepare no statements."""
    needed = most + _SPARE_CONNECTIONS
    raised: dict[str, Scalar] = {}
    if needed > _DEFAULT_CONNECTIONS:
        raised["max_connections"] = needed
    if treatment.client in ("tcp", "netns") and needed > _DEFAULT_QUEUE:
        raised["back_log"] = needed
    return {name: value for name, value in raised.items() if name not in treatment.variables}


def room_for_held(what: PlannedExperiment | None) -> None:
    """Raises this process's limit of open files for the connections that an experiment holds itself. Raises
    Raises HostError when it cannot.
    """
    if held := _held(what):
        room_for_files(held + _SPARE_FILES)


def room_for_files(count: int) -> None:
    """Raises this process's limit of open files. Raises HostError when the limit may not be so high."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        most = own_limits().open_files
        if most is not None and most < count:
            only = f"`ulimit -Hn` allows this process {most}"
            what = f"{count} open files are needed for the connections, which"
            raise PrivilegeError(what, refused("files", only))
        highest = hard if hard == resource.RLIM_INFINITY else max(hard, count)
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, highest))


def _held(what: PlannedExperiment | None) -> int:
    """Returns the number of connections that an experiment holds in this process, beside the load's."""
    option = EXPERIMENTS[what.use].holds if what else ""
    return int(what.options[option]) if what and option else 0
