"""Builds jobs for the engine from loads, addresses and lengths of time; starts nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.base.format.job import (
    Action,
    ConstantThink,
    Dump,
    EngineOptions,
    ErrorPolicy,
    FixedWarmup,
    Job,
    Load,
    NoneWarmup,
    Phases,
    PsMode,
    ScriptChoice,
    Target,
    Tls,
    Warmup,
    WorkloadChoice,
)
from assay.design.plan import Script
from assay.design.study import SQL, Arrivals, at_rate
from assay.system.server import PASSWORD_ENV as PASSWORD_ENV

if TYPE_CHECKING:
    from assay.system.server import Address

VERSION = 1
"""Version of the job format."""


def job(
    action: Action,
    *,
    target: Target | None,
    workload: str,
    options: Mapping[str, Any],
    seed: int,
    load: Load | None = None,
    phases: Phases | None = None,
    errors: ErrorPolicy | None = None,
    engine: EngineOptions | None = None,
    script: Script | None = None,
    dump: Dump | None = None,
    samples: Path | None = None,
) -> Job:
    """Returns a job; parts that are not given have the engine's defaults. A load on files has no `target`,
    and is not made here. `samples`: the file of what own statements draw from the data of this server.
    """
    assert target is not None
    made_of = script_choice(script)
    if made_of is not None and samples is not None and workload.startswith(SQL):
        made_of = msgspec.structs.replace(made_of, samples=str(samples))
    choice = WorkloadChoice(name=workload, options=dict(options), script=made_of)
    made = Job(version=VERSION, action=action, seed=seed, target=target, workload=choice)
    parts = {"load": load, "phases": phases, "errors": errors, "engine": engine, "dump": dump}
    return msgspec.structs.replace(made, **{name: part for name, part in parts.items() if part is not None})


def script_choice(script: Script | None) -> ScriptChoice | None:
    """Returns a script as a job has it; None where the workload is none."""
    return None if script is None else ScriptChoice(source=script.source, files=script.files)


def target(address: Address, *, ps_mode: PsMode = "auto", server_session: Iterable[str] = ()) -> Target:
    """Returns the address of the load. A password stays in its environment variable, whose name the target
    has.

    `server_session`: names of server variables that a study varies or sets. Those that a session has keep the
    server's value, where the engine otherwise states its own.
    """
    named = address.password_env or (PASSWORD_ENV if address.password is not None else None)
    made = Target(
        user=address.user,
        password_env=named,
        database=address.database or "",
        ps_mode=ps_mode,
        server_session=sorted(server_session),
        tls=msgspec.convert(address.tls.given(), Tls),
    )
    return at(made, socket=address.socket, host=address.host, port=address.port)


def in_database(made: Target, database: str) -> Target:
    """Returns the target with another database."""
    return msgspec.structs.replace(made, database=database)


def at(made: Target, *, socket: object, host: str, port: int) -> Target:
    """Returns the target at a socket or, without one, at a host and a port."""
    if socket:
        return msgspec.structs.replace(made, socket=str(socket))
    return msgspec.structs.replace(made, host=host, port=port)


def closed_loop(
    connections: int, *, terminals: int = 0, reconnect_each: int = 0, think_ms: float = 0.0
) -> Load:
    """Returns a closed loop: every terminal sends its next operation when the last one has ended.

    `terminals` share the connections; 0 makes each connection a terminal. `reconnect_each` is the number of
    transactions after which a connection is closed and opened again, `think_ms` the time between two.
    """
    think = ConstantThink(mean_ms=think_ms) if think_ms else None
    return Load(connections=connections, terminals=terminals, reconnect_each=reconnect_each, think=think)


def open_loop(rate: float, arrivals: Arrivals, connections: int, *, reconnect_each: int = 0) -> Load:
    """Returns an open loop: operations arrive by a schedule, `rate` a second, whatever the server does."""
    return Load(connections=connections, arrivals=at_rate(arrivals, rate), reconnect_each=reconnect_each)


def milliseconds(seconds: float) -> int:
    """Returns seconds as whole milliseconds."""
    return round(seconds * 1000)


def fixed_warmup(seconds: float) -> Warmup:
    """Returns a warm-up of a fixed length; none for 0 seconds."""
    return FixedWarmup(duration_ms=milliseconds(seconds)) if seconds > 0 else NoneWarmup()
