"""A server that is already running (`dsn:`): never started, stopped or configured; its tables are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ConnectError, InputError, ServerError
from assay.folder import RunFolder
from assay.folder.manifest import HostEntry, Scalar
from assay.plan import Treatment
from assay.run import jobs
from assay.run.dataset_key import DATA_SEED
from assay.run.engine import run_job
from assay.run.interrupts import Interrupts
from assay.run.servers import Listener, StartedServer, Step
from assay.run.study_room import StudyRoom
from assay.server import Address, Build, Connection, Instance, RunningServer
from assay.server.variables.reading import server_version
from assay.study.models import GIVEN


def refusals(treatment: Treatment, address: Address) -> Iterator[InputError]:
    """All that the treatment asks for and a server that runs already cannot be given."""
    hint = 'server.use = "mariadb", a version as in "mysql@5.6", or "path:/base/dir"'
    if treatment.experiment is not None:
        yield InputError(
            f"{treatment.experiment.use} needs a server of its own; {address} is not the lab's", hint=hint
        )
    if treatment.client is not None:
        yield InputError(f"load.client is for a server that the lab starts; {address} is reached as it says")
    for key in ("server.dynamic", *(f"server.{key}" for key in GIVEN), "host", "volume"):
        if getattr(treatment, key.rpartition(".")[2]):
            yield InputError(f"{key} needs a server that the lab starts; {address} runs already", hint=hint)


@dataclass(frozen=True)
class ExistingServer:
    """One running server, the same for all its treatments; their variables must be in force already."""

    address: Address
    interrupts: Interrupts

    def check(self, treatments: Sequence[Treatment], room: StudyRoom, *, trying: bool = True) -> None:
        """Logs in and reads back the variables that the study states."""
        if self.address.database is None:
            raise InputError(
                f"dsn: {self.address} names no database",
                hint="Write it at the end: dsn:mysql://user@host:3306/database",
            )
        for treatment in treatments:
            for refused in refusals(treatment, self.address):
                raise refused
            self._verify(treatment)

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """Checks the tables; makes them if they are not there. They stay for the next study."""
        for treatment in treatments:
            step("checking the tables")
            checked = run_job(
                self._job("check", treatment), interrupts=self.interrupts, env=self._environment()
            )
            self.interrupts.raise_if_requested()
            if checked.error is None:
                continue
            if not isinstance(checked.error, ServerError):
                raise checked.error
            step("loading the tables")
            prepared = run_job(
                self._job("prepare", treatment),
                interrupts=self.interrupts,
                env=self._environment(),
                on_event=listener,
            )
            self.interrupts.raise_if_requested()
            prepared.require()
        yield

    @contextmanager
    def started(self, treatment: Treatment, work: RunFolder, step: Step) -> Iterator[StartedServer]:
        """The server as it is, after a look at the stated variables."""
        step("reading the server's variables")
        self._verify(treatment)
        yield _Existing(self.address, treatment, self._environment())

    def _verify(self, treatment: Treatment) -> None:
        RunningServer(self.address, treatment.variables).verify()

    def _job(self, action: str, treatment: Treatment) -> dict[str, Any]:
        return jobs.job(
            action,
            target=jobs.target(self.address),
            workload=treatment.workload,
            options=treatment.workload_options,
            seed=DATA_SEED,
        )

    def _environment(self) -> dict[str, str]:
        name = self.address.password_env
        return {name: os.environ[name]} if name and name in os.environ else {}


@dataclass(frozen=True)
class _Existing:
    """A `StartedServer` that is not ours."""

    address: Address
    treatment: Treatment
    environment: Mapping[str, str]
    pid: None = None
    namespace: None = None
    paths: Sequence[Path] = ()
    host: Sequence[HostEntry] = ()
    volume: None = None

    @property
    def target(self) -> dict[str, Any]:
        return jobs.target(self.address, ps_mode=self.treatment.ps_mode)

    @property
    def dataset(self) -> dict[str, Scalar]:
        return {"id": f"in place: {self.address.database}", "restore": "none", "restore_s": 0.0}

    @property
    def description(self) -> dict[str, Scalar]:
        with closing(self.connect()) as connection:
            version, _ = server_version(connection)
        flavour = "mariadb" if "mariadb" in version.lower() else "mysql"
        return {"flavour": flavour, "version": version, "address": str(self.address)}

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        return self.address.connect(read_timeout_s=read_timeout_s)

    def kill(self) -> None:
        raise InputError(f"{self.address} is not ours to kill")

    def restart(self, variables: Mapping[str, Scalar]) -> float:
        raise InputError(f"{self.address} is not ours to restart")

    def another(self, name: str, variables: Mapping[str, Scalar]) -> AbstractContextManager[Instance]:
        raise InputError(f"{self.address} is not ours to copy")

    @property
    def build(self) -> Build:
        raise InputError(f"{self.address} is not ours: its build is not known")

    def obituary(self) -> str | None:
        try:
            self.connect().close()
        except ConnectError:
            return "the server takes no more connections"
        return None

    def log_tail(self, lines: int) -> str:
        return ""
