"""Writes results as fio prints them, line for line in the same form, so that programs that read fio's output
can read it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from assay.design.folder import RunResult, Spread
from assay.design.storage import PERCENTILES, JobFigures, ReportLine, Side, Stage, Times
from assay.experiments.bench.storage import (
    DEPTHS,
    DIRECTIONS,
    EDGES,
    SIZES,
    Group,
    groups_of,
    levels,
    lines_of,
)
from assay.front.compat.fio.json_output import document

_UNITS = (("nsec", 1), ("usec", 1_000), ("msec", 1_000_000))
_FOUR_DIGITS = 10_000
_LATENCIES = (("nsec", 0, 10), ("usec", 10, 20), ("msec", 20, 31))
_NAMES = ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000")


def text(stages: Sequence[tuple[Stage, RunResult]]) -> str:
    """Returns the whole output after a run, as one text."""
    out: list[str] = []
    data = document(stages)
    lines = list(lines_of(stages))
    groups = groups_of(lines)
    for line, figures, _ in lines:
        out += _job(line, figures, groups[line.number])
    for number, group in groups.items():
        out += ["", f"Run status group {number} (all jobs):"]
        out += [_status(name, group) for name in DIRECTIONS if group.moving(name)]
    if data["disk_util"]:
        out += ["", "Disk stats (read/write):"]
        out += [_disk(disk) for disk in data["disk_util"]]
    return "\n".join(out) + "\n"


def _job(line: ReportLine, figures: JobFigures, group: Group) -> list[str]:
    raw = figures.job
    out = [
        f"{raw.name}: (groupid={line.number}, jobs={raw.workers}): err= 0: pid={os.getpid()}: "
        + time.strftime("%a %b %e %H:%M:%S %Y")
    ]
    for name, side in zip(DIRECTIONS, (figures.read, figures.write), strict=True):
        if side.operations:
            out += _side(name, side, raw.elapsed_s, group.bandwidth(name))
    out += _distribution(figures)
    if figures.sync.count:
        out += ["  fsync/fdatasync/sync_file_range:", _statistics("sync", figures.sync, indent=4)]
        out += _percentiles("sync", figures.sync)
    runtime_us = max(raw.elapsed_s * 1e6 * raw.workers, 1.0)
    user, system = 100 * raw.cpu.user_us / runtime_us, 100 * raw.cpu.system_us / runtime_us
    cpu = raw.cpu
    out += [
        f"  cpu          : usr={user:.2f}%, sys={system:.2f}%, ctx={cpu.switches}, "
        f"majf={cpu.major_faults}, minf={cpu.minor_faults}",
        "  IO depths    : " + _levels(levels(DEPTHS, figures.depths)),
        "     submit    : " + _levels(levels(SIZES, figures.submits)),
        "     complete  : " + _levels(levels(SIZES, figures.collects)),
        f"     issued rwts: total={figures.read.operations},{figures.write.operations},0,{raw.syncs}"
        f" short={figures.read.short},{figures.write.short},0,0 dropped=0,0,0,0",
        f"     latency   : target=0, window=0, percentile=100.00%, depth={raw.depth // max(raw.workers, 1)}",
    ]
    return out


def _side(name: str, side: Side, elapsed_s: float, of_group: float) -> list[str]:
    zones = "; 0 zone resets" if name == "write" else ""
    out = [
        f"  {name}: IOPS={_short(side.iops)}, BW={_both(side.bandwidth)}"
        f"({_binary(side.bytes)}B/{round(elapsed_s * 1000)}msec){zones}"
    ]
    if side.submit.count:
        out.append(_statistics("slat", side.submit, indent=4))
    out += [_statistics("clat", side.completion, indent=4), _statistics(" lat", side.total, indent=4)]
    out += _percentiles("clat", side.completion)
    if side.bandwidth_spread.samples:
        out += [_bandwidth(side.bandwidth_spread, of_group), _iops(side.iops_spread)]
    return out


def _statistics(name: str, times: Times, *, indent: int) -> str:
    unit, scale = _unit(times.min, times.max, times.stdev)
    low, high = _short(times.min / scale), _short(times.max / scale)
    return (
        f"{' ' * indent}{name} ({unit}): min={low}, max={high}, "
        f"avg={times.mean / scale:5.2f}, stdev={times.stdev / scale:5.2f}"
    )


def _unit(low: float, high: float, deviation: float = 1e9) -> tuple[str, int]:
    """Returns the unit in which fio prints, a larger one when smallest, largest and deviation are well above
    it.
    """
    if low > 2_000_000 and high > 99_999_000 and deviation > 1_000_000:
        return _UNITS[2]
    if low > 2_000 and high > 99_999 and deviation > 1_000:
        return _UNITS[1]
    return _UNITS[0]


def _percentiles(name: str, times: Times) -> list[str]:
    unit, scale = _unit(times.percentiles[0], times.percentiles[-1])
    values = [value // scale for value in times.percentiles]
    width = max(len(str(value)) for value in values)
    entries = [f"{share:5.2f}th=[{value:{width}d}]" for share, value in zip(PERCENTILES, values, strict=True)]
    out = [f"    {name} percentiles ({unit}):"]
    rows = [entries[:4], *(entries[at : at + 4] for at in range(4, len(entries), 4))]
    out += ["     | " + ", ".join(row) + ("," if row is not rows[-1] else "") for row in rows]
    return out


def _bandwidth(spread: Spread, of_group: float) -> str:
    values = [value / 1024 for value in (spread.min, spread.max, spread.mean, spread.stdev)]
    share = 100 * spread.mean / of_group
    return (
        f"   bw (  KiB/s): min={values[0]:5.0f}, max={values[1]:5.0f}, per={share:3.2f}%, "
        f"avg={values[2]:5.2f}, stdev={values[3]:5.2f}, samples={spread.samples}"
    )


def _iops(spread: Spread) -> str:
    return (
        f"   iops        : min={spread.min:5.0f}, max={spread.max:5.0f}, avg={spread.mean:5.2f}, "
        f"stdev={spread.stdev:5.2f}, samples={spread.samples}"
    )


def _distribution(figures: JobFigures) -> list[str]:
    shares = figures.latencies(EDGES)
    out = []
    for unit, low, high in _LATENCIES:
        named = [
            (name, share) for name, share in zip(_NAMES, shares[low:high], strict=False) if share >= 0.005
        ]
        if unit == "msec" and shares[-1] >= 0.005:
            named.append((">=2000", shares[-1]))
        for at in range(0, len(named), 5):
            row = ", ".join(f"{name}={share:.2f}%" for name, share in named[at : at + 5])
            out.append(f"  lat ({unit})   : {row}")
    return out


def _levels(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name}={share:.1f}%" for name, share in shares.items())


def _status(name: str, group: Group) -> str:
    sides = [line.side(name) for line in group.moving(name)]
    times = [round(line.job.elapsed_s * 1000) for line in group.moving(name)]
    moved, whole = sum(side.bytes for side in sides), group.bandwidth(name)
    low, high = min(side.bandwidth for side in sides), max(side.bandwidth for side in sides)
    return (
        f"  {name.upper():>5}: bw={_both(whole)}, {_binary(low)}B/s-{_binary(high)}B/s "
        f"({_decimal(low)}B/s-{_decimal(high)}B/s), io={_binary(moved)}B ({_decimal(moved)}B), "
        f"run={min(times)}-{max(times)}msec"
    )


def _disk(disk: dict[str, Any]) -> str:
    return (
        f"  {disk['name']}: ios={disk['read_ios']}/{disk['write_ios']}, "
        f"merge={disk['read_merges']}/{disk['write_merges']}, "
        f"ticks={disk['read_ticks']}/{disk['write_ticks']}, "
        f"in_queue={disk['in_queue']}, util={disk['util']:.2f}%"
    )


def _both(rate: float) -> str:
    return f"{_binary(rate)}B/s ({_decimal(rate)}B/s)"


def _short(value: float) -> str:
    return _scaled(value, 1000, ("", "k", "M", "G"))


def _decimal(value: float) -> str:
    return _scaled(value, 1000, ("", "k", "M", "G", "T"))


def _binary(value: float) -> str:
    return _scaled(value, 1024, ("", "Ki", "Mi", "Gi", "Ti"))


def _scaled(value: float, base: int, units: Sequence[str]) -> str:
    """Returns a number in at most four digits; once it is scaled, with three significant ones."""
    for power, unit in enumerate(units):
        scaled = value / base**power
        if round(scaled) < _FOUR_DIGITS or power + 1 == len(units):
            digits = max(3 - len(str(int(scaled))), 0) if power else 0
            return f"{scaled:.{digits}f}{unit}"
    raise AssertionError("units end with the largest")
