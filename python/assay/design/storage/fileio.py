"""Translates the options of sysbench's fileio (1.0.20) into jobs for the engine.

One thing differs, for accuracy: an asynchronous operation is timed to its completion (sysbench times the
submission).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.errors import InputError
from assay.base.format.job import (
    Access,
    DiskAction,
    DiskJob,
    FixedWarmup,
    Io,
    IoKind,
    Phases,
    PoissonArrivals,
    StorageJob,
    SyncEach,
    SyncKind,
    SyncOpen,
    UniformDistribution,
)

FILEIO_MODES = {
    "seqwr": "sequential write (creation)",
    "seqrewr": "sequential rewrite",
    "seqrd": "sequential read",
    "rndrd": "random read",
    "rndwr": "random write",
    "rndrw": "random r/w",
}
FILEIO_WRITES_ONLY = ("seqwr", "seqrewr", "rndwr")
FILEIO_IO_MODES: dict[str, tuple[IoKind, str]] = {
    "sync": ("psync", "synchronous"),
    "async": ("libaio", "asynchronous"),
    "mmap": ("mmap", "mmaped"),
}
FILEIO_FLAGS = ("sync", "dsync", "direct")
_PIECES_DIRECT = 512


@dataclass(frozen=True, kw_only=True)
class Fileio:
    """All options of sysbench's fileio, from the command line or a study. Sizes in bytes, times in
    seconds.
    """

    directory: Path
    file_num: int = 128
    file_block_size: int = 16384
    file_total_size: int = 2 << 30
    file_test_mode: str | None = None
    file_io_mode: str = "sync"
    file_async_backlog: int = 128
    file_extra_flags: tuple[str, ...] = ()
    file_fsync_freq: int = 100
    file_fsync_all: bool = False
    file_fsync_end: bool = True
    file_fsync_mode: SyncKind = "fsync"
    file_rw_ratio: float = 1.5
    threads: int = 1
    time: float = 10.0
    events: int = 0
    rate: float = 0.0
    warmup_time: float = 0.0
    report_interval: float = 0.0
    percentile: float = 95.0
    rand_seed: int = 0
    validate: bool = False

    def __post_init__(self) -> None:
        if self.file_bytes < self.file_block_size:
            raise InputError(
                f"{self.file_num} files of {self.file_total_size} bytes together are too small for one block"
                f" of {self.file_block_size}",
                hint="increase --file-total-size, or decrease --file-num or --file-block-size",
            )
        if "direct" in self.file_extra_flags and self.file_block_size % _PIECES_DIRECT:
            raise InputError("--file-extra-flags=direct needs a --file-block-size that is a multiple of 512")

    @property
    def file_bytes(self) -> int:
        """Size of one file, in bytes."""
        return self.file_total_size // self.file_num

    @property
    def files(self) -> list[Path]:
        """Paths of the files, with the names that sysbench gives them."""
        return [self.directory.absolute() / f"test_file.{number}" for number in range(self.file_num)]

    @property
    def writes(self) -> bool:
        return self.file_test_mode not in ("seqrd", "rndrd")

    def prepare(self) -> DiskJob:
        """Returns the job that creates and fills the files."""
        return self._job("layout", self._storage("seqrd", fill=True), Phases())

    def run(self) -> DiskJob:
        """Returns the job of the load. Raises `InputError` when the load would have no end, or has no files
        to read.
        """
        if self.file_test_mode is None:
            raise InputError("--file-test-mode is missing", hint=f"one of {', '.join(FILEIO_MODES)}")
        if not self.time and not self.events:
            raise InputError(
                "--time 0 without --events would never end",
                hint="Give --time in seconds, or a number of --events.",
            )
        if self.validate and (self.threads > 1 or self.file_test_mode not in FILEIO_WRITES_ONLY):
            raise InputError(
                "--validate needs a single thread that only writes: its blocks are read back after the load",
                hint=f"--threads=1 and --file-test-mode {', '.join(FILEIO_WRITES_ONLY)}",
            )
        missing = [path for path in self.files if not path.is_file()]
        if missing and self.file_test_mode != "seqwr":
            raise InputError(
                f"{missing[0]} does not exist",
                hint="run `assay sysbench fileio prepare` first, with the same sizes",
            )
        storage = self._storage(self.file_test_mode, fill=False)
        phases = Phases(measure_ms=round(self.time * 1000))
        if self.report_interval:
            phases = msgspec.structs.replace(phases, interval_ms=round(self.report_interval * 1000))
        if self.warmup_time:
            warmup = FixedWarmup(duration_ms=round(self.warmup_time * 1000))
            phases = msgspec.structs.replace(phases, warmup=warmup)
        return self._job("storage", storage, phases)

    def storage_job(self) -> StorageJob:
        """Returns the job of the workers, on existing files or, with seqwr, on files it creates."""
        assert self.file_test_mode is not None
        return self._storage(self.file_test_mode, fill=False)

    def _job(self, action: DiskAction, storage: StorageJob, phases: Phases) -> DiskJob:
        seed = self.rand_seed or secrets.randbits(32)
        return DiskJob(version=1, action=action, seed=seed, storage=[storage], phases=phases)

    def _storage(self, mode: str, *, fill: bool) -> StorageJob:
        share = {"seqrd": 1.0, "rndrd": 1.0, "rndrw": self.file_rw_ratio / (1 + self.file_rw_ratio)}
        return StorageJob(
            name=mode,
            group=0,
            clones=self.threads,
            files=[str(path) for path in self.files],
            file_bytes=self.file_bytes,
            fill=fill,
            create=fill or mode == "seqwr",
            anew=mode == "seqwr",  # creation is what is measured
            reserve=False,
            access=Access(
                order="sequential_shared" if mode.startswith("seq") else "random",
                read_share=share.get(mode, 0.0),
                distribution=UniformDistribution(),
                read_blocks=self.file_block_size,
                write_blocks=self.file_block_size,
            ),
            io=Io(
                kind=FILEIO_IO_MODES[self.file_io_mode][0],
                direct="direct" in self.file_extra_flags,
                open_sync=self._open_sync(),
            ),
            depth=self.file_async_backlog if self.file_io_mode == "async" else 1,
            repeat=True,
            limit_operations=-(-self.events // self.threads),
            end_sync=self.file_fsync_end and self.writes,
            invalidate=False,
            verify="after" if self.validate and not fill else "off",
            sync=self._sync(),
            arrivals=PoissonArrivals(rate=self.rate / self.threads) if self.rate else None,
        )

    def _open_sync(self) -> SyncOpen:
        if "sync" in self.file_extra_flags:
            return "sync"
        return "dsync" if "dsync" in self.file_extra_flags else "none"

    def _sync(self) -> SyncEach | None:
        if self.file_fsync_all:
            return SyncEach(writes=1, kind=self.file_fsync_mode)
        if self.file_fsync_freq and self.writes:
            return SyncEach(
                writes=self.file_fsync_freq,
                kind=self.file_fsync_mode,
                all_files=True,
                count_reads=True,
                in_limit=True,
            )
        return None
