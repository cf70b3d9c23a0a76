"""The engine beside sysbench 1.0.20 on OLTP workloads: qps, p95, generator CPU per query, statements per transaction.

Every cell is measured in pairs, one generator after the other in alternating order, on one private server; the
figures are medians over the pairs, the ratio is the median of the pairs' ratios.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from assay.errors import AssayError
from assay.run.engine import run_job
from assay.server import Connection, Instance, find_build, initialise, sweep_dead
from assay.server.private import PrivateDir
from benchmarks.canary import canary_s
from benchmarks.contestants import Cell, Measured, ours, sysbench

VARIABLES: dict[str, str | int | float | bool] = {
    "innodb_buffer_pool_size": "1G",
    "innodb_log_file_size": "1G",
    "innodb_flush_log_at_trx_commit": 2,
    "max_connections": 3000,
    "max_prepared_stmt_count": 1_000_000,
}
WORKLOADS = ("oltp_point_select", "oltp_read_write")
TARGETS = {"qps": 1.0, "cpu_us_per_query": 0.60}


def main() -> int:
    options = _arguments()
    console = Console()
    sweep_dead()
    build = find_build(options.server)
    peer = subprocess.run(["sysbench", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    console.print(
        f"engine and {peer} on {build.flavour} {build.version_text}, {options.pairs} pairs of "
        f"{options.time} s a cell, {options.tables} x {options.table_size} rows, unix socket, prepared statements"
    )
    cells = [
        Cell(workload, threads, options.time, options.tables, options.table_size)
        for workload in options.workloads
        for threads in options.threads
    ]
    # Not a name of ours: the server writes its log and options file beside its data.
    with PrivateDir() as private, tempfile.TemporaryDirectory(prefix="assay-bench-") as logs:
        data_dir = private.path / "data"
        initialise(build, data_dir)
        work = Path(logs)
        with Instance(build, data_dir, VARIABLES, work / "server.log", work / "my.cnf") as server:
            _prepare(server, cells[0], console)
            admin = server.connect()
            rows = [_cell(cell, server, admin, options.pairs, console) for cell in cells]
    _print(rows, console)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"peer": peer, "server": build.version_text, "cells": rows}, indent=1))
    console.print(f"written: {options.output}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sysbench_oltp", description=__doc__)
    parser.add_argument("--server", default="mariadb", help="catalogue name or path:DIR")
    parser.add_argument("--workloads", nargs="+", default=WORKLOADS)
    parser.add_argument("--threads", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--time", type=int, default=5, help="seconds of one measurement")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--table-size", type=int, default=100_000)
    parser.add_argument("--output", type=Path, default=Path("results/bench/sysbench-oltp.json"))
    return parser.parse_args()


def _prepare(server: Instance, cell: Cell, console: Console) -> None:
    console.print(f"loading {cell.tables * cell.table_size} rows")
    job = {
        "version": 1,
        "action": "prepare",
        "target": {"socket": str(server.socket), "user": "root", "database": "assay"},
        "workload": {
            "name": cell.workload,
            "options": {"tables": cell.tables, "table_size": cell.table_size},
        },
    }
    run_job(job, events_path=None, on_event=None).require()


def _cell(cell: Cell, server: Instance, admin: Connection, pairs: int, console: Console) -> dict[str, object]:
    """Measures one cell in pairs; both orders equally often."""
    generators = {"ours": ours, "sysbench": sysbench}
    measured: dict[str, list[Measured]] = {name: [] for name in generators}
    canaries = []
    for pair in range(pairs):
        names = list(generators) if pair % 2 == 0 else list(reversed(generators))
        for name in names:
            canaries.append(canary_s())
            measured[name].append(generators[name](cell, server.socket, admin))
            time.sleep(0.3)  # let the server finish what the last one left
        last = {name: values[-1] for name, values in measured.items()}
        console.print(
            f"  {cell.workload} x {cell.threads}, pair {pair + 1}/{pairs}: qps {last['ours'].qps:.0f} and "
            f"{last['sysbench'].qps:.0f}, CPU us/query {last['ours'].cpu_us_per_query:.2f} and "
            f"{last['sysbench'].cpu_us_per_query:.2f}"
        )
    return {
        "workload": cell.workload,
        "threads": cell.threads,
        "pairs": {name: [asdict(value) for value in values] for name, values in measured.items()},
        "ratios": {
            figure: _ratio(measured["ours"], measured["sysbench"], figure)
            for figure in ("qps", "p95_ms", "cpu_us_per_query")
        },
        "com_gap": _com_gap(measured["ours"], measured["sysbench"]),
        "canary_swing": max(canaries) / min(canaries),
    }


def _ratio(mine: Sequence[Measured], theirs: Sequence[Measured], figure: str) -> float:
    """Median over the pairs of ours / theirs."""
    return statistics.median(
        getattr(a, figure) / getattr(b, figure) for a, b in zip(mine, theirs, strict=True)
    )


def _com_gap(mine: Sequence[Measured], theirs: Sequence[Measured]) -> dict[str, float]:
    """Largest relative difference of each Com_* counter by transaction, preparing left out: it is set-up."""
    gaps = {}
    for name in mine[0].com_per_event:
        a = statistics.median(value.com_per_event[name] for value in mine)
        b = statistics.median(value.com_per_event[name] for value in theirs)
        if name != "stmt_prepare" and max(a, b) > 0:
            gaps[name] = abs(a - b) / max(a, b)
    return gaps


def _print(rows: Sequence[dict[str, object]], console: Console) -> None:
    table = Table(title="ours / sysbench (median of pairs)")
    for heading in ("workload", "threads", "qps", "p95", "CPU us/query", "Com_* per event", "canary max/min"):
        table.add_column(heading, justify="left" if heading == "workload" else "right")
    for row in rows:
        ratios, gaps = row["ratios"], row["com_gap"]
        assert isinstance(ratios, dict)
        assert isinstance(gaps, dict)
        worst = max(gaps.values(), default=0.0)
        table.add_row(
            str(row["workload"]),
            str(row["threads"]),
            _marked(ratios["qps"], ratios["qps"] >= TARGETS["qps"]),
            f"{ratios['p95_ms']:.2f}",
            _marked(ratios["cpu_us_per_query"], ratios["cpu_us_per_query"] <= TARGETS["cpu_us_per_query"]),
            ("equal" if worst <= 0.001 else f"[red]{worst:.2%} off[/red]"),
            f"{row['canary_swing']:.2f}",
        )
    console.print(table)
    console.print("targets: qps at least 1.00, CPU per query at most 0.60, Com_* within 0.1 %; red falls short")


def _marked(ratio: float, reached: bool) -> str:
    return f"{ratio:.2f}" if reached else f"[red]{ratio:.2f}[/red]"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssayError as error:
        Console(stderr=True).print(f"error: {error.message}\nhint: {error.hint or '-'}")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
