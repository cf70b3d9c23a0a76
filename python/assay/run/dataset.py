"""Datasets: loaded once on a server of their own, shut down cleanly, kept, and copied for every run."""

from __future__ import annotations

import fcntl
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.folder import Event
from assay.folder.manifest import Scalar
from assay.run import jobs
from assay.run.dataset_key import DatasetKey
from assay.run.engine import run_job
from assay.run.interrupts import Interrupts
from assay.run.journal import write_whole
from assay.server import Build, Instance, disk_use, home, initialise, known_only, require_space

LOADING: dict[str, Scalar] = {
    "innodb_flush_log_at_trx_commit": 0,  # a load that is cut short is thrown away as a whole
    "innodb_buffer_pool_dump_at_shutdown": "OFF",  # every run starts as cold as every other
}
"""How a server runs while it loads."""

_CLEAN_STOP_S = 600.0


class DatasetManifest(msgspec.Struct, frozen=True, kw_only=True):
    """`manifest.json`, written last: a dataset without it is not there."""

    id: str
    build: str
    workload: str
    options: dict[str, Scalar]
    variables: dict[str, Scalar]
    seed: int
    tables: int
    rows: int
    bytes: int  # of the data directory on disk
    seconds: float  # that the load took
    created_wall_ns: int


@dataclass(frozen=True)
class Dataset:
    """A data directory at rest; nothing writes into it any more."""

    path: Path
    manifest: DatasetManifest

    @property
    def data_dir(self) -> Path:
        return self.path / "data"


def datasets_dir() -> Path:
    """Where datasets are kept."""
    return home() / "datasets"


def find_dataset(key: DatasetKey) -> Dataset | None:
    """The dataset if it has been built."""
    path = datasets_dir() / key.id
    manifest = path / "manifest.json"
    if not manifest.is_file():
        return None
    return Dataset(path, msgspec.json.decode(manifest.read_bytes(), type=DatasetManifest))


def ensure_dataset(
    build: Build,
    key: DatasetKey,
    variables: Mapping[str, Scalar],
    *,
    interrupts: Interrupts,
    on_event: Callable[[Event], None] | None = None,
) -> Dataset:
    """The dataset, built now if it is not there. `variables`: the treatment's, for the buffer pool's size.

    Two processes that want the same one build it once: the second waits for the first.
    """
    with _locked(key.id):
        found = find_dataset(key)
        if found is not None:
            return found
        part = datasets_dir() / f".{key.id}.part"
        shutil.rmtree(part, ignore_errors=True)  # left by a builder that was killed: it would hold the lock
        require_space(datasets_dir(), key.estimated_bytes(), f"the dataset {key.id}")
        part.mkdir()
        try:
            _load(build, key, variables, part, interrupts, on_event)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
        part.rename(datasets_dir() / key.id)
    found = find_dataset(key)
    assert found is not None
    return found


def _load(
    build: Build,
    key: DatasetKey,
    variables: Mapping[str, Scalar],
    part: Path,
    interrupts: Interrupts,
    on_event: Callable[[Event], None] | None,
) -> None:
    began = time.monotonic()
    data_dir = part / "data"
    settings = {**_sizes(variables), **key.variables, **known_only(build, LOADING)}
    initialise(build, data_dir, key.variables)
    with Instance(build, data_dir, settings, part / "server.log", part / "my.cnf") as server:
        job = jobs.job(
            "prepare",
            target=jobs.target(server.address),
            workload=key.workload,
            options=key.options,
            seed=key.seed,
        )
        outcome = run_job(job, interrupts=interrupts, events_path=part / "events.jsonl", on_event=on_event)
        interrupts.raise_if_requested()
        done = outcome.require().done
        assert done is not None
        server.stop(
            clean=True, patience_s=_CLEAN_STOP_S
        )  # purged and merged: no run inherits the load's debts
    manifest = DatasetManifest(
        id=key.id,
        build=key.build,
        workload=key.workload,
        options=key.options,
        variables=key.variables,
        seed=key.seed,
        tables=done.tables,
        rows=done.rows,
        bytes=disk_use(data_dir),
        seconds=time.monotonic() - began,
        created_wall_ns=time.time_ns(),
    )
    write_whole(part / "manifest.json", msgspec.json.format(msgspec.json.encode(manifest)))


def _sizes(variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    wanted = ("innodb_buffer_pool_size", "innodb_log_file_size", "innodb_redo_log_capacity")
    return {name: variables[name] for name in wanted if name in variables}


def sweep_unfinished() -> list[str]:
    """Removes datasets whose builder was killed; says what was done, a line each."""
    done = []
    for part in sorted(datasets_dir().glob(".*.part")) if datasets_dir().is_dir() else []:
        with part.with_suffix(".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # somebody is at it
            shutil.rmtree(part, ignore_errors=True)
            done.append(f"removed the unfinished dataset {part.stem.removeprefix('.')}")
    return done


@contextmanager
def _locked(name: str) -> Iterator[None]:
    datasets_dir().mkdir(parents=True, exist_ok=True)
    with (datasets_dir() / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
