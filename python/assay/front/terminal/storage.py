"""Prints the result of a storage run."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from assay.base.numbers import number
from assay.base.wording import counted
from assay.design.folder import DiskSide, RunResult, Verified
from assay.design.storage import JobFigures, Side, Times
from assay.experiments.bench.storage import DEPTHS, DIRECTIONS, EDGES, SIZES, levels, line_figures
from assay.front.terminal.tables import figures_table

_COLUMNS = ("min", "mean", "stdev", "p50", "p95", "p99", "max")
_MIB = 1 << 20


def print_result(result: RunResult, console: Console) -> None:
    """Prints the tables of one stage."""
    storage = result.storage
    assert storage is not None
    if not result.complete:
        console.print("[yellow]The window ended early: the figures cover the time until then.[/yellow]")
    for line in storage.jobs:
        _line(line_figures(line), console)
    for disk in storage.disks:
        console.print(
            f"Disk {disk.name}: {_disk_side(disk.read, 'reads')}, {_disk_side(disk.write, 'writes')},"
            f" {disk.queue_ms:,} ms in the queue, {disk.utilisation:.1%} of the time busy",
            markup=False,
        )


def print_verified(one: Verified, console: Console) -> None:
    """Prints the outcome of reading back the blocks of one worker."""
    counts = (
        (one.whole, "whole"),
        (one.blank, "never written"),
        (one.stale, "from before"),
        (one.torn, "torn"),
        (one.lost, "lost, not durable"),
        (one.lost_durable, "durable, but lost"),
        (one.misplaced, "misplaced"),
        (one.damaged, "damaged"),
    )
    said = ", ".join(f"{count:,} {what}" for count, what in counts)
    console.print(
        f"Read back: {counted(one.blocks, 'block')} of {one.name}: {said}; {one.bad:,} bad", markup=False
    )
    if one.promised is not None:
        promised = one.promised
        console.print(
            f"  Its ledger: {promised.begun:,} writes begun, {promised.acknowledged:,} acknowledged,"
            f" {promised.durable:,} durable",
            markup=False,
        )
    for flawed in one.described:
        console.print(f"  {flawed.flaw}: {flawed.file} at byte {flawed.offset}: {flawed.what}", markup=False)


def _disk_side(side: DiskSide, name: str) -> str:
    return f"{side.operations:,} {name} ({side.merges:,} merged) of {side.ms:,} ms"


def _line(line: JobFigures, console: Console) -> None:
    raw = line.job
    workers = counted(raw.workers, "worker")
    console.print()
    console.print(
        f"[bold]{raw.name}[/bold]  {workers}, {raw.mean_depth:.1f} of {raw.depth} operations in flight,"
        f" {raw.elapsed_s:.3f} s measured"
    )
    totals = figures_table("", "operations", "short", "MiB", "IOPS", "MiB/s", "CPU µs each")
    cpu_us = (raw.cpu.user_us + raw.cpu.system_us) / line.operations if line.operations else 0.0
    for name, side in (("read", line.read), ("write", line.write)):
        if side.operations:
            totals.add_row(
                name,
                f"{side.operations:,}",
                f"{side.short:,}",
                f"{side.bytes / _MIB:,.1f}",
                f"{side.iops:,.0f}",
                f"{side.bandwidth / _MIB:,.1f}",
                f"{cpu_us:.2f}",
            )
    console.print(totals)
    times = figures_table("ms", "count", *_COLUMNS)
    for name, side in (("read", line.read), ("write", line.write)):
        _times(times, name, side)
    if line.sync.count:
        _row(times, "sync", line.sync)
    console.print(times)
    _spreads(line, console)
    *below, beyond = line.latencies(EDGES)
    shares = {_edge(edge): share for edge, share in zip(EDGES, below, strict=True)}
    _shares("Latency below", shares | {"beyond": beyond}, console)
    _shares("Operations by depth, from", levels(DEPTHS, line.depths), console)
    _shares("Calls by operations handed over, up to", levels(SIZES, line.submits), console)
    _shares("Calls by operations collected, up to", levels(SIZES, line.collects), console)
    cpu, worker_us = raw.cpu, max(raw.elapsed_s * 1e6 * raw.workers, 1.0)
    console.print(
        f"Workers: {cpu.user_us / worker_us:.2%} user, {cpu.system_us / worker_us:.2%} system,"
        f" {cpu.switches:,} switches, {cpu.major_faults:,} major and {cpu.minor_faults:,} minor faults"
    )


def _spreads(line: JobFigures, console: Console) -> None:
    """Prints the spreads over the whole intervals of the window, where there was a window."""
    table = figures_table("MiB/s each 0.5 s", "samples", "min", "mean", "stdev", "max")
    for direction in DIRECTIONS:
        side = line.side(direction)
        for name, spread in ((direction, side.bandwidth_spread), ("  each worker", side.worker_spread)):
            if spread.samples:
                values = (spread.min, spread.mean, spread.stdev, spread.max)
                table.add_row(name, f"{spread.samples:,}", *(f"{value / _MIB:,.2f}" for value in values))
    if table.row_count:
        console.print(table)


def _shares(what: str, shares: Mapping[str, float], console: Console) -> None:
    found = [f"{level} {share:.2f} %" for level, share in shares.items() if share]
    if found:
        console.print(f"{what}: {', '.join(found)}", markup=False)


def _edge(edge_ns: int) -> str:
    unit, scale = ("ms", 1_000_000) if edge_ns >= 1_000_000 else ("µs", 1_000)
    return f"{edge_ns / scale:g} {unit}"


def _times(table: Table, name: str, side: Side) -> None:
    if not side.total.count:
        return
    _row(table, name, side.total)
    if side.submit.count:
        _row(table, "  submit", side.submit)
        _row(table, "  completion", side.completion)


def _row(table: Table, name: str, times: Times) -> None:
    values = (times.min, times.mean, times.stdev, times.at(50), times.at(95), times.at(99), times.max)
    table.add_row(name, f"{times.count:,}", *(number(value / 1e6) for value in values))
