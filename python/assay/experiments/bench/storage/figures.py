"""Computes the figures of a storage run line by line, for every form of output."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from assay.design.folder import DiskUse, JobResult, RunResult
from assay.design.storage import JobFigures, ReportLine, Side, Stage, figures_of

DIRECTIONS = ("read", "write")
_STEPS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
EDGES = (*_STEPS, *(step * 1000 for step in _STEPS), *(step * 1_000_000 for step in (*_STEPS, 2000)))
"""fio's bounds of latency, in ns."""
DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
SIZES = ("0", "4", "8", "16", "32", "64", ">=64")


def line_figures(raw: JobResult) -> JobFigures:
    """Returns the figures of one line of a result."""
    return figures_of([raw], raw.elapsed_s)


def levels(names: Sequence[str], shares: Sequence[float]) -> dict[str, float]:
    """Returns percentages by the name of their level."""
    return dict(zip(names, shares, strict=True))


def _side_json(side: Side) -> dict[str, Any]:
    parts = {"submit": side.submit, "completion": side.completion, "total": side.total}
    return {
        "operations": side.operations,
        "bytes": side.bytes,
        "short": side.short,
        "iops": side.iops,
        "bytes_per_s": side.bandwidth,
        "spread": {
            "bytes_per_s": msgspec.to_builtins(side.bandwidth_spread),
            "iops": msgspec.to_builtins(side.iops_spread),
            "worker_bytes_per_s": msgspec.to_builtins(side.worker_spread),
        },
        **{name: times.as_json() for name, times in parts.items() if times.count},
    }


def _line_json(figures: JobFigures) -> dict[str, Any]:
    raw, cpu = figures.job, figures.job.cpu
    cpu_us = cpu.user_us + cpu.system_us
    return {
        "name": raw.name,
        "workers": raw.workers,
        "elapsed_s": raw.elapsed_s,
        "depth": raw.depth,
        "mean_depth": raw.mean_depth,
        "read": _side_json(figures.read),
        "write": _side_json(figures.write),
        "depth_pct": levels(DEPTHS, figures.depths),
        "submit_pct": levels(SIZES, figures.submits),
        "collect_pct": levels(SIZES, figures.collects),
        "latency_below_us_pct": {
            f"{edge / 1000:g}": share for edge, share in zip(EDGES, figures.latencies(EDGES), strict=False)
        },
        **({"sync": figures.sync.as_json()} if figures.sync.count else {}),
        "cpu": {
            "user_s": cpu.user_us / 1e6,
            "system_s": cpu.system_us / 1e6,
            "us_per_operation": cpu_us / figures.operations if figures.operations else None,
            "switches": cpu.switches,
            "major_faults": cpu.major_faults,
            "minor_faults": cpu.minor_faults,
        },
    }


@dataclass(frozen=True)
class Group:
    """The lines of one group, which fio sums up at the end."""

    lines: Sequence[JobFigures]

    def moving(self, direction: str) -> list[JobFigures]:
        """Returns the lines that moved any data in this direction."""
        return [line for line in self.lines if line.side(direction).operations]

    def bandwidth(self, direction: str) -> float:
        """Returns the bytes a second of all lines together, over the longest of their times."""
        lines = self.moving(direction)
        longest = max((line.seconds for line in lines), default=0.0)
        return sum(line.side(direction).bytes for line in lines) / (longest or 1e-9)


def lines_of(stages: Sequence[tuple[Stage, RunResult]]) -> Iterator[tuple[ReportLine, JobFigures, RunResult]]:
    """Yields every line of the report, in order, with its figures and the result that they come from."""
    for stage, result in stages:
        assert result.storage is not None
        for line, raw in zip(stage.lines, result.storage.jobs, strict=True):
            yield line, line_figures(raw), result


def groups_of(lines: Sequence[tuple[ReportLine, JobFigures, RunResult]]) -> Mapping[int, Group]:
    """Returns groups of lines by fio's group number."""
    found: dict[int, list[JobFigures]] = defaultdict(list)
    for line, figures, _ in lines:
        found[line.number].append(figures)
    return {number: Group(members) for number, members in found.items()}


def disk_json(disk: DiskUse) -> dict[str, Any]:
    """Returns the figures of a device beneath the files, for JSON."""
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
    """Returns one stage in Assay's own JSON form."""
    storage = result.storage
    assert storage is not None
    return {
        "elapsed_s": result.elapsed_s,
        "complete": result.complete,
        "iops": result.transactions / result.elapsed_s,
        "jobs": [_line_json(line_figures(line)) for line in storage.jobs],
        "disks": [disk_json(disk) for disk in storage.disks],
        "mean_in_flight": result.mean_in_flight,
        "dropped": result.dropped,
        "doubts": list(doubts),
    }
