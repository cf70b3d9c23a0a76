"""Runs storage loads by three contestants on the same file: the engine, fio and sysbench fileio."""

from __future__ import annotations

import atexit
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assay.base.tally import decode, merge
from assay.design.folder import RunResult, decode_event
from assay.system.engine.binary import find_engine

from benchmarks import peer
from benchmarks.child import Child, ContestantFailed, last_words, run_child, well_ended
from benchmarks.rows import Figures

FILE_BYTES = 1 << 30
_MODES = {"psync": "sync", "libaio": "async", "mmap": "mmap"}
"""sysbench's names of the engine's I/O engines; it has no other."""


@dataclass(frozen=True)
class DiskLoad:
    """One storage load. `mode` is sysbench's; None: sysbench cannot do it."""

    title: str
    rw: str
    block: int
    engine: str
    depth: int = 1
    workers: int = 1
    fsync: int = 0
    registered: bool = False
    mode: str | None = None

    @property
    def direct(self) -> bool:
        """Whether the load bypasses the page cache."""
        return self.engine not in ("mmap", "null")


def versions() -> str:
    """Returns the peers' versions, such as "fio-3.33, sysbench 1.0.20"."""
    fio = subprocess.run(["fio", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return f"{fio}, {peer.version()}"


@cache
def folder() -> Path:
    """Returns a new folder on the disk of the working directory, which is removed when the bench ends."""
    place = Path(tempfile.mkdtemp(prefix="bench-storage-", dir=Path.cwd()))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


def data() -> Path:
    """Returns the file of the loads, filled once, under sysbench's name for it."""
    return folder() / "test_file.0"


def ours(load: DiskLoad, seconds: int) -> Figures:
    """Returns the engine's figures; times and CPU of the workers are those of the measured window."""
    job = {
        "version": 1,
        "action": "storage",
        "seed": 1,
        "phases": {"measure_ms": seconds * 1000, "warmup": {"kind": "fixed", "duration_ms": 200}},
        "storage": [_storage(load)],
    }
    _ready(load)
    child = run_child([find_engine(), "run", "-"], stdin=json.dumps(job).encode(), limit_s=seconds * 3 + 120)
    lines = child.stdout.splitlines()
    found = [line for line in lines if '"event":"result"' in line]
    if child.exit_code != 0 or not found:
        raise ContestantFailed(lines[-1][:300] if lines else last_words(child.stderr))
    result = decode_event(found[0])
    assert isinstance(result, RunResult)
    assert result.storage is not None
    (line,) = result.storage.jobs
    return {
        "qps": result.transactions / result.elapsed_s,
        **_costs(line.cpu.user_us + line.cpu.system_us, child, result.transactions),
        "mean_us": decode(result.labels["transaction"].service).mean / 1e3,
        "little_gap": _little(result, line.mean_depth),
    }


def _little(result: RunResult, depth: float) -> float:
    """Returns how far rate × mean time, from the histograms, is from the counted depth, as a share."""
    times = [
        decode(label.service) for name, label in result.labels.items() if name in ("read", "write", "sync")
    ]
    whole = merge(times)
    return abs(whole.mean / 1e9 * whole.total / result.elapsed_s / depth - 1.0) if depth else math.inf


def _costs(workers_us: float, child: Child, done: int) -> Figures:
    """Returns the CPU per operation of the I/O threads in their window, and of the whole process from its
    start.
    """
    if not done:
        raise ContestantFailed("it did nothing")
    return {"cpu_us_per_query": workers_us / done, "process_us_per_query": child.cpu_s * 1e6 / done}


def _storage(load: DiskLoad) -> dict[str, Any]:
    reads = load.rw in ("read", "randread")
    job: dict[str, Any] = {
        "name": "bench",
        "group": 0,
        "clones": load.workers,
        "files": [str(data())],
        "file_bytes": FILE_BYTES,
        "fill": True,
        "access": {
            "order": "random" if load.rw.startswith("rand") else "sequential",
            "read_share": 1.0 if reads else 0.0,
            "read_blocks": load.block,
            "write_blocks": load.block,
        },
        "io": {
            "kind": load.engine,
            "direct": load.direct,
            "fixed_buffers": load.registered,
            "registered_files": load.registered,
        },
        "depth": load.depth,
        "repeat": True,
        "invalidate": False,
    }
    if load.fsync:
        job["sync"] = {"writes": load.fsync}
    return job


def fio(load: DiskLoad, seconds: int) -> Figures:
    """Returns fio's figures; CPU of its workers is as fio states it."""
    command = [
        "fio",
        "--name=bench",
        f"--filename={data()}",
        f"--size={FILE_BYTES}",
        f"--rw={load.rw}",
        f"--bs={load.block}",
        f"--ioengine={load.engine}",
        f"--iodepth={load.depth}",
        f"--numjobs={load.workers}",
        f"--direct={int(load.direct)}",
        f"--fsync={load.fsync}",
        f"--runtime={seconds}",
        "--time_based",
        "--group_reporting",
        "--thread",
        "--ramp_time=200ms",
        "--invalidate=0",
        "--output-format=json",
        *(["--fixedbufs", "--registerfiles"] if load.registered else []),
    ]
    child = _do(load, command, seconds)
    (job,) = json.loads(child.stdout[child.stdout.index("{") :])["jobs"]
    sides = [job["read"], job["write"]]
    workers_us = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] * 1e3
    return {
        "qps": sum(side["iops"] for side in sides),
        **_costs(workers_us, child, sum(side["total_ios"] for side in sides)),
        "mean_us": max(side["lat_ns"]["mean"] for side in sides) / 1e3,
    }


def sysbench(load: DiskLoad, seconds: int) -> Figures:
    """Returns sysbench's figures, without CPU and times: its times of async operations are those of the
    submission.
    """
    command = [
        "sysbench",
        "fileio",
        "--file-num=1",
        f"--file-total-size={FILE_BYTES}",
        f"--file-block-size={load.block}",
        f"--file-test-mode={load.mode}",
        f"--file-io-mode={_MODES[load.engine]}",
        f"--file-async-backlog={load.depth}",
        *(["--file-extra-flags=direct"] if load.direct else []),
        "--file-fsync-freq=0",
        "--file-fsync-end=off",
        f"--file-fsync-all={'on' if load.fsync else 'off'}",
        f"--threads={load.workers}",
        f"--time={seconds}",
        "--rand-type=uniform",
        "run",
    ]
    child = _do(load, command, seconds)
    rates = [float(value) for value in re.findall(r"(?:reads|writes)/s:\s+([\d.]+)", child.stdout)]
    rate = sum(rates)
    if not rate:
        raise ContestantFailed("it did nothing")
    return {"qps": rate, "process_us_per_query": child.cpu_s * 1e6 / (rate * seconds)}


def _ready(load: DiskLoad) -> None:
    """Makes a load's file complete, and puts all or nothing of it into the page cache, for every program."""
    if not data().is_file():
        job = {"version": 1, "action": "layout", "storage": [_storage(DiskLoad("", "read", 4096, "psync"))]}
        well_ended(run_child([find_engine(), "run", "-"], stdin=json.dumps(job).encode(), limit_s=600))
    with data().open("rb", buffering=0) as file:
        if load.engine == "mmap":
            while file.read(1 << 20):
                pass
        else:
            os.fdatasync(file)
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _do(load: DiskLoad, command: list[str], seconds: int) -> Child:
    if shutil.which(command[0]) is None:
        raise ContestantFailed(f"{command[0]} is not installed: scripts/machine {command[0]}")
    _ready(load)
    return well_ended(run_child(["env", "-C", folder(), *command], limit_s=seconds * 3 + 120))
