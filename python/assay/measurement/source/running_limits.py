"""Lists what a study cannot vary or ask for on a server that runs already (`dsn:`).

`assay plan` and `assay run` check this from the study alone, before any login.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.errors import HostError, InputError
from assay.design.plan import SCHEMA_OPTIONS, Plan, Treatment, place_of
from assay.design.study import KEYS, WORKLOAD, StudyText
from assay.system.engine import load_only, script_load_only
from assay.system.server import Address, parse_dsn

_OWN_SERVER = 'server.use = "mariadb", a version as in "mysql@5.6", or "path:/base/dir"'


def check_running(plan: Plan, source: StudyText) -> None:
    """Raises InputError, which names the first thing that a treatment on a running server cannot have."""
    for treatment in plan.treatments:
        if not treatment.server_use.startswith("dsn:"):
            continue
        where = source.at(*place_of(treatment, "server.use"))
        try:
            address = parse_dsn(treatment.server_use)
        except InputError as error:
            raise InputError(f"{where}: {error.message}", hint=error.hint) from None
        for refused in refusals(treatment, address):
            raise InputError(f"{where}: {refused.message}", hint=refused.hint)


def refusals(treatment: Treatment, address: Address) -> Iterator[InputError]:
    """Yields an error for each thing that the treatment asks for and a running server cannot be given."""
    if address.database is None:
        yield InputError(
            f"dsn: {address} must name a database",
            hint="write it at the end: dsn:mysql://user@host:3306/database",
        )
    if treatment.experiment is not None:
        yield InputError(
            f"{treatment.experiment.use} needs a server of its own; {address} is not the lab's",
            hint=_OWN_SERVER,
        )
    for key in _needing_own_server(treatment):
        yield InputError(
            f"{key} needs a server that the lab starts; {address} runs already", hint=_OWN_SERVER
        )
    yield from _factors(treatment, address)


def _needing_own_server(treatment: Treatment) -> Iterator[str]:
    said = (
        *treatment.given,
        *(f"host.{key}" for key in treatment.host),
        *(f"volume.{key}" for key in treatment.volume),
        *(() if treatment.client is None else ("load.client",)),
    )
    yield from (key for key in said if "lab" in KEYS[key].needs)


def _factors(treatment: Treatment, address: Address) -> Iterator[InputError]:
    for factor in treatment.varied:
        if factor.startswith("server.variables."):
            name = factor.removeprefix("server.variables.")
            yield InputError(
                f"{factor} cannot be a factor on a running server: {address} keeps the variables it has",
                hint=f"server.dynamic.{name} sets it for each run with SET GLOBAL and puts it back;"
                f" or {_OWN_SERVER}",
            )
        elif factor in SCHEMA_OPTIONS or _shapes_rows(treatment, factor):
            yield InputError(
                f"{factor} cannot be a factor on a running server: the tables in {address} are made once and"
                " would serve every level",
                hint=f"{_OWN_SERVER}; or a study for each level, each with a database of its own",
            )


def _shapes_rows(treatment: Treatment, factor: str) -> bool:
    section, _, option = factor.partition(".")
    if section != "workload" or factor == WORKLOAD:
        return False
    try:
        if treatment.script is not None:
            return option not in script_load_only(treatment.workload, treatment.script)
        return option not in load_only(treatment.workload)
    except HostError:  # without the engine nobody knows; `assay run` needs one
        return False
    except InputError:  # of a script that does not load; `check_workload` says why
        return False
