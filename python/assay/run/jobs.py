"""Jobs for the engine, in the shape of schema/job.json. Pure: nothing here runs anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.run.engine import Job

if TYPE_CHECKING:
    from assay.server import Address
from assay.server.address import PASSWORD_ENV as PASSWORD_ENV


def job(
    action: str,
    *,
    target: Mapping[str, Any],
    workload: str,
    options: Mapping[str, Any],
    seed: int,
    load: Mapping[str, Any] | None = None,
    phases: Mapping[str, Any] | None = None,
    errors: Mapping[str, Any] | None = None,
    engine: Mapping[str, Any] | None = None,
) -> Job:
    """A job; parts left out take the engine's defaults."""
    parts = {"load": load, "phases": phases, "errors": errors, "engine": engine}
    return {
        "version": 1,
        "action": action,
        "seed": seed,
        "target": dict(target),
        "workload": {"name": workload, "options": dict(options)},
        **{name: dict(part) for name, part in parts.items() if part},
    }


def target(address: Address, *, ps_mode: str = "auto") -> dict[str, Any]:
    """Where the load goes. A password stays in the environment; only the variable's name is said."""
    where = (
        {"socket": str(address.socket)} if address.socket else {"host": address.host, "port": address.port}
    )
    tls = address.tls.given()
    named = address.password_env or (PASSWORD_ENV if address.password is not None else None)
    return {
        **where,
        "user": address.user,
        "password_env": named,
        "database": address.database,
        "ps_mode": ps_mode,
        **({"tls": tls} if tls else {}),
    }


def closed_loop(connections: int, *, terminals: int = 0, reconnect_each: int = 0) -> dict[str, Any]:
    """Every terminal sends its next operation when the last one has ended.

    `terminals` share the connections; 0: each connection is one. `reconnect_each`: after so many transactions
    a connection is closed and opened again.
    """
    more = {"terminals": terminals, "reconnect_each": reconnect_each}
    return {"connections": connections, **{name: value for name, value in more.items() if value}}


def open_loop(rate: float, arrivals: str, connections: int) -> dict[str, Any]:
    """Operations arrive by a schedule, `rate` a second, whatever the server does."""
    return {"connections": connections, "arrivals": {"kind": arrivals, "rate": rate}}


def milliseconds(seconds: float) -> int:
    """Whole milliseconds."""
    return round(seconds * 1000)


def fixed_warmup(seconds: float) -> dict[str, Any]:
    """A warm-up of a fixed length; none for 0."""
    return {"kind": "fixed", "duration_ms": milliseconds(seconds)} if seconds > 0 else {"kind": "none"}
