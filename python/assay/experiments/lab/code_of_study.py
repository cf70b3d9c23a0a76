"""Lists what of a study would run as code, or change this machine, and as whom: for whoever looks first."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from dataclasses import dataclass

from assay.base.errors import HostError
from assay.design.plan import Plan
from assay.design.study import SQL, Study, masked
from assay.system.server.process import server_account

_LOADING_VARIABLES = (
    "init_file",
    "plugin_load",
    "plugin_load_add",
    "early_plugin_load",
    "wsrep_provider",
    "wsrep_notify_cmd",
    "wsrep_sst_method",
)
"""Server variables whose value is code, or names a file with code."""


@dataclass(frozen=True)
class StudyCode:
    """A part of a study that acts: what it is, and the account that it acts as."""

    what: str
    account: str


def study_code(study: Study, plan: Plan) -> list[StudyCode]:
    """Returns the parts of a study that act outside of Assay's own code, scripts first."""
    return list(dict.fromkeys(_parts(study, plan)))


def _parts(study: Study, plan: Plan) -> Iterator[StudyCode]:
    own, servers = _own_account(), _servers_account()
    for treatment in plan.treatments:
        # Without a source it comes with Assay.
        if treatment.script is not None and treatment.script.source is not None:
            name = treatment.workload.partition(":")[2]
            if treatment.workload.startswith(SQL):  # text for a server, which carries it out
                yield StudyCode(f"the statements of {name}", servers)
            else:
                yield StudyCode(f"the script {name}", own)
    for treatment in plan.treatments:
        if treatment.server_use.startswith("path:"):
            yield StudyCode(f"the server {masked(treatment.server_use)}", servers)
    for treatment in plan.treatments:
        for name, value in treatment.variables.items():
            if name.removeprefix("loose_").replace("-", "_") in _LOADING_VARIABLES:
                yield StudyCode(f"{name} = {value}", servers)
    for treatment in plan.treatments:
        if treatment.server_use.startswith("dsn:") and treatment.dynamic:
            names = ", ".join(treatment.dynamic)
            yield StudyCode(
                f"SET GLOBAL {names} at {masked(treatment.server_use)}, put back after each run",
                "the DSN's user",
            )
    changes = {name.partition(".")[0] for name in study.machine_settings}
    changes |= {factor.name.partition(".")[0] for factor in study.factors} & {"host", "volume"}
    for table in sorted(changes):
        yield StudyCode(f"[{table}] changes of this machine", "root")


def _own_account() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"


def _servers_account() -> str:
    try:
        account = server_account()
    except HostError:
        return "mysql"
    return _own_account() if account is None else account.name
