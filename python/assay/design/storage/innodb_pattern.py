"""Makes jobs that write and read as InnoDB does, without a server: commits, page flushing with its
doublewrite, page reads.

Options have the names of the server's settings from which the load is sized. Four jobs run side by side:

- `reads`: random reads of one page each by the given number of threads: the misses of the buffer pool.
- `pages`: random writes of one page each, innodb_io_capacity of them a second; after each batch an fsync
  of the file.
- `doublewrite`: the same pages, in one write and one fsync for each batch, in the doublewrite file.
- `redo`: appends to the log, by one thread, since writers of the log wait for each other. With
  innodb_flush_log_at_trx_commit = 1 an fsync follows each append; otherwise one each second.

Not modelled: a batch of pages does not wait for its own doublewrite, and nothing is merged or read ahead.
Source: MySQL reference manual, "InnoDB Startup Options and System Variables", "Doublewrite Buffer".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import InputError
from assay.base.format.job import (
    Access,
    ConstantArrivals,
    Io,
    IoKind,
    PoissonArrivals,
    StorageJob,
    SyncEach,
    UniformDistribution,
)
from assay.design.storage.fileio_options import among, ratio, size, switch, whole
from assay.design.study import LoadKind, Scalar, did_you_mean
from assay.design.study.storage import DOUBLEWRITE, PAGES, READS, REDO

FLUSH_METHODS = ("O_DIRECT", "O_DIRECT_NO_FSYNC", "fsync", "O_DSYNC")
_QUEUE = 64
"""Page writes in flight: a batch."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of the modelled server, and the sizes of its files in bytes. Defaults are those of MySQL
    8.4.
    """

    innodb_page_size: int = 16384
    innodb_flush_method: str = "O_DIRECT"
    innodb_doublewrite: bool = True
    innodb_doublewrite_pages: int = 128
    innodb_flush_log_at_trx_commit: int = 1
    innodb_io_capacity: int = 10_000
    innodb_redo_log_capacity: int = 100 << 20
    redo_write_size: int = 4096  # of one commit, or of a group of them
    commits_per_s: float = 1000.0  # where they do not wait for the disk
    data_size: int = 1 << 30


_READ = {
    "innodb_page_size": size,
    "innodb_flush_method": among(FLUSH_METHODS),
    "innodb_doublewrite": switch,
    "innodb_doublewrite_pages": whole(1),
    "innodb_flush_log_at_trx_commit": whole(0),
    "innodb_io_capacity": whole(0),
    "innodb_redo_log_capacity": size,
    "redo_write_size": size,
    "commits_per_s": ratio,
    "data_size": size,
}


def read_settings(options: Mapping[str, Scalar]) -> Settings:
    """Returns the settings in a study's options. Raises InputError, which names the key, for a wrong
    value.
    """
    found: dict[str, Any] = {}
    for name, value in options.items():
        if name not in _READ:
            raise InputError(f"workload.{name}: innodb-pattern has no such option{did_you_mean(name, _READ)}")
        try:
            found[name] = _READ[name](value)
        except ValueError as error:
            raise InputError(f"workload.{name}: {value}: {error}") from error
    settings = Settings(**found)
    if settings.innodb_flush_log_at_trx_commit > 2:
        raise InputError("workload.innodb_flush_log_at_trx_commit: expected 0, 1 or 2")
    if settings.data_size < settings.innodb_page_size:
        raise InputError("workload.data_size: must be at least one page")
    return settings


def pattern(options: Mapping[str, Scalar], kind: LoadKind, point: float, directory: Path) -> list[StorageJob]:
    """Returns the jobs of one rung: a number of reading threads (`threads`), or pages flushed a second
    (`rate`).
    """
    if kind == "iodepth":
        raise InputError(
            "load.iodepth: cannot be the ladder of innodb-pattern, which has reading threads or a rate of"
            " flushed pages",
            hint="write [load] threads = [1, 16], or rate = [1000, 4000]",
        )
    if kind == "rate" and "innodb_io_capacity" in options:
        raise InputError("workload.innodb_io_capacity: [load] rate sets it at each rung; keep one of them")
    settings = read_settings(options)
    flushed = point if kind == "rate" else float(settings.innodb_io_capacity)
    data = _job(READS, str(directory / "data"), settings.data_size, _page(settings, 1.0), _data_io(settings))
    jobs = [
        msgspec.structs.replace(data, clones=round(point) if kind == "threads" else 1),
        _commits(settings, str(directory / "redo")),
    ]
    if flushed:
        jobs += _flushing(settings, flushed, data.files[0], str(directory / "doublewrite"))
    return [msgspec.structs.replace(job, group=number) for number, job in enumerate(jobs)]


def _job(name: str, file: str, file_bytes: int, access: Access, io: Io) -> StorageJob:
    return StorageJob(
        name=name, files=[file], file_bytes=file_bytes, fill=True, repeat=True, access=access, io=io
    )


def _page(settings: Settings, share: float) -> Access:
    block = settings.innodb_page_size
    return Access(
        order="random",
        read_share=share,
        distribution=UniformDistribution(),
        read_blocks=block,
        write_blocks=block,
    )


def _append(block: int) -> Access:
    return Access(order="sequential", read_share=0.0, read_blocks=block, write_blocks=block)


def _data_io(settings: Settings, kind: IoKind = "psync") -> Io:
    return Io(kind=kind, direct=settings.innodb_flush_method.startswith("O_DIRECT"))


def _commits(settings: Settings, redo: str) -> StorageJob:
    synchronous = settings.innodb_flush_method == "O_DSYNC"
    io = Io(kind="psync", open_sync="sync" if synchronous else "none")
    job = _job(REDO, redo, settings.innodb_redo_log_capacity, _append(settings.redo_write_size), io)
    if settings.innodb_flush_log_at_trx_commit == 1:
        return job if synchronous else msgspec.structs.replace(job, sync=SyncEach(writes=1))
    each_second = max(round(settings.commits_per_s), 1)
    arrivals = PoissonArrivals(rate=settings.commits_per_s)
    return msgspec.structs.replace(job, sync=SyncEach(writes=each_second), arrivals=arrivals)


def _flushing(settings: Settings, pages_per_s: float, data: str, doublewrite: str) -> list[StorageJob]:
    batch = settings.innodb_doublewrite_pages
    synced = settings.innodb_flush_method != "O_DIRECT_NO_FSYNC"
    pages = msgspec.structs.replace(
        _job(PAGES, data, settings.data_size, _page(settings, 0.0), _data_io(settings, "libaio")),
        depth=_QUEUE,
        arrivals=ConstantArrivals(rate=pages_per_s),
        sync=SyncEach(writes=batch) if synced else None,
    )
    if not settings.innodb_doublewrite:
        return [pages]
    block = batch * settings.innodb_page_size
    twice = msgspec.structs.replace(
        _job(DOUBLEWRITE, doublewrite, 4 * block, _append(block), _data_io(settings)),
        arrivals=ConstantArrivals(rate=pages_per_s / batch),
        sync=SyncEach(writes=1),
    )
    return [pages, twice]
