"""One measurement with each generator: the engine and sysbench 1.0.20, on the same tables of the same server."""

from __future__ import annotations

import re
import resource
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hdrh.histogram import HdrHistogram

from assay.folder import RunResult
from assay.run.engine import run_job
from assay.server import Connection

# What a transaction asks of the server; prepared or not, these count executed statements.
_COUNTED = ("begin", "commit", "delete", "insert", "select", "stmt_execute", "stmt_prepare", "update")


@dataclass(frozen=True)
class Cell:
    """One thing to compare."""

    workload: str
    threads: int
    seconds: int
    tables: int
    table_size: int


@dataclass(frozen=True)
class Measured:
    """What one generator did in one cell."""

    qps: float
    tps: float
    p95_ms: float
    cpu_us_per_query: float  # the whole process: set-up, login and drain included
    rss_mb: float  # 0 when it cannot be told
    com_per_event: dict[str, float]  # server's Com_* by transaction


def ours(cell: Cell, socket: Path, admin: Connection) -> Measured:
    """The engine as the lab runs it."""
    job: dict[str, Any] = {
        "version": 1,
        "action": "run",
        "seed": 1,
        "target": {"socket": str(socket), "user": "root", "database": "assay"},
        "workload": {
            "name": cell.workload,
            "options": {"tables": cell.tables, "table_size": cell.table_size},
        },
        "load": {"connections": cell.threads},
        "phases": {"measure_ms": cell.seconds * 1000},
    }
    outcomes = []
    cost = _watched(admin, lambda: outcomes.append(run_job(job, events_path=None, on_event=None)))
    result = outcomes[0].require().result
    assert isinstance(result, RunResult)
    events = result.transactions + result.drained
    queries = result.queries * events / result.transactions
    times = HdrHistogram.decode(result.labels["transaction"].service)
    return Measured(
        qps=result.queries / result.elapsed_s,
        tps=result.transactions / result.elapsed_s,
        p95_ms=times.get_value_at_percentile(95) / 1e6,
        cpu_us_per_query=cost.cpu_s * 1e6 / queries,
        rss_mb=result.engine_total.rss_bytes / 1e6,
        com_per_event={name: count / events for name, count in cost.com.items()},
    )


def sysbench(cell: Cell, socket: Path, admin: Connection) -> Measured:
    """sysbench with the same options; its own figures from its report."""
    command = [
        "sysbench",
        cell.workload,
        f"--mysql-socket={socket}",
        "--mysql-user=root",
        "--mysql-db=assay",
        f"--tables={cell.tables}",
        f"--table-size={cell.table_size}",
        f"--threads={cell.threads}",
        f"--time={cell.seconds}",
        "run",
    ]
    texts: list[str] = []

    def run() -> None:
        texts.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    cost = _watched(admin, run)
    text = texts[0]
    events, tps = _pair(text, "transactions")
    queries, qps = _pair(text, "queries")
    p95 = re.search(r"95th percentile:\s+([\d.]+)", text)
    assert p95 is not None, text
    return Measured(
        qps=qps,
        tps=tps,
        p95_ms=float(p95.group(1)),
        cpu_us_per_query=cost.cpu_s * 1e6 / queries,
        rss_mb=0.0,
        com_per_event={name: count / events for name, count in cost.com.items()},
    )


def _pair(text: str, name: str) -> tuple[float, float]:
    found = re.search(rf"{name}:\s+(\d+)\s+\(([\d.]+) per sec", text)
    assert found is not None, text
    return float(found.group(1)), float(found.group(2))


@dataclass(frozen=True)
class _Cost:
    cpu_s: float
    com: dict[str, float]


def _watched(admin: Connection, work: Callable[[], object]) -> _Cost:
    """Runs `work`, which waits for one child: the child's CPU seconds, and what the server counted meanwhile."""
    com_before, before = _com(admin), resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after, com_after = resource.getrusage(resource.RUSAGE_CHILDREN), _com(admin)
    cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return _Cost(cpu_s, {name: com_after[name] - com_before[name] for name in _COUNTED})


def _com(admin: Connection) -> Mapping[str, float]:
    with admin.cursor() as cursor:
        cursor.execute("SHOW GLOBAL STATUS LIKE 'Com\\_%'")
        return {name.removeprefix("Com_"): float(value) for name, value in cursor.fetchall()}
