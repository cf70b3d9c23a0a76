"""Runs sysbench 1.0.20 as a contestant, with figures from its own report."""

from __future__ import annotations

import re
import subprocess

from benchmarks.child import ContestantFailed, last_words, run_child, well_ended
from benchmarks.load import Endpoint, Load
from benchmarks.rows import Figures


def version() -> str:
    """Returns sysbench's name and version, such as "sysbench 1.0.20"."""
    return subprocess.run(
        ["sysbench", "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()


def run(load: Load, endpoint: Endpoint) -> Figures:
    """Drives the load once; CPU is that of the whole process."""
    command = [
        *_command(load, endpoint),
        f"--threads={load.connections}",
        f"--time={load.seconds}",
        f"--events={load.transactions}",
    ]
    if load.rate is not None:
        command.append(f"--rate={load.rate:g}")
    child = well_ended(run_child([*command, "run"], limit_s=load.seconds * 3 + 120))
    figures = parse_report(child.stdout)
    return {
        **figures,
        "rate": figures["tps"],
        "cpu_s": child.cpu_s,
        "cpu_us_per_query": child.cpu_s * 1e6 / figures["queries"],
        "rss_mb": child.rss_mb,
        "wall_s": child.wall_s,
    }


def help_of(workload: str) -> Figures:
    """Returns the cost of printing a workload's options."""
    child = well_ended(run_child(["sysbench", workload, "help"], limit_s=60))
    return {"cpu_s": child.cpu_s, "wall_s": child.wall_s, "rss_mb": child.rss_mb}


def prepare(load: Load, endpoint: Endpoint) -> Figures:
    """Loads the tables, with one thread a table, since sysbench supports no more."""
    command = [*_command(load, endpoint), f"--threads={load.tables}", "prepare"]
    child = well_ended(run_child(command, limit_s=900))
    return {"wall_s": child.wall_s, "cpu_s": child.cpu_s, "rss_mb": child.rss_mb}


def parse_report(text: str) -> dict[str, float]:
    """Returns the figures of a report: `events`, `tps`, `queries`, `qps`, `p95_ms`, `mean_ms`, `max_ms`.

    Raises ContestantFailed when one is missing.
    """
    events, tps = _numbers(text, r"transactions:\s+(\d+)\s+\(([\d.]+) per sec")
    queries, qps = _numbers(text, r"queries:\s+(\d+)\s+\(([\d.]+) per sec")
    (mean,) = _numbers(text, r"Latency \(ms\):.*?avg:\s+([\d.]+)")
    (longest,) = _numbers(text, r"Latency \(ms\):.*?max:\s+([\d.]+)")
    (p95,) = _numbers(text, r"95th percentile:\s+([\d.]+)")
    return {
        "events": events,
        "tps": tps,
        "queries": queries,
        "qps": qps,
        "mean_ms": mean,
        "max_ms": longest,
        "p95_ms": p95,
    }


def _numbers(text: str, pattern: str) -> tuple[float, ...]:
    found = re.search(pattern, text, re.DOTALL)
    if found is None:
        raise ContestantFailed(f"its report lacks {pattern}: {last_words(text)}")
    return tuple(float(group) for group in found.groups())


def _command(load: Load, endpoint: Endpoint) -> list[str]:
    at = (
        [f"--mysql-socket={endpoint.socket}"]
        if load.transport == "unix"
        else [
            "--mysql-host=127.0.0.1",
            f"--mysql-port={endpoint.port}",
            f"--mysql-password={endpoint.password}",
        ]
    )
    return [
        "sysbench",
        load.workload,
        *at,
        "--mysql-user=root",
        f"--mysql-db={endpoint.database}",
        f"--tables={load.tables}",
        f"--table-size={load.table_size}",
        f"--db-ps-mode={'auto' if load.prepared else 'disable'}",
    ]
