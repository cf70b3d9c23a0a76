"""Private servers: each run gets one of its own, started afresh on a copy of the dataset."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.folder import RunFolder
from assay.folder.manifest import Scalar
from assay.plan import Treatment
from assay.run import jobs
from assay.run.dataset import Dataset, datasets_dir, ensure_dataset, find_dataset
from assay.run.dataset_key import DatasetKey, dataset_key
from assay.run.interrupts import Interrupts
from assay.run.servers import Listener, StartedServer, Step
from assay.server import (
    Build,
    Connection,
    Instance,
    PrivateDir,
    check_variables,
    require_space,
    snapshot_copy,
)

_DYING_S = 5.0
"""A killed server takes a moment to give its memory back before it is seen to be gone."""

_HASTY_S = 3.0

Capacity = Callable[[Treatment], Mapping[str, Scalar]]


@dataclass(frozen=True)
class PrivateServers:
    """Servers of one build. `capacity`: what the ladder needs on top of a treatment's variables."""

    build: Build
    capacity: Capacity
    interrupts: Interrupts

    def check(self, treatments: Sequence[Treatment]) -> None:
        """Every treatment's variables asked of the binary; room for the datasets and one copy."""
        for treatment in treatments:
            check_variables(self.build, self._variables(treatment))
        missing = {key.id: key for key in map(self._key, treatments) if find_dataset(key) is None}
        largest = max(self._bytes(self._key(treatment)) for treatment in treatments)
        datasets_dir().mkdir(parents=True, exist_ok=True)
        require_space(
            datasets_dir(),
            sum(key.estimated_bytes() for key in missing.values()) + largest,
            "the datasets of this study and the copy of a run",
        )

    def load(self, treatments: Sequence[Treatment], *, step: Step, listener: Listener) -> None:
        """Builds the datasets that are not there."""
        for treatment in treatments:
            key = self._key(treatment)
            if find_dataset(key) is None:
                step(f"loading the dataset {key.id}")
                self._dataset(treatment, listener)

    @contextmanager
    def started(self, treatment: Treatment, work: RunFolder, step: Step) -> Iterator[StartedServer]:
        """Restores the dataset, starts the server on it, reads every variable back."""
        dataset = self._dataset(treatment, None)
        with PrivateDir() as private:
            data_dir = private.path / "data"
            step("restoring the dataset")
            began = time.monotonic()
            require_space(private.path, dataset.manifest.bytes, "the run's copy of the dataset")
            how = snapshot_copy(dataset.data_dir, data_dir)
            restored = {"restore": how, "restore_s": time.monotonic() - began}
            step("starting the server")
            variables = self._variables(treatment)
            with Instance(self.build, data_dir, variables, work.server_log, work.options_file) as instance:
                try:
                    instance.verify()
                    yield _Private(self.build, instance, dataset, restored, treatment.ps_mode)
                except BaseException:
                    instance.stop(patience_s=_HASTY_S)  # nobody wants what it would still write
                    raise

    def _dataset(self, treatment: Treatment, listener: Listener | None) -> Dataset:
        return ensure_dataset(
            self.build,
            self._key(treatment),
            treatment.variables,
            interrupts=self.interrupts,
            on_event=listener,
        )

    def _variables(self, treatment: Treatment) -> dict[str, Scalar]:
        return {**self.capacity(treatment), **treatment.variables}

    def _key(self, treatment: Treatment) -> DatasetKey:
        return dataset_key(
            self.build.key, treatment.workload, treatment.workload_options, treatment.variables
        )

    def _bytes(self, key: DatasetKey) -> int:
        found = find_dataset(key)
        return key.estimated_bytes() if found is None else found.manifest.bytes


@dataclass(frozen=True)
class _Private:
    """A `StartedServer` of ours."""

    build: Build
    instance: Instance
    source: Dataset
    restored: dict[str, Any]
    ps_mode: str
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def target(self) -> dict[str, Any]:
        return jobs.target(self.instance.address, ps_mode=self.ps_mode)

    @property
    def pid(self) -> int | None:
        return self.instance.pid

    @property
    def paths(self) -> Sequence[Path]:
        return [self.instance.data_dir]

    @property
    def dataset(self) -> dict[str, Scalar]:
        manifest = self.source.manifest
        return {"id": manifest.id, "rows": manifest.rows, "bytes": manifest.bytes, **self.restored}

    @property
    def description(self) -> dict[str, Scalar]:
        return {
            "flavour": self.build.flavour_name,
            "version": self.build.version_number,
            "version_text": self.build.version_text,
            "binary": str(self.build.mysqld),
            "binary_sha256": self.build.sha256,
        }

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        return self.instance.connect(read_timeout_s=read_timeout_s)

    def obituary(self) -> str | None:
        deadline = time.monotonic() + _DYING_S
        while self.instance.alive():
            if time.monotonic() > deadline:
                return None
            time.sleep(0.05)
        status = self.instance.exit_status() or 0
        return (
            f"the server was ended by signal {-status}" if status < 0 else f"the server ended with {status}"
        )

    def log_tail(self, lines: int) -> str:
        return self.instance.log_tail(lines)
