"""Translates a treatment's resources and directories (`server.cpus`, `server.data_dir` …) into types of the
server room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from assay.base.errors import InputError
from assay.design.plan import Treatment
from assay.design.study import number, option_text, parse_size_bytes
from assay.measurement.source.topology import replicas_of
from assay.system.host.volume import Volume, VolumeSpec
from assay.system.server import (
    Build,
    Hosting,
    PrivateDir,
    Volumes,
    disk_use,
    find_allocator,
    home,
    parse_cpus,
    parse_numa,
    redo_files,
)

T = TypeVar("T")

_REDO_BYTES = 100 << 20
"""A redo log at its default size, the largest flavour."""


def hosting(treatment: Treatment, build: Build) -> Hosting:
    """Returns the resources that the machine gives the server. Raises HostError when the allocator
    is not installed.
    """
    return Hosting(
        cpus=_said(treatment, "cpus", parse_cpus) or frozenset(),
        preload=_said(treatment, "allocator", lambda name: find_allocator(name, build)),
        memory_bytes=_said(treatment, "memory", parse_size_bytes),
        cpu_quota=_said(treatment, "cpu_quota", float),
        sync_delay_us=_said(treatment, "sync_delay_ms", lambda text: round(1e3 * float(text))),
        numa=_said(treatment, "numa", parse_numa),
        padding_bytes=treatment.padding_bytes,
    )


def _said(treatment: Treatment, key: str, parse: Callable[[str], T]) -> T | None:
    """Returns the parsed value of a key of the treatment's `[server]`; None when it is not set."""
    value = treatment.given.get(f"server.{key}")
    return None if value is None else parse(str(value))


def volume_spec(treatment: Treatment) -> VolumeSpec | None:
    """Returns the volume that a run of this treatment makes for its data. Raises InputError when its settings
    contradict each other.
    """
    return VolumeSpec.of(treatment.volume)


def volumes(treatment: Treatment) -> Volumes:
    """Returns the directories of the server's files. Raises InputError for a binary log directory without a
    binary log.
    """
    where = Volumes(*(_said(treatment, key, Path) for key in ("data_dir", "redo_dir", "binlog_dir")))
    log_bin = option_text(treatment.variables.get("log_bin", "OFF"))
    off = log_bin.lower() in ("off", "0", "false")
    if where.binlog is not None and off and not replicas_of(treatment):  # a source always writes one
        raise InputError(
            f"server.binlog_dir: {treatment.name} must write a binary log",
            hint='add log_bin = "binlog" to [server] variables (MySQL 5.7 and older: server_id = 1 too)',
        )
    return where


def data_parent(treatment: Treatment) -> Path:
    """Returns the directory under which data or files are made; its file system and disks are those
    measured.
    """
    chosen = treatment.directory or treatment.given.get("server.data_dir")
    return home() if chosen is None else Path(str(chosen))


def make_data_parent(treatment: Treatment, private: PrivateDir) -> tuple[Path, Volume | None]:
    """Returns the run's data directory, on a new volume where the treatment has one; the volume is removed
    with `private`.
    """
    spec = volume_spec(treatment)
    if spec is None:
        return data_parent(treatment), None
    volume = private.volume(spec, data_parent(treatment))
    return volume.point, volume


@contextmanager
def trial_data_parent(treatment: Treatment) -> Iterator[tuple[Path, Volume | None]]:
    """Yields a data directory and volume like those of a run, for a check; the volume is removed when the
    block ends.
    """
    if volume_spec(treatment) is None:
        yield data_parent(treatment), None
        return
    with PrivateDir() as private:
        yield make_data_parent(treatment, private)


def redo_bytes(treatment: Treatment, data_dir: Path | None) -> int:
    """Returns the bytes of the redo log: the larger of its size in `data_dir` and the size that the variables
    set.
    """
    there = 0 if data_dir is None else sum(disk_use(path) for path in redo_files(data_dir))
    wanted = 0
    for name, count in (("innodb_redo_log_capacity", 1), ("innodb_log_file_size", 2)):
        if (size := number(option_text(treatment.variables.get(name, 0)))) is not None:
            files = number(option_text(treatment.variables.get("innodb_log_files_in_group", count)))
            wanted = max(wanted, int(size) * (int(files or count) if count > 1 else 1))
    return max(there, wanted) or _REDO_BYTES
