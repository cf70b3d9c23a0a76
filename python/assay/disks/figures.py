"""What a storage run came to: numbers, read once from the engine's result, for every form of output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

from assay.disks.times import Times, read_times
from assay.folder import Direction, DiskJobResult, DiskUse, RunResult


@dataclass(frozen=True)
class Spread:
    """Of a rate over the intervals of the window; all 0 when none was whole."""

    samples: int = 0
    min: float = 0.0
    max: float = 0.0
    mean: float = 0.0
    stdev: float = 0.0


@dataclass(frozen=True)
class Side:
    """Reads or writes of a line. Rates are per second."""

    operations: int
    bytes: int
    short: int
    iops: float
    bandwidth: float
    submit: Times
    completion: Times
    total: Times
    bandwidth_spread: Spread
    iops_spread: Spread

    def as_json(self) -> dict[str, Any]:
        parts = {"submit": self.submit, "completion": self.completion, "total": self.total}
        return {
            "operations": self.operations,
            "bytes": self.bytes,
            "short": self.short,
            "iops": self.iops,
            "bytes_per_s": self.bandwidth,
            **{name: times.as_json() for name, times in parts.items() if times.count},
        }


@dataclass(frozen=True)
class LineFigures:
    """A line of the report."""

    raw: DiskJobResult
    read: Side
    write: Side
    sync: Times

    @property
    def operations(self) -> int:
        return self.read.operations + self.write.operations

    def as_json(self) -> dict[str, Any]:
        cpu = self.raw.cpu
        cpu_us = cpu.user_us + cpu.system_us
        return {
            "name": self.raw.name,
            "workers": self.raw.workers,
            "elapsed_s": self.raw.elapsed_s,
            "depth": self.raw.depth,
            "mean_depth": self.raw.mean_depth,
            "read": self.read.as_json(),
            "write": self.write.as_json(),
            **({"sync": self.sync.as_json()} if self.sync.count else {}),
            "cpu": {
                "user_s": cpu.user_us / 1e6,
                "system_s": cpu.system_us / 1e6,
                "us_per_operation": cpu_us / self.operations if self.operations else None,
                "switches": cpu.switches,
                "major_faults": cpu.major_faults,
                "minor_faults": cpu.minor_faults,
            },
        }


def line_figures(raw: DiskJobResult) -> LineFigures:
    """Of one line of a result."""
    return LineFigures(raw, _side(raw, raw.read), _side(raw, raw.write), read_times(raw.sync))


def _side(raw: DiskJobResult, side: Direction) -> Side:
    seconds = raw.elapsed_s or 1e-9
    interval_s = raw.interval_ms / 1000
    total = read_times(side.total)
    return Side(
        operations=side.operations,
        bytes=side.bytes,
        short=side.short,
        iops=side.operations / seconds,
        bandwidth=side.bytes / seconds,
        submit=read_times(side.submit),
        # Where one call does everything, all of the time is the completion's, as fio has it.
        completion=read_times(side.completion) if side.completion else total,
        total=total,
        bandwidth_spread=_spread([value / interval_s for value in side.series_bytes]),
        iops_spread=_spread([value / interval_s for value in side.series_operations]),
    )


def _spread(values: Sequence[float]) -> Spread:
    if not any(values):
        return Spread()
    return Spread(len(values), min(values), max(values), fmean(values), pstdev(values))


def disk_json(disk: DiskUse) -> dict[str, Any]:
    """A device beneath the files."""
    return {
        "name": disk.name,
        "reads": disk.read.operations,
        "read_merges": disk.read.merges,
        "read_bytes": disk.read.bytes,
        "read_ms": disk.read.ms,
        "writes": disk.write.operations,
        "write_merges": disk.write.merges,
        "write_bytes": disk.write.bytes,
        "write_ms": disk.write.ms,
        "queue_ms": disk.queue_ms,
        "utilisation": disk.utilisation,
    }


def result_json(result: RunResult, doubts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One stage in our own form."""
    storage = result.storage
    assert storage is not None
    return {
        "elapsed_s": result.elapsed_s,
        "complete": result.complete,
        "iops": result.transactions / result.elapsed_s,
        "jobs": [line_figures(line).as_json() for line in storage.jobs],
        "disks": [disk_json(disk) for disk in storage.disks],
        "mean_in_flight": result.mean_in_flight,
        "dropped": result.dropped,
        "doubts": list(doubts),
    }
