"""The resources of an experiment: a server of its own, an engine, a folder, a clock."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from assay.base import clock
from assay.base.errors import AssayError, Interrupted, ServerError, ServerLost
from assay.base.format.job import Action, EngineOptions, ErrorPolicy, Job, Load, Phases
from assay.design.folder import Event, Figure, FinderRecord, Moment, RungFolder, Scalar, Trace
from assay.design.plan import PlannedExperiment
from assay.design.study import EXPERIMENTS
from assay.measurement.run.sampling import Watch
from assay.measurement.source import OwnServer
from assay.system.engine import Interrupts, JobOutcome, run_job
from assay.system.server import Connection, quoted_name


class MakeJob(Protocol):
    """Makes a job for the treatment's workload on the stage's server in its current state.

    Parts left out take the engine's defaults.
    """

    def __call__(
        self,
        action: Action,
        *,
        load: Load | None = None,
        phases: Phases | None = None,
        errors: ErrorPolicy | None = None,
        engine: EngineOptions | None = None,
    ) -> Job: ...


STATEMENT_S = 3600.0
"""Limit for a statement of an experiment: a frozen source or a commit that waits for a replica takes long."""

_KILL_S = 10.0


@contextmanager
def said_of(what: str) -> Iterator[None]:
    """Adds `what` before the message of a server's error."""
    try:
        yield
    except (ServerError, ServerLost) as error:
        raise type(error)(what + error.message, hint=error.hint, code=error.code) from error


@dataclass
class Stage:
    """The stage of one experiment in one run.

    `job(action, **parts)` makes an engine's job for the treatment's workload on this server in its current
    state; `window_s` is the study's measured window; `checks` is whether a job `check` looks at the tables.
    """

    what: PlannedExperiment
    server: OwnServer
    rung: RungFolder
    window_s: float
    checks: bool
    job: MakeJob
    interrupts: Interrupts
    step: Callable[[str], None]
    heard: Callable[[Event], None]
    watch: Watch
    moments: list[Moment] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    _engine: int | None = None

    @property
    def options(self) -> Mapping[str, Scalar]:
        """All options of the experiment."""
        return self.what.options

    @property
    def sessions(self) -> int:
        """Number of connections at work."""
        return int(self.options["sessions"])

    @property
    def database(self) -> str:
        """The workload's database."""
        return self.server.target.database

    def run(
        self, job: Job, *, keep: bool = False, on_event: Callable[[Event], None] | None = None
    ) -> JobOutcome:
        """Runs the engine; with `keep`, its events become those of the rung. The outcome may be an error."""
        if keep:
            self.rung.job.write_bytes(msgspec.json.format(msgspec.json.encode(job)))

        def hear(event: Event) -> None:
            self.heard(event)
            if on_event is not None:
                on_event(event)

        outcome = run_job(
            job,
            interrupts=self.interrupts,
            events_path=self.rung.events.path if keep else None,
            on_start=self._started,
            on_event=hear,
            env=self.server.environment,
            namespace=self.server.namespace,
        )
        self._engine = None
        self.interrupts.raise_if_requested()
        return outcome

    def _started(self, pid: int) -> None:
        self._engine = pid
        self.watch.engine_started(pid)

    def end_engine(self) -> None:
        """Makes the running engine close its window, as Ctrl-C does."""
        if self._engine is not None:
            with suppress(ProcessLookupError):
                os.kill(self._engine, signal.SIGINT)

    def restart(self, variables: Mapping[str, Scalar]) -> float:
        """Ends the server if it lives, and starts it on the same data; returns the seconds to its first
        answer.
        """
        seconds = self.server.restart(variables)
        self.watch.server_started(self.server.pid)
        return seconds

    def moment(self, name: str, at_ns: int | None = None) -> int:
        """Records an event that happens now, or happened at `at_ns`; returns its time in ns."""
        at = clock.wall_ns() if at_ns is None else at_ns
        self.moments.append(Moment(name=name, at_wall_ns=at))
        return at

    @contextmanager
    def connection(self, *, limit_s: float = STATEMENT_S) -> Iterator[Connection]:
        """Opens a connection to the workload's database, in autocommit, with a time limit for each answer."""
        with closing(self.server.connect(read_timeout_s=limit_s)) as connection:
            with connection.cursor() as cursor:
                cursor.execute(f"USE {quoted_name(self.database)}")
            yield connection

    def ask(self, sql: str, *, limit_s: float = STATEMENT_S) -> list[tuple[Any, ...]]:
        """Returns the rows of one statement. Raises ServerError when the server refuses it, ServerLost when
        it goes away.

        An interrupt ends the statement in the server too: it may hold locks that others wait for.
        """
        with (
            self.connection(limit_s=limit_s) as connection,
            connection.cursor() as cursor,
            said_of(f"{sql}: "),
        ):
            try:
                cursor.execute(sql)
            except Interrupted:
                self._end_statement(int(connection.thread_id()))  # type: ignore[no-untyped-call]
                raise
            return list(cursor.fetchall())

    def _end_statement(self, session: int) -> None:
        """Ends the statement of a session of this experiment; does nothing where the server has gone."""
        with suppress(AssayError), self.connection(limit_s=_KILL_S) as connection, connection.cursor() as one:
            one.execute(f"KILL QUERY {session}")

    def found(self, measured: Mapping[str, float]) -> FinderRecord:
        """Returns the record for the run folder; a measure that this server cannot have is left out."""
        known = EXPERIMENTS[self.what.use].measures
        return FinderRecord(
            by=self.what.use,
            options=dict(self.what.options),
            figures=[Figure(name=n, unit=known[n].unit, value=v) for n, v in measured.items()],
            moments=self.moments,
            traces=self.traces,
            facts=self.facts,
        )
