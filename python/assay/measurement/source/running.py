"""Provides a server that is already running (`dsn:`): never started or stopped; its tables are kept, and it
gets back the variables that a run sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import ConnectError, ServerError
from assay.base.format.job import Target
from assay.design.folder import Doubted, HostEntry, RunFolder, Scalar
from assay.design.plan import Treatment
from assay.measurement.source.account import check_limits, log_in_as_the_load
from assay.measurement.source.disk_budget import DiskBudget
from assay.measurement.source.held_server import held
from assay.measurement.source.named_errors import named
from assay.measurement.source.rights import (
    DENIED,
    lacking_for_load,
    lacking_for_samples,
    lacking_for_tables,
)
from assay.measurement.source.running_limits import refusals
from assay.measurement.source.running_tables import ExistingTables, Loaders
from assay.measurement.source.script_tables import ScriptTables
from assay.measurement.source.session_check import check_session
from assay.measurement.source.settable import check_settable
from assay.measurement.source.sources import Listener, Step
from assay.measurement.source.trial_starts import Trials
from assay.measurement.source.writing import require_reads, writes_rows
from assay.system.engine import Interrupts, jobs
from assay.system.server import Address, Connection, RunningServer
from assay.system.server.flavour import Version
from assay.system.server.variables import server_identity


@dataclass(frozen=True)
class ExistingServer:
    """One running server for all its treatments, whose variables must be in force already. `loaders` load its
    tables; None: an engine of this machine does. With `read_only` nothing is made or written there.
    """

    address: Address
    interrupts: Interrupts
    loaders: Loaders | None = None
    connections: int = 0  # of the load, at most
    read_only: bool = False
    doubts: dict[tuple[str, str], list[Doubted]] = field(default_factory=dict)  # of tables, by who has them

    def version(self) -> tuple[str, Version]:
        """Returns flavour and version as the server states them. Raises ConnectError when nobody answers."""
        with closing(self.address.connect()) as connection:
            identity = server_identity(connection)
        return identity.flavour.name, identity.version

    def check(
        self,
        treatments: Sequence[Treatment],
        budget: DiskBudget,
        *,
        trying: bool = True,
        trials: Trials | None = None,
    ) -> None:
        """Raises an error for what a running server cannot have; then logs in and reads the stated variables
        back. With `trying` the variables that runs set are set and given back. With `trials` of every server
        it also logs in as the load does, and asks what the account may do.
        """
        for treatment in treatments:
            for refused in refusals(treatment, self.address):
                raise refused
        with closing(self.address.connect()) as connection:
            check_limits(connection, self.address, self.connections)
        for treatment in treatments:
            self._verify(treatment)
        if self.read_only:
            for treatment in treatments:
                require_reads(self.address, treatment)
        every = trials is not None and trials.every
        self._check_sessions(treatments, makes=every and not self.read_only)
        if any(treatment.dynamic for treatment in treatments):
            with closing(self.address.connect()) as connection:
                check_settable(connection, treatments, self.address)
        if trying:
            with held(self.address) as server:
                for treatment in treatments:
                    with server.set(treatment.dynamic):
                        pass
        if trials is not None and every:
            trials.step(f"logging in to {self.address} as the load does")
            log_in_as_the_load(self.address, self.interrupts)
            self._check_rights(treatments, trials.step)

    def _check_rights(self, treatments: Sequence[Treatment], step: Step) -> None:
        """Raises an error for rights that the account lacks for tables that are to be made, or for the load;
        says which samples it cannot have.
        """
        database = self.address.database or ""
        # Which tables a script uses, and of which database, only the script knows.
        known = [treatment for treatment in treatments if treatment.script is None]
        with closing(self.address.connect()) as connection:
            of_tables = None if self.read_only else lacking_for_tables(connection, database)
            of_load = known and lacking_for_load(connection, database, writes=any(map(writes_rows, known)))
            of_samples = lacking_for_samples(connection)
        if of_samples is not None:
            step(
                f"the account at {self.address} may not {of_samples.what}, which are not recorded:"
                f" {of_samples.grant}"
            )
        if of_load:  # before the engine logs in with the database, which such an account may not
            raise ServerError(
                f"the account at {self.address} may not {of_load.what}: {of_load.said}",
                hint=of_load.grant if of_tables is None else of_tables.grant,
                code=DENIED,
            )
        for treatment in _with_tables(treatments):
            if self.read_only:
                self._tables_of(treatment).require(None)
            elif of_tables is not None:
                self._tables_of(treatment).require(of_tables.said, hint=of_tables.grant)

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """Holds the server for this study, checks the tables, and makes missing ones, which stay for later
        studies.
        """
        with held(self.address) as server:
            for treatment in _with_tables(treatments):
                with named([treatment], treatments):
                    doubts = self._tables_of(treatment).ready(step, listener)
                self.doubts[_tables(treatment)] = doubts
                for doubt in doubts:
                    note(doubt.message)
            try:
                yield
            finally:
                while server.said:
                    note(f"! {server.said.pop(0)}")

    @contextmanager
    def started(self, treatment: Treatment, work: RunFolder, step: Step) -> Iterator[ServerInPlace]:
        """Yields the server after a check of the stated variables, with those set that the run sets."""
        step("reading the server's variables")
        self._verify(treatment)
        with held(self.address) as server, server.set(treatment.dynamic):
            yield ServerInPlace(
                self.address,
                treatment,
                self.address.environment(),
                doubts=tuple(self.doubts.get(_tables(treatment), ())),
            )

    def _tables_of(self, treatment: Treatment) -> ExistingTables | ScriptTables:
        if treatment.script is not None:
            return ScriptTables(
                self.address, treatment, treatment.script, self.interrupts, read_only=self.read_only
            )
        return ExistingTables(
            self.address, treatment, self.interrupts, self.loaders, read_only=self.read_only
        )

    def _check_sessions(self, treatments: Sequence[Treatment], *, makes: bool) -> None:
        """Asks the server whether it would refuse the load; `makes`: also the tables that are not there."""
        for treatment in treatments:
            with closing(self.address.connect()) as connection:
                check_session(
                    connection,
                    treatment,
                    str(self.address),
                    connections=self.connections,
                    make_tables=self._tables_of(treatment).require if makes else None,
                )

    def _verify(self, treatment: Treatment) -> None:
        RunningServer(self.address, treatment.variables).verify()


def _with_tables(treatments: Sequence[Treatment]) -> list[Treatment]:
    """Returns one treatment for each set of tables."""
    return list({_tables(treatment): treatment for treatment in treatments}.values())


def _tables(treatment: Treatment) -> tuple[str, str]:
    """Returns the key of a treatment's tables; treatments with equal keys share them."""
    return treatment.workload, repr(sorted(treatment.workload_options.items()))


@dataclass(frozen=True)
class ServerInPlace:
    """A server under test that runs already and that the lab did not start."""

    address: Address
    treatment: Treatment
    environment: Mapping[str, str]
    pid: None = None
    namespace: None = None
    paths: Sequence[Path] = ()
    host: Sequence[HostEntry] = ()
    volume: None = None
    doubts: Sequence[Doubted] = ()

    @property
    def lab_address(self) -> Address:
        return self.address

    @property
    def target(self) -> Target:
        return jobs.target(
            self.address,
            ps_mode=self.treatment.ps_mode,
            server_session={**self.treatment.variables, **self.treatment.dynamic},
        )

    @property
    def dataset(self) -> dict[str, Scalar]:
        return {"id": f"in place: {self.address.database}", "restore": "none", "restore_s": 0.0}

    @property
    def description(self) -> dict[str, Scalar]:
        with closing(self.connect()) as connection:
            identity = server_identity(connection)
        unread = {"flavour_unread": identity.unread} if identity.unread else {}
        named = {"flavour": identity.flavour.name, "version": identity.version_text}
        return {**named, "address": str(self.address), **unread}

    @property
    def samples(self) -> Path | None:
        return None

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        return self.address.connect(read_timeout_s=read_timeout_s)

    def how_it_ended(self) -> str | None:
        try:
            self.connect().close()
        except ConnectError:
            return "the server takes no more connections"
        return None

    def log_tail(self, lines: int) -> str:
        return ""
