"""Generators as processes on this machine: the contract of every backend, and what only processes can do."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import ConnectError, GeneratorLost
from assay.base.format.job import (
    FixedWarmup,
    Job,
    Load,
    Phases,
    PoissonArrivals,
    Target,
    UntilSteadyWarmup,
)
from assay.base.tally import decode, merge
from assay.design.folder import (
    FleetRecord,
    Hello,
    Interval,
    PhaseStart,
    RungFolder,
    RunResult,
    read_events,
)
from assay.measurement.fleet import LocalBackend, run_fleet
from assay.system.engine import Interrupts, run_job
from assay.testing.contracts import BackendContract
from msgspec.structs import replace

_PATIENCE_S = 20.0


@pytest.fixture
def backend() -> LocalBackend:
    return LocalBackend()


class TestLocal(BackendContract):
    """The contract."""


def _run(job: Job, count: int, path: Path, **more: object) -> tuple[object, RungFolder]:
    folder = RungFolder(path)
    outcome = run_fleet(
        job,
        generators=count,
        backend=LocalBackend(),
        folder=folder,
        interrupts=Interrupts(),
        **more,  # type: ignore[arg-type]
    )
    return outcome, folder


def _record(folder: RungFolder) -> FleetRecord:
    return msgspec.json.decode(folder.fleet.read_bytes(), type=FleetRecord)


def test_an_open_loop_has_every_arrival_of_one_engine(job: Job, tmp_path: Path) -> None:
    load = Load(connections=6, arrivals=PoissonArrivals(rate=1500.0))
    phases = Phases(warmup=FixedWarmup(duration_ms=200), measure_ms=600, interval_ms=100)
    job = replace(job, load=load, phases=phases)
    alone = run_job(job, interrupts=Interrupts()).require().result
    outcome, folder = _run(job, 3, tmp_path)
    result = outcome.require().result  # type: ignore[attr-defined]
    assert alone is not None
    assert alone.pacing is not None
    assert result.pacing.arrivals == alone.pacing.arrivals
    assert result.pacing.arrivals == decode(result.labels["transaction"].response).total
    assert sum(one.planned_arrivals for one in result.generators) == alone.pacing.arrivals
    assert [one.started_arrivals for one in result.generators] == [
        one.planned_arrivals for one in result.generators
    ]
    events = list(read_events(folder.events))
    hello, record = events[0], _record(folder)
    assert isinstance(hello, Hello)
    assert (hello.threads, hello.connections) == (3, 6)
    starts = [one for one in events if isinstance(one, PhaseStart) and one.phase == "measure"]
    assert [hello.epoch_monotonic_ns + one.start_ns for one in starts] == [record.window_monotonic_ns]
    assert record.window_monotonic_ns == (record.start_monotonic_ns or 0) + 200_000_000


def test_the_merged_result_is_the_sum_of_its_parts(job: Job, tmp_path: Path) -> None:
    _, folder = _run(job, 2, tmp_path)
    record = _record(folder)
    parts = []
    for entry in record.generators:
        events = folder.generator(entry.name).events
        content = events.read_bytes()
        assert (entry.events_bytes, entry.events_sha256) == (
            len(content),
            hashlib.sha256(content).hexdigest(),
        )
        parts += [one for one in read_events(events) if isinstance(one, RunResult)]
    (whole,) = (one for one in read_events(folder.events) if isinstance(one, RunResult))
    assert len(parts) == 2
    for label, times in whole.labels.items():
        merged = merge(decode(part.labels[label].service) for part in parts)
        found = decode(times.service)
        assert (found.index.tolist(), found.counts.tolist()) == (
            merged.index.tolist(),
            merged.counts.tolist(),
        )
        assert times.count == sum(part.labels[label].count for part in parts)
    assert whole.queries == sum(part.queries for part in parts)
    assert whole.elapsed_s == parts[0].elapsed_s == 0.5


def test_a_load_point_of_one_connection_has_one_generator(job: Job, tmp_path: Path) -> None:
    outcome, folder = _run(replace(job, load=Load(connections=1)), 4, tmp_path)
    assert outcome.require().result.connections.count == 1  # type: ignore[attr-defined]
    assert [one.name for one in _record(folder).generators] == ["g1"]


def test_a_warm_up_ends_by_the_sum_and_all_measure_one_window(job: Job, tmp_path: Path) -> None:
    warmup = UntilSteadyWarmup(window_ms=500, tolerance=0.9, cap_ms=3_000)
    job = replace(job, phases=replace(job.phases, warmup=warmup))
    outcome, folder = _run(job, 2, tmp_path)
    result = outcome.require().result  # type: ignore[attr-defined]
    record = _record(folder)
    assert result.complete
    assert result.warmup.transactions > 0
    assert record.window_monotonic_ns is not None
    assert record.start_monotonic_ns is not None
    warm_ns = record.window_monotonic_ns - record.start_monotonic_ns
    assert warm_ns % 100_000_000 == 0
    assert result.warmup_s == pytest.approx(warm_ns / 1e9)


def test_one_that_falls_silent_is_lost(job: Job, tmp_path: Path) -> None:
    job = replace(job, phases=replace(job.phases, measure_ms=600_000))
    pids: list[int] = []
    stopped: list[int] = []

    def hear(event: object) -> None:
        if isinstance(event, Interval) and not stopped:
            os.kill(pids[0], signal.SIGSTOP)
            stopped.append(pids[0])

    outcome, folder = _run(job, 2, tmp_path, on_start=pids.append, on_event=hear)
    error = outcome.error  # type: ignore[attr-defined]
    assert isinstance(error, GeneratorLost)
    assert "g1" in error.message
    assert "said nothing for" in error.message
    assert [one.name for one in _record(folder).lost] == ["g1"]
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_an_error_of_the_server_is_no_loss(job: Job, tmp_path: Path) -> None:
    nowhere = replace(job, target=Target(user="root", database="assay", socket="/nowhere/x.sock"))
    outcome, folder = _run(nowhere, 2, tmp_path)
    error = outcome.error  # type: ignore[attr-defined]
    assert isinstance(error, ConnectError)
    assert outcome.exit_code == 3
    assert "/nowhere/x.sock" in error.message
    assert not _record(folder).lost


def test_ctrl_c_ends_all_in_good_order(job: Job, tmp_path: Path) -> None:
    job = replace(job, phases=replace(job.phases, measure_ms=600_000))
    folder = RungFolder(tmp_path)
    with Interrupts() as interrupts:
        sent = []

        def hear(event: object) -> None:
            if isinstance(event, Interval) and not sent:
                sent.append(threading.Timer(0.0, os.kill, (os.getpid(), signal.SIGINT)))
                sent[0].start()

        outcome = run_fleet(
            job,
            generators=2,
            backend=LocalBackend(),
            folder=folder,
            interrupts=interrupts,
            on_event=hear,
        )
    assert outcome.exit_code == 130
    assert outcome.result is not None
    assert not outcome.result.complete
    assert not _record(folder).lost


_LAB = """
import sys
from pathlib import Path
import msgspec
from assay.system.engine import Interrupts
from assay.measurement.fleet import LocalBackend, run_fleet
from assay.design.folder import Interval, RungFolder
from assay.base.format.job import Job

job = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Job)
def hear(event):
    if isinstance(event, Interval):
        print("going on", flush=True)
run_fleet(job, generators=3, backend=LocalBackend(), folder=RungFolder(Path(sys.argv[2])),
          interrupts=Interrupts(), on_start=lambda pid: print(pid, flush=True), on_event=hear)
"""


def test_a_lab_that_is_killed_leaves_no_generator(job: Job, tmp_path: Path) -> None:
    endless = replace(job, phases=replace(job.phases, measure_ms=600_000))
    path = tmp_path / "job.json"
    path.write_bytes(msgspec.json.encode(endless))
    command = [sys.executable, "-c", _LAB, str(path), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab:
        assert lab.stdout is not None
        pids = [int(lab.stdout.readline()) for _ in range(3)]
        assert lab.stdout.readline() == "going on\n"
        lab.kill()
    deadline = time.monotonic() + _PATIENCE_S
    while left := [pid for pid in pids if _runs(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    """Whether a process is there, and more than its exit status is left of it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def test_shares_are_jobs_that_can_be_read_again(job: Job, tmp_path: Path) -> None:
    _, folder = _run(job, 2, tmp_path)
    parts = [json.loads(folder.generator(name).job.read_text())["load"]["part"] for name in ("g1", "g2")]
    assert [part["first_loop"] for part in parts] == [0, parts[0]["loops"] // 2]
