"""A server under test that the lab starts on a copy of its dataset and ends with its run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.base.format.job import Target
from assay.design.folder import Doubted, HostEntry, Scalar
from assay.design.plan import Treatment
from assay.measurement.source.dataset import Dataset, samples_file
from assay.system.engine import jobs
from assay.system.host.volume import Volume
from assay.system.server import (
    Address,
    Build,
    ClientNetwork,
    Connection,
    Instance,
    PrivateDir,
    fit_files,
    known_only,
    snapshot_copy,
)

_RECOVERY_S = 1800.0
"""Seconds allowed for a start, since a server with much redo to apply answers late."""


@dataclass(frozen=True)
class OwnServer:
    """A `Server` that the lab started on a copy of a dataset: it can be killed, started again and copied."""

    build: Build
    instance: Instance
    source: Dataset
    data_id: str
    restored: dict[str, Any]
    treatment: Treatment
    network: ClientNetwork | None = None
    host: Sequence[HostEntry] = ()
    volume: Volume | None = None
    doubts: Sequence[Doubted] = ()

    @property
    def target(self) -> Target:
        made = jobs.target(
            self._address, ps_mode=self.treatment.ps_mode, server_session=self.treatment.variables
        )
        return jobs.in_database(made, self._database)

    @property
    def lab_address(self) -> Address:
        return replace(self.instance.address, database=self._database)

    @property
    def _database(self) -> str:
        """The database of the tables, which a dump may name itself."""
        return self.source.database_of(self.treatment.own_data)

    @property
    def environment(self) -> Mapping[str, str]:
        return self._address.environment()

    @property
    def password(self) -> str | None:
        """The password with which root logs in over TCP; None when the server does not listen on TCP."""
        return self.instance.password

    @property
    def _address(self) -> Address:
        over_tcp = self.treatment.client in ("tcp", "netns")
        return self.instance.tcp_address if over_tcp else self.instance.address

    @property
    def namespace(self) -> Path | None:
        return None if self.network is None else self.network.namespace

    @property
    def pid(self) -> int:
        return self.instance.pid

    @property
    def paths(self) -> Sequence[Path]:
        return [self.instance.data_dir, *self.instance.layout.paths]

    @property
    def dataset(self) -> dict[str, Scalar]:
        manifest = self.source.manifest
        known = {} if manifest.fingerprint is None else {"tables_sha256": manifest.fingerprint.content}
        return {
            "id": manifest.id,
            "data": self.data_id,
            "load": manifest.load,
            "rows": manifest.rows,
            "bytes": manifest.bytes,
            **known,
            **({} if self.treatment.own_data is None else {"made_from": self.treatment.own_data.use}),
            **self.restored,
        }

    @property
    def samples(self) -> Path | None:
        return samples_file(self.data_id)

    @property
    def description(self) -> dict[str, Scalar]:
        return {
            "flavour": self.build.flavour_name,
            "version": self.build.version_number,
            "version_text": self.build.version_text,
            "binary": str(self.build.mysqld),
            "binary_sha256": self.build.sha256,
            **self.instance.given(),
            **self._client(),
        }

    def _client(self) -> dict[str, Scalar]:
        if self.treatment.client is None:
            return {}
        delay: dict[str, Scalar] = {} if self.network is None else {"delay_ms": self.treatment.delay_ms}
        return {"client": self.treatment.client, **delay}

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        return self.instance.connect(read_timeout_s=read_timeout_s)

    def kill(self) -> None:
        """Kills the server (SIGKILL), as a crash does, and returns when it has ended. Raises HostError when
        the kernel cannot end it.
        """
        self.instance.kill()

    def restart(self, variables: Mapping[str, Scalar]) -> float:
        """Ends the server if it lives, and starts it on the same data with these variables added.

        Returns the seconds from the start to the first answer.
        """
        self.instance.stop()
        self.instance.variables.update(known_only(self.build, variables))
        self.instance.start(ready_timeout_s=_RECOVERY_S)
        seconds = time.monotonic() - self.instance.launched_s
        self.instance.set_running(self.treatment.dynamic)
        return seconds

    @contextmanager
    def another(self, name: str, variables: Mapping[str, Scalar]) -> Iterator[Instance]:
        """Starts a further server of the same build on a copy of its dataset, which is removed when the block
        ends.

        It has this server's variables, and these besides; its log and options are in the run folder under
        `name`.
        """
        with PrivateDir() as private:
            data_dir = private.path / "data"
            snapshot_copy(self.source.data_dir, data_dir)
            self.source.check_copy(data_dir)
            (data_dir / "auto.cnf").unlink(missing_ok=True)  # MySQL's name of this one server
            variables = {**self.instance.variables, **variables}
            fit_files(self.build, data_dir, variables)
            instance = Instance(
                self.build,
                data_dir,
                variables,
                self.instance.log.path.with_name(f"{name}.log"),
                self.instance.options_path.with_name(f"{name}.cnf"),
                hosting=self.instance.hosting,
            )
            try:
                instance.start()
                instance.verify()
                instance.set_running(self.treatment.dynamic)
                yield instance
            finally:
                instance.stop(patience_s=0)  # nobody wants what it would still write

    def how_it_ended(self) -> str | None:
        return self.instance.how_it_ended()

    def log_tail(self, lines: int) -> str:
        return self.instance.log_tail(lines)
