"""Runs several generators as a contestant, and weighs a node of a Ray cluster."""

from __future__ import annotations

import json
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec
from assay.base.errors import AssayError
from assay.base.format.job import EngineOptions, Job, Phases, Target
from assay.design.folder import FleetRecord, RungFolder, RunResult
from assay.measurement.fleet import LocalBackend, run_fleet
from assay.measurement.fleet.clock import read_clock
from assay.system.engine import Interrupts, jobs

from benchmarks import engine
from benchmarks.alternating import Plan, alternated, figures
from benchmarks.child import ContestantFailed
from benchmarks.load import Endpoint, Load
from benchmarks.ray_weight import JOINED, LIVES, STANDS, WEIGH
from benchmarks.rounds import interleaved
from benchmarks.rows import Figures

_SHORT_MS = 100
_AHEAD_S = (60, 3_600, 86_400, 604_800, 31_536_000, 61, 3_601, 86_401, 604_801, 31_536_001)
"""What the clocks of processes elsewhere are ahead."""
_NAMESPACE = ("unshare", "--time", "--monotonic")
_LATE_S, _CALLS_S = 0.0004, 20.0
_THERE = """
import itertools, random, socket, sys, time
from assay.measurement.fleet.clock import answer_clock
late, calls = float(sys.argv[2]), itertools.count()
def clock():
    if late and next(calls) % 2 == 0:
        time.sleep(random.random() * late)
    return time.monotonic_ns()
answer_clock(socket.create_connection(("127.0.0.1", int(sys.argv[1]))), clock=clock)
"""
START = "start_ms"
ONE, TWO = "one engine", "two generators"
BESIDE, ALONE = "beside Ray's node", "without it"
"""Whose figures a measurement has many of."""


def sums(endpoint: Endpoint, connections: int, seconds: float, pairs: int) -> Figures:
    """Drives point selects with two event loops in all, shared by two generators or those of one engine."""

    def run(generators: int) -> Figures:
        result, _ = _carried_out(_job(endpoint, connections, int(seconds * 1000), 2), generators)
        used_us = result.engine.user_us + result.engine.system_us
        return {"qps": result.queries / result.elapsed_s, "engine_us": used_us / max(result.queries, 1)}

    return interleaved({TWO: partial(run, 2), ONE: partial(run, 1)}, pairs)


def starts(endpoint: Endpoint, count: int) -> Figures:
    """Starts two generators together so many times; returns the time between their first operations. One that
    has none in its window counts as late by all of it.
    """
    job = _job(endpoint, 2, _SHORT_MS, 2)
    found = {}
    for number in range(count):
        _, record = _carried_out(job, 2)
        spread_ns = record.start_spread_ns
        found[f"{START} {number}"] = _SHORT_MS if spread_ns is None else spread_ns / 1e6
    return found


def beside_ray(load: Load, endpoint: Endpoint, used_s: Callable[[], float], plan: Plan) -> Figures:
    """Weighs an idle node of Ray, and drives a load of one engine during which the node lives on this
    machine, and all of its processes stand still, in turn. `used_s` is the processor time of the server so
    far.
    """
    with _ray_node() as ask, tempfile.TemporaryDirectory() as name:
        weight: dict[str, float] = json.loads(ask(WEIGH))
        events = Path(name) / "events.jsonl"

        def switch(to: str) -> None:
            line = LIVES if to == BESIDE else STANDS
            if ask(line) != line:
                raise ContestantFailed(f"the node cannot be had so: {line}")

        with engine.running(load, endpoint, events) as process:
            windows = alternated(process, events, plan, (BESIDE, ALONE), switch, used_s)
        switch(BESIDE)
        if ask(JOINED) != JOINED:
            raise ContestantFailed("the node is no longer part of its cluster")
        return {**weight, **figures(windows, events)}


@contextmanager
def _ray_node() -> Iterator[Callable[[str], str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.ray_weight"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        said, told = child.stdout, child.stdin

        def answer() -> str:
            if not (line := said.readline()):
                assert child.stderr is not None
                raise ContestantFailed((child.stderr.read().strip().splitlines() or ["it said nothing"])[-1])
            return line.strip()

        def ask(line: str) -> str:
            told.write(f"{line}\n")
            told.flush()
            return answer()

        try:
            answer()
            yield ask
        finally:
            told.close()


def clocks(readings: int) -> Figures:
    """Reads clocks of processes in time namespaces of their own, so many times each, as a coordinator does
    with hosts. Questions to every other one are late on their way, answers are not.
    """
    inside, bounds = 0, []
    for number, ahead_s in enumerate(_AHEAD_S):
        with closing(socket.create_server(("127.0.0.1", 0))) as listener:
            where = [str(listener.getsockname()[1]), str(_LATE_S * (number % 2))]
            with subprocess.Popen(
                [*_NAMESPACE, str(ahead_s), "--fork", sys.executable, "-c", _THERE, *where]
            ):
                listener.settimeout(_CALLS_S)
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    raise ContestantFailed("a process in a time namespace does not call") from None
                with closing(connection):
                    for _ in range(readings):
                        offset = read_clock(connection).offset
                        inside += abs(offset.offset_ns - ahead_s * 10**9) <= offset.bound_ns
                        bounds.append(offset.bound_ns)
    return {
        "inside": inside / len(bounds),
        "readings": len(bounds),
        "bound_us": statistics.median(bounds) / 1e3,
    }


def has_time_namespaces() -> bool:
    """Returns whether this user can give a process a clock of its own."""
    return subprocess.run([*_NAMESPACE, "60", "true"], capture_output=True, check=False).returncode == 0


def _job(endpoint: Endpoint, connections: int, measure_ms: int, loops: int) -> Job:
    return jobs.job(
        "run",
        target=Target(socket=str(endpoint.socket), user="root", database=endpoint.database),
        workload="oltp_point_select",
        options={"tables": 1, "table_size": 1000},
        seed=1,
        load=jobs.closed_loop(connections),
        engine=EngineOptions(threads=loops),
        phases=Phases(measure_ms=measure_ms),
    )


def _carried_out(job: Job, generators: int) -> tuple[RunResult, FleetRecord]:
    with tempfile.TemporaryDirectory() as name:
        folder = RungFolder(Path(name))
        try:
            outcome = run_fleet(
                job, generators=generators, backend=LocalBackend(), folder=folder, interrupts=Interrupts()
            ).require()
        except AssayError as error:
            raise ContestantFailed(error.message) from error
        assert outcome.result is not None
        return outcome.result, msgspec.json.decode(folder.fleet.read_bytes(), type=FleetRecord)
