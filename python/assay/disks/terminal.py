"""A storage run in words, on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from assay.disks.figures import LineFigures, Side, line_figures
from assay.disks.times import Times
from assay.folder import RunResult, Verified
from assay.run.bench_text import milliseconds

_COLUMNS = ("mean", "p50", "p95", "p99", "max")


def print_result(result: RunResult, console: Console) -> None:
    """The tables of one stage."""
    storage = result.storage
    assert storage is not None
    if not result.complete:
        console.print("[yellow]The window ended early: the figures cover the time until then.[/yellow]")
    for line in storage.jobs:
        _line(line_figures(line), console)
    for disk in storage.disks:
        console.print(
            f"Disk {disk.name}: {disk.read.operations:,} reads, {disk.write.operations:,} writes,"
            f" {disk.utilisation:.0%} of the time busy",
            markup=False,
        )


def print_verified(one: Verified, console: Console) -> None:
    """What was found when the blocks of one worker were read back."""
    counts = (
        (one.whole, "whole"),
        (one.blank, "never written"),
        (one.stale, "from before"),
        (one.torn, "torn"),
        (one.lost, "lost, not durable"),
        (one.lost_durable, "lost though durable"),
        (one.misplaced, "misplaced"),
        (one.damaged, "damaged"),
    )
    said = ", ".join(f"{count:,} {what}" for count, what in counts)
    console.print(f"Read back: {one.blocks:,} blocks of {one.name}: {said}; {one.bad:,} bad", markup=False)
    if one.promised is not None:
        promised = one.promised
        console.print(
            f"  Its ledger: {promised.begun:,} writes begun, {promised.acknowledged:,} acknowledged,"
            f" {promised.durable:,} durable",
            markup=False,
        )
    for flawed in one.described:
        console.print(f"  {flawed.flaw}: {flawed.file} at byte {flawed.offset}: {flawed.what}", markup=False)


def _line(line: LineFigures, console: Console) -> None:
    raw = line.raw
    workers = f"{raw.workers} worker{'s' if raw.workers != 1 else ''}"
    console.print()
    console.print(
        f"[bold]{raw.name}[/bold]  {workers}, {raw.mean_depth:.1f} of a depth of {raw.depth} in flight,"
        f" {raw.elapsed_s:.1f} s measured"
    )
    totals = _table("", "operations", "IOPS", "MiB/s", "CPU µs each")
    cpu_us = (raw.cpu.user_us + raw.cpu.system_us) / line.operations if line.operations else 0.0
    for name, side in (("read", line.read), ("write", line.write)):
        if side.operations:
            totals.add_row(
                name,
                f"{side.operations:,}",
                f"{side.iops:,.0f}",
                f"{side.bandwidth / 2**20:,.1f}",
                f"{cpu_us:.2f}",
            )
    console.print(totals)
    times = _table("ms", "count", *_COLUMNS)
    for name, side in (("read", line.read), ("write", line.write)):
        _times(times, name, side)
    if line.sync.count:
        _row(times, "sync", line.sync)
    console.print(times)


def _times(table: Table, name: str, side: Side) -> None:
    if not side.total.count:
        return
    _row(table, name, side.total)
    if side.submit.count:
        _row(table, "  submit", side.submit)
        _row(table, "  completion", side.completion)


def _row(table: Table, name: str, times: Times) -> None:
    values = (times.mean, times.at(50), times.at(95), times.at(99), times.max)
    table.add_row(name, f"{times.count:,}", *(milliseconds(value / 1e6) for value in values))


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(columns[0])
    for column in columns[1:]:
        table.add_column(column, justify="right")
    return table
