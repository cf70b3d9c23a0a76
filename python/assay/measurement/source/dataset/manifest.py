"""A stored dataset: its directory and manifest, its last use, and its locks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.errors import InputError
from assay.base.locks import locked, take
from assay.base.wording import counted
from assay.design.folder import Scalar
from assay.design.plan import OwnData
from assay.design.study import did_you_mean
from assay.measurement.source.dataset.fingerprint import Fingerprint, check_files
from assay.measurement.source.dataset.inputs import first_changed
from assay.measurement.source.dataset.key import DatasetKey
from assay.system.server import DATABASE, home

MANIFEST = "manifest.json"


class DatasetManifest(msgspec.Struct, frozen=True, kw_only=True):
    """`manifest.json`, written last: without it a dataset does not exist. Its mtime is the dataset's last
    use.
    """

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
    fingerprint: Fingerprint | None = None  # older datasets have none
    load: int = 1  # the number of this load of the same rows
    script: str | None = None  # SHA-256 of the script that made the tables
    data: str | None = None  # digest of the data of one's own that it was made from
    database: str | None = None  # that holds the tables; older datasets do not say
    checksums: dict[str, int | None] = {}  # of those tables, by CHECKSUM TABLE
    notes: list[str] = []  # what of those data was left out or replaced, in sentences
    files_read: dict[str, str] = {}  # by that script, beside its own: their content by name
    other_inputs: list[str] = []  # functions by which it may have read what nobody sees


@dataclass(frozen=True)
class Dataset:
    """A data directory at rest, which nothing writes to any more. Its last use is the one when it was
    read.
    """

    path: Path
    manifest: DatasetManifest
    last_used_wall_ns: int

    @property
    def data_dir(self) -> Path:
        return self.path / "data"

    def database_of(self, own: OwnData | None) -> str:
        """Returns the database that holds the tables, which were made of data of one's own or by a
        workload.
        """
        return self.manifest.database or (own.database if own is not None else None) or DATABASE

    def data_id(self, key: DatasetKey) -> str:
        """The id of the data of this key, whatever server build holds it."""
        return key.data_id + self.manifest.id.removeprefix(key.id)

    def touch(self) -> None:
        """Marks the dataset as used now."""
        os.utime(self.path / MANIFEST)

    @contextmanager
    def held(self) -> Iterator[Dataset]:
        """Keeps the dataset from being removed for the length of the block, or until the process dies."""
        with (self.path / MANIFEST).open("rb") as file:
            take(file, shared=True, wait=True)
            yield self

    def in_use(self) -> bool:
        """Returns whether a process holds the dataset now."""
        try:
            with (self.path / MANIFEST).open("rb") as file:
                return not take(file)
        except FileNotFoundError:
            return False  # removed meanwhile

    def check_copy(self, data_dir: Path) -> None:
        """Raises HostError when a copy of the data directory does not have the fingerprint of the load."""
        if self.manifest.fingerprint is not None:
            check_files(self.manifest.id, self.manifest.fingerprint, data_dir)


def datasets_dir() -> Path:
    """Returns the directory of datasets."""
    return home() / "datasets"


def find_dataset(key: DatasetKey) -> Dataset | None:
    """Returns the dataset with this key; None when it has not been built.

    One that a script made must have been made from files that are still the same. Where nobody sees what the
    script reads, no dataset that is kept counts.
    """
    if key.script is None and key.own is None:
        return _read(datasets_dir() / key.id)
    kept = filter(None, map(_read, sorted(datasets_dir().glob(f"{key.id}*"))))
    for dataset in kept:
        manifest = dataset.manifest
        if not manifest.other_inputs and first_changed(manifest.files_read) is None:
            return dataset
    return None


def read_dataset(path: Path) -> Dataset:
    """Returns the dataset in this directory, which has just been made."""
    found = _read(path)
    assert found is not None
    return found


def datasets() -> list[Dataset]:
    """Returns all datasets, the last used first. One whose manifest cannot be read is left out."""
    found = []
    for file in datasets_dir().glob(f"[!.]*/{MANIFEST}"):
        with contextlib.suppress(msgspec.MsgspecError):
            dataset = _read(file.parent)
            found += [] if dataset is None else [dataset]
    return sorted(found, key=lambda dataset: dataset.last_used_wall_ns, reverse=True)


def find_named(word: str) -> Dataset:
    """Returns the dataset whose id is, or begins with, this word. Raises InputError when there is none, or
    more than one.
    """
    kept = datasets()
    for dataset in kept:
        if dataset.manifest.id == word:
            return dataset
    ids = sorted(dataset.manifest.id for dataset in kept if word and dataset.manifest.id.startswith(word))
    if len(ids) > 1:
        others = f" or {counted(len(ids) - 3, 'other')}" if len(ids) > 3 else ""
        raise InputError(
            f'"{word}" may be {" or ".join(ids[:3])}{others}', hint="give more characters of the id"
        )
    if not ids:
        known = sorted(dataset.manifest.id for dataset in kept)
        raise InputError(
            f'no dataset "{word}" is kept here{did_you_mean(word, known)}',
            hint="list them: assay dataset list",
        )
    return next(dataset for dataset in kept if dataset.manifest.id == ids[0])


def dataset_lock(name: str, *, wait: bool = True) -> AbstractContextManager[None]:
    """Returns a lock that lets one process at a time build or remove the dataset of this id. Raises
    BlockingIOError without `wait` when it is taken.
    """
    datasets_dir().mkdir(parents=True, exist_ok=True)
    return locked(datasets_dir() / f".{name}.lock", wait=wait)


def _read(path: Path) -> Dataset | None:
    try:
        with (path / MANIFEST).open("rb") as file:
            manifest = msgspec.json.decode(file.read(), type=DatasetManifest)
            return Dataset(path, manifest, os.fstat(file.fileno()).st_mtime_ns)
    except FileNotFoundError:
        return None
