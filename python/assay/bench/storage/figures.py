"""What a storage run came to: numbers, read once from the engine's result, for every form of output."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

import msgspec

from assay.bench.storage.times import Times, read_times
from assay.folder import Direction, DiskUse, JobResult, RunResult, Spread
from assay.jobfiles.stages import Line, Stage

DIRECTIONS = ("read", "write")
_STEPS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
EDGES = (*_STEPS, *(step * 1000 for step in _STEPS), *(step * 1_000_000 for step in (*_STEPS, 2000)))
"""fio's bounds of latency, in ns."""
DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
SIZES = ("0", "4", "8", "16", "32", "64", ">=64")


@dataclass(frozen=True)
class Side:
    """Reads or writes of a line. Rates are per second, their spreads over the whole intervals of the window.

    `worker_spread` is the bandwidth of each worker alone.
    """

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
    worker_spread: Spread

    def as_json(self) -> dict[str, Any]:
        parts = {"submit": self.submit, "completion": self.completion, "total": self.total}
        return {
            "operations": self.operations,
            "bytes": self.bytes,
            "short": self.short,
            "iops": self.iops,
            "bytes_per_s": self.bandwidth,
            "spread": {
                "bytes_per_s": msgspec.to_builtins(self.bandwidth_spread),
                "iops": msgspec.to_builtins(self.iops_spread),
                "worker_bytes_per_s": msgspec.to_builtins(self.worker_spread),
            },
            **{name: times.as_json() for name, times in parts.items() if times.count},
        }


@dataclass(frozen=True)
class LineFigures:
    """A line of the report."""

    raw: JobResult
    read: Side
    write: Side
    sync: Times

    @property
    def operations(self) -> int:
        return self.read.operations + self.write.operations

    def side(self, direction: str) -> Side:
        return self.read if direction == "read" else self.write

    @property
    def depths(self) -> dict[str, float]:
        """Percent of the operations by how many were in flight."""
        return _shares(DEPTHS, self.raw.depths)

    @property
    def submits(self) -> dict[str, float]:
        """Percent of the calls by how many operations they handed over."""
        return _shares(SIZES, self._calls(self.raw.submit_sizes))

    @property
    def collects(self) -> dict[str, float]:
        """Percent of the calls by how many operations they collected."""
        return _shares(SIZES, self._calls(self.raw.collect_sizes))

    def _calls(self, sizes: Sequence[int]) -> Sequence[int]:
        """Where one call does everything, each hands over and collects one."""
        return sizes if any(sizes) else [0, self.operations, 0, 0, 0, 0, 0]

    def latencies(self) -> list[float]:
        """Percent of all reads and writes by fio's bounds of latency, the last one beyond all of them."""
        total = self.operations or 1
        parts = [(side.total.shares(EDGES), side.total.count / total) for side in (self.read, self.write)]
        return [100 * sum(shares[at] * weight for shares, weight in parts) for at in range(len(EDGES) + 1)]

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
            "depth_pct": self.depths,
            "submit_pct": self.submits,
            "collect_pct": self.collects,
            "latency_below_us_pct": {
                f"{edge / 1000:g}": share for edge, share in zip(EDGES, self.latencies(), strict=False)
            },
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


def _shares(names: Sequence[str], counts: Sequence[int]) -> dict[str, float]:
    total = sum(counts) or 1
    return {name: 100 * count / total for name, count in zip(names, counts, strict=True)}


def line_figures(raw: JobResult) -> LineFigures:
    """Of one line of a result."""
    return LineFigures(raw, _side(raw, raw.read), _side(raw, raw.write), read_times(raw.sync))


def _side(raw: JobResult, side: Direction) -> Side:
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
        worker_spread=_scaled(side.worker_bytes or Spread(), 1 / interval_s),
    )


def _scaled(spread: Spread, factor: float) -> Spread:
    values = (spread.min, spread.max, spread.mean, spread.stdev)
    low, high, mean, stdev = (value * factor for value in values)
    return Spread(samples=spread.samples, min=low, max=high, mean=mean, stdev=stdev)


def _spread(values: Sequence[float]) -> Spread:
    if not any(values):
        return Spread()
    return Spread(
        samples=len(values), min=min(values), max=max(values), mean=fmean(values), stdev=pstdev(values)
    )


@dataclass(frozen=True)
class Group:
    """The lines of one group: what fio sums up at the end."""

    lines: Sequence[LineFigures]

    def moving(self, direction: str) -> list[LineFigures]:
        """Those that moved anything in this direction."""
        return [line for line in self.lines if line.side(direction).operations]

    def bandwidth(self, direction: str) -> float:
        """Bytes a second of all together, over the longest of their times."""
        lines = self.moving(direction)
        longest = max((line.raw.elapsed_s for line in lines), default=0.0)
        return sum(line.side(direction).bytes for line in lines) / (longest or 1e-9)


def lines_of(stages: Sequence[tuple[Stage, RunResult]]) -> Iterator[tuple[Line, LineFigures, RunResult]]:
    """Every line of the report, in order, with the result that it is from."""
    for stage, result in stages:
        assert result.storage is not None
        for line, raw in zip(stage.lines, result.storage.jobs, strict=True):
            yield line, line_figures(raw), result


def groups_of(lines: Sequence[tuple[Line, LineFigures, RunResult]]) -> Mapping[int, Group]:
    """By fio's number of the group."""
    found: dict[int, list[LineFigures]] = defaultdict(list)
    for line, figures, _ in lines:
        found[line.number].append(figures)
    return {number: Group(members) for number, members in found.items()}


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
