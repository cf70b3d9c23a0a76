"""The request of `assay bench`: one action of one workload, as the engine's job and for the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.base.format.job import (
    Action,
    EngineOptions,
    ErrorPolicy,
    Job,
    Load,
    OnError,
    Phases,
    PsMode,
    Target,
    Tls,
    TlsMode,
)
from assay.design.folder import Event
from assay.design.plan import Script
from assay.design.study import Named, at_rate
from assay.system.engine import jobs

Listener = Callable[[Event], None]
"""Receives every event of the engine."""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """One action of one workload on one server. Times are in seconds; `rate` 0 is a closed loop.

    More failed transactions than `max_failed` end the run early; None: no limit. `percentile` is a percentile
    of the response time that the record has in addition.
    """

    workload: str
    action: Action
    options: dict[str, Any]
    password: str | None
    socket: str | None
    host: str
    port: int
    user: str
    db: str
    threads: int
    time: float
    events: int
    reconnect: int
    warmup: float
    rate: float
    arrivals: Named
    ps_mode: PsMode
    seed: int
    report_interval: int
    engine_threads: int
    on_error: OnError | None
    resume: bool
    ssl_mode: TlsMode | None
    ssl_ca: str | None
    ssl_cert: str | None
    ssl_key: str | None
    server_public_key: str | None
    get_server_public_key: bool
    terminals: int = 0
    max_failed: int | None = None
    deferred_file: str | None = None
    ledger: str | None = None
    percentile: float | None = None
    script: Script | None = None
    server_session: tuple[str, ...] = ()
    """Variables that a person has set for the server: sessions keep them."""

    def job(self) -> Job:
        """Returns the engine's job."""
        load = Load(
            connections=self.threads,
            arrivals=at_rate(self.arrivals, self.rate) if self.rate else None,
            terminals=self.terminals,
            reconnect_each=self.reconnect,
            deferred_file=self.deferred_file,
        )
        phases = Phases(
            warmup=jobs.fixed_warmup(self.warmup),
            measure_ms=jobs.milliseconds(self.time),
            max_transactions=self.events,
            interval_ms=max(self.report_interval, 1) * 1000,
        )
        return jobs.job(
            self.action,
            target=self._target(),
            workload=self.workload,
            options=self.options,
            seed=self.seed,
            load=load,
            phases=phases,
            errors=ErrorPolicy(other=self.on_error),
            engine=self._engine(),
            script=self.script,
        )

    def _engine(self) -> EngineOptions:
        if self.action != "prepare":
            return EngineOptions(threads=self.engine_threads, ledger=self.ledger)
        return EngineOptions(threads=self.engine_threads, loaders=self.threads, resume=self.resume)

    def _target(self) -> Target:
        made = Target(
            user=self.user,
            password_env=None if self.password is None else jobs.PASSWORD_ENV,
            database=self.db,
            ps_mode=self.ps_mode,
            server_session=list(self.server_session) if self.action == "run" else [],
            tls=Tls(
                mode=self.ssl_mode,
                ca=self.ssl_ca,
                cert=self.ssl_cert,
                key=self.ssl_key,
                server_public_key=self.server_public_key,
                get_server_public_key=self.get_server_public_key,
            ),
        )
        return jobs.at(made, socket=self.socket, host=self.host, port=self.port)

    def settings(self) -> dict[str, Any]:
        """Returns the request without secrets, for the record."""
        return {
            "workload": self.workload,
            "options": self.options,
            "target": f"socket {self.socket}" if self.socket else f"{self.host}:{self.port}",
            "user": self.user,
            "db": self.db,
            "threads": self.threads,
            "terminals": self.terminals or None,
            "time_s": self.time,
            "events": self.events,
            "reconnect": self.reconnect,
            "warmup_s": self.warmup,
            "rate": self.rate,
            "arrivals": self.arrivals if self.rate else None,
            "ps_mode": self.ps_mode,
            "seed": self.seed,
            "engine_threads": self.engine_threads,
            "on_error": self.on_error,
            "ssl_mode": self.ssl_mode,
        }
