"""Records what was measured of one disk, and what the machine says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.results.stats import ConfidenceInterval, geometric_interval
from assay.results.verdict import Severity

PAGE = 16384
"""Bytes of a page of InnoDB."""
COMMIT = 512
"""Bytes of the smallest write to InnoDB's redo log: one block of it, as a small commit makes."""
CONFIDENCE = 0.95

LoadKind = Literal["log", "read", "write"]


@dataclass(frozen=True)
class DiskLoad:
    """One load: appends to a log with a sync after each (`log`), or random reads or writes of pages."""

    kind: LoadKind
    block_bytes: int
    depth: int = 1

    @property
    def commits(self) -> int:
        """How many small commits one append of a log holds, where they share a sync."""
        return max(self.block_bytes // COMMIT, 1)


@dataclass(frozen=True)
class TimesSeen:
    """Times of one kind of operation over all windows, in microseconds; `count` 0: none ended."""

    count: int = 0
    mean_us: float = 0.0
    p50_us: float = 0.0
    p99_us: float = 0.0
    p999_us: float = 0.0
    max_us: float = 0.0


@dataclass(frozen=True)
class LoadMeasured:
    """One load in all blocks: operations a second in each, their mean times in each, and all times together.

    The times of a log are those of its syncs.
    """

    load: DiskLoad
    rates: tuple[float, ...]
    means_us: tuple[float, ...]
    times: TimesSeen

    @property
    def rate(self) -> ConfidenceInterval:
        """The rate over the blocks, with its interval."""
        return _over_blocks(self.rates)

    @property
    def mean_us(self) -> ConfidenceInterval:
        """The mean time over the blocks, with its interval."""
        return _over_blocks(self.means_us)


@dataclass(frozen=True)
class Course:
    """Random writes of pages beside a log, without a pause: operations a second in each interval, and the
    times of the log's syncs.
    """

    interval_s: float
    pages: tuple[float, ...]
    commits: tuple[float, ...]
    syncs: TimesSeen


@dataclass(frozen=True)
class Flushes:
    """How often files were synced, and how many flushes of its cache the device was given meanwhile."""

    syncs: int
    flushes: int

    @property
    def each(self) -> float:
        """Flushes for each sync."""
        return self.flushes / self.syncs if self.syncs else 0.0


@dataclass(frozen=True)
class Device:
    """A block device beneath the files, as the kernel describes it; None where it says nothing."""

    name: str
    kind: str  # disk, partition, loop, device-mapper, md
    model: str | None = None
    driver: str | None = None
    rotational: bool | None = None
    write_cache: str | None = None  # "write back" or "write through": what the kernel believes
    drive_write_cache: str | None = None  # the same, as a SCSI disk itself says it
    fua: bool | None = None  # whether single writes can be made durable
    size_bytes: int | None = None


@dataclass(frozen=True)
class Place:
    """Where the files were: directory, file system and devices, the lowest last."""

    directory: str
    mount: str
    file_system: str
    options: tuple[str, ...]
    devices: tuple[Device, ...]
    virtualisation: str | None
    host: str
    kernel: str

    @property
    def disks(self) -> tuple[Device, ...]:
        """The devices at the bottom: whole disks and loop devices."""
        return tuple(one for one in self.devices if one.kind in ("disk", "loop"))


@dataclass(frozen=True)
class DiskDoubt:
    """A reason to distrust the figures; `facts` are the figures in its sentence by name."""

    kind: str
    severity: Severity
    facts: Mapping[str, str | int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class DiskMeasured:
    """Everything that was measured. `planned` blocks were to be measured, each load once in each; with
    `interrupted` it ended before.
    """

    place: Place
    began: str  # UTC, ISO 8601
    took_s: float
    planned: int
    file_bytes: int
    direct: bool  # past the page cache
    loads: tuple[LoadMeasured, ...]
    course: Course | None
    flushes: Flushes | None
    doubts: tuple[DiskDoubt, ...]
    interrupted: bool = False

    def of(self, kind: LoadKind) -> tuple[LoadMeasured, ...]:
        """Returns the loads of a kind, small and shallow ones first."""
        some = (one for one in self.loads if one.load.kind == kind)
        return tuple(sorted(some, key=lambda one: (one.load.block_bytes, one.load.depth)))

    @property
    def commit(self) -> LoadMeasured | None:
        """One session that commits alone: the smallest append; None where it was not measured."""
        return next(iter(self.of("log")), None)

    @property
    def group(self) -> LoadMeasured | None:
        """Many commits that share a sync: the largest append; None where there is no larger one."""
        logs = self.of("log")
        return logs[-1] if len(logs) > 1 else None


def scaled(found: ConfidenceInterval, by: float) -> ConfidenceInterval:
    """Returns an interval in another unit, so many of which are one of its own."""
    low, high = (None if end is None else end * by for end in (found.low, found.high))
    return ConfidenceInterval(found.value * by, low, high, found.n)


def _over_blocks(values: tuple[float, ...]) -> ConfidenceInterval:
    kept = [value for value in values if value > 0]
    if not kept or len(kept) < len(values):  # a block in which nothing ended has no logarithm
        return ConfidenceInterval(sum(values) / max(len(values), 1), None, None, len(values))
    return geometric_interval(kept, CONFIDENCE)
