"""Runs the whole command `assay bench …` as a contestant, every process of it included."""

from __future__ import annotations

import json
import sys

from assay.system.engine.jobs import PASSWORD_ENV

from benchmarks import engine
from benchmarks.child import run_child, well_ended
from benchmarks.load import Endpoint, Load
from benchmarks.rows import Figures

_ASSAY = [sys.executable, "-m", "assay.front.cli"]


def run(load: Load, endpoint: Endpoint) -> Figures:
    """Drives the load once, as a person would; CPU is that of Python and the engine together.

    wait4(2) counts a process with the children that it has waited for, and the engine is one.
    """
    command = [*_ASSAY, "bench", load.workload, *_where(load, endpoint), "--json", "--report-interval=1"]
    command += [f"--threads={load.connections}", f"--time={load.seconds}", f"--events={load.transactions}"]
    password = {} if load.transport == "unix" else {PASSWORD_ENV: endpoint.password}
    child = well_ended(run_child(command, limit_s=load.seconds * 3 + 120, env=password))
    figures = json.loads(child.stdout)
    counts = engine.Counts(figures["queries"], figures["events"], figures["drained"])
    queries = max(engine.all_queries(counts, load, endpoint), 1)
    return {
        "qps": figures["qps"],
        "tps": figures["tps"],
        "cpu_s": child.cpu_s,
        "cpu_us_per_query": child.cpu_s * 1e6 / queries,
        "wall_s": child.wall_s,
        "rss_mb": child.rss_mb,
    }


def help_of(workload: str) -> Figures:
    """Returns the cost of printing a workload's options."""
    child = well_ended(run_child([*_ASSAY, "bench", workload, "--help"], limit_s=60))
    return {"cpu_s": child.cpu_s, "wall_s": child.wall_s, "rss_mb": child.rss_mb}


def _where(load: Load, endpoint: Endpoint) -> list[str]:
    at = (
        [f"--socket={endpoint.socket}"]
        if load.transport == "unix"
        else ["--host=127.0.0.1", f"--port={endpoint.port}"]
    )
    options = {"tables": load.tables, "table-size": load.table_size} if load.options is None else load.options
    return [*at, f"--db={endpoint.database}", *(f"--{name}={value}" for name, value in options.items())]
