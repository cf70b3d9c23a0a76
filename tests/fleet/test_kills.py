"""Kills at random instants: none leaves a result that counts, a process, or a connection to the server.

`ASSAY_KILLS=100` kills so often in each way; without it, once. Ray's own are in `test_ray`.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from agent_process import TOKEN, AgentProcess
from assay.base.errors import GeneratorLost, HostError
from assay.base.format.job import Job
from assay.measurement.fleet import AgentBackend, LocalBackend
from assay.system.engine import JobOutcome
from killing import (
    CLOSED_S,
    ENDS_S,
    KILLS,
    LATEST_S,
    LEAD_S,
    carried_out,
    check,
    connections,
    engines,
    killed_after,
    runs,
    shortened,
    wait_until,
)
from msgspec.structs import replace

pytestmark = pytest.mark.parametrize("number", range(KILLS))


@pytest.fixture
def short(job: Job) -> Job:
    return shortened(job)


@pytest.fixture(scope="module")
def lasting() -> Iterator[AgentProcess]:
    agent = AgentProcess("h1")
    yield agent
    agent.end()


def test_a_generator_that_is_killed(number: int, short: Job, tmp_path: Path) -> None:
    chance = random.Random(f"generator {number}")
    pids: list[int] = []

    def victim() -> int | None:
        there = [pid for pid in pids if runs(pid)]
        return chance.choice(there) if there else None

    with killed_after(chance.uniform(0.0, LATEST_S), victim) as at:
        outcome = carried_out(short, LocalBackend(), tmp_path, pids)
    check(outcome, short, at, pids)


def test_an_agent_that_is_killed(number: int, short: Job, tmp_path: Path, lasting: AgentProcess) -> None:
    chance = random.Random(f"agent {number}")
    mortal = AgentProcess("h2")
    backend = AgentBackend([lasting.at, mortal.at], TOKEN, loops={"h1": 1, "h2": 1}, allow_same_machine=True)
    backend.lead_s = LEAD_S
    pids: list[int] = []

    def victim() -> int | None:
        pids.extend(pid for one in (lasting, mortal) for pid in engines(one.process.pid))
        return mortal.process.pid

    try:
        with killed_after(chance.uniform(0.0, LATEST_S), victim) as at:
            try:
                outcome = carried_out(short, backend, tmp_path, [])
            except HostError as gone:  # before it had a generator
                outcome = JobOutcome(gone.exit_code, None, None, GeneratorLost(gone.message))
        check(outcome, short, at, pids)
        assert outcome.error is None or "h2" in outcome.error.message
    finally:
        mortal.end()


_LAB = """
import sys
from pathlib import Path
import msgspec
from assay.system.engine import Interrupts
from assay.measurement.fleet import AgentAddress, AgentBackend, run_fleet
from assay.design.folder import RungFolder
from assay.base.format.job import Job

job = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Job)
backend = AgentBackend([AgentAddress("h1", "127.0.0.1", int(sys.argv[3]))], sys.argv[4].encode(),
                       allow_same_machine=True)
backend.lead_s = float(sys.argv[5])
print("begins", flush=True)
run_fleet(job, generators=2, backend=backend, folder=RungFolder(Path(sys.argv[2])), interrupts=Interrupts())
"""


def test_a_coordinator_that_is_killed(number: int, short: Job, tmp_path: Path, lasting: AgentProcess) -> None:
    chance = random.Random(f"coordinator {number}")
    path = tmp_path / "job.json"
    path.write_bytes(msgspec.json.encode(replace(short, phases=replace(short.phases, measure_ms=600_000))))
    command = [sys.executable, "-c", _LAB, str(path), str(tmp_path), str(lasting.at.port), TOKEN.decode()]
    with subprocess.Popen([*command, str(LEAD_S)], stdout=subprocess.PIPE) as lab:
        assert lab.stdout is not None
        assert lab.stdout.readline() == b"begins\n"
        time.sleep(chance.uniform(0.0, LATEST_S))
        lab.kill()
    wait_until(lambda: not engines(lasting.process.pid), ENDS_S, "engines are left")
    wait_until(lambda: connections(short) == 0, CLOSED_S, "the server has connections")
