"""Generators beside agents: the contract of every backend, tokens, and what happens when one end is gone."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace as changed
from pathlib import Path

import msgspec
import pytest
from agent_process import TOKEN, AgentProcess
from assay.base.errors import GeneratorLost, HostError
from assay.base.format.job import Job, Load, PoissonArrivals, Target
from assay.design.folder import Interval, RungFolder
from assay.measurement.fleet import (
    AgentAddress,
    AgentBackend,
    ClockReading,
    Share,
    clock_of,
    facts_of,
    run_fleet,
    sweep_generators,
)
from assay.measurement.fleet.agents.agent import Agent
from assay.measurement.fleet.agents.backend import refuse_other_builds
from assay.measurement.fleet.agents.ceilings import keep_ceilings, kept_ceilings, reached_together
from assay.measurement.fleet.agents.checking import ceiling_of
from assay.measurement.fleet.agents.facts import own_facts
from assay.measurement.fleet.agents.leftovers import engine_folder
from assay.measurement.fleet.shares import split
from assay.system.engine import Interrupts
from assay.testing.contracts import BackendContract
from msgspec.structs import replace

_PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def agent() -> Iterator[AgentProcess]:
    agent = AgentProcess("h1")
    yield agent
    agent.end()


@pytest.fixture
def own_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for temporary files of this process and of those that it starts."""
    path = tmp_path / "scratch"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    return path


@pytest.fixture
def backend(agent: AgentProcess) -> AgentBackend:
    return AgentBackend([agent.at], TOKEN, allow_same_machine=True)


class TestAgents(BackendContract):
    """The contract."""


def test_ceilings_of_a_check_are_kept_by_host_and_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    here, there, third = (replace(own_facts(), machine=machine) for machine in ("1", "2", "3"))
    assert reached_together({here: 2}, kept_ceilings()) is None
    keep_ceilings({here: (4, 1000.0)})
    keep_ceilings({there: (2, 300.0)})
    assert reached_together({here: 2, there: 2}, kept_ceilings()) == 500 + 300
    # More event loops than were measured reach no more for certain.
    assert reached_together({here: 8}, kept_ceilings()) == 1000
    assert reached_together({here: 2, third: 1}, kept_ceilings()) is None
    assert reached_together({replace(here, engine_sha256="another"): 2}, kept_ceilings()) is None


def _long(job: Job) -> Job:
    """Returns the job with a window that nobody waits for, at a rate that costs little."""
    load = Load(connections=4, arrivals=PoissonArrivals(rate=200.0))
    return replace(job, load=load, phases=replace(job.phases, measure_ms=600_000))


def _engine_of(agent: int) -> list[int]:
    children = Path(f"/proc/{agent}/task").glob("*/children")
    return [int(pid) for path in children for pid in path.read_text().split()]


def _wait_until_gone(pids: list[int], limit_s: float = _PATIENCE_S) -> None:
    deadline = time.monotonic() + limit_s
    while left := [pid for pid in pids if _runs(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def _folders(scratch: Path, agent: int) -> list[Path]:
    return list(scratch.glob(f"assay-generator-{agent}-*"))


def _wait_until_cleared(scratch: Path, agent: subprocess.Popen[bytes]) -> None:
    """Waits until an agent, if it lives, has removed the files of its engines."""
    deadline = time.monotonic() + _PATIENCE_S
    while agent.poll() is None and (left := _folders(scratch, agent.pid)):
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_facts_and_clock_are_those_of_the_host(agent: AgentProcess) -> None:
    assert facts_of(agent.at, TOKEN) == own_facts()
    clock = clock_of(agent.at, TOKEN)
    assert abs(clock.offset.offset_ns) <= clock.offset.bound_ns


def test_another_token_is_refused(agent: AgentProcess) -> None:
    with pytest.raises(HostError, match="refuses this token"):
        facts_of(agent.at, b"another token, also long")


def test_a_stranger_who_speaks_another_protocol_is_refused(agent: AgentProcess) -> None:
    with socket.create_connection((agent.at.address, agent.at.port)) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + b" " * 64)
        stranger.settimeout(_PATIENCE_S)
        heard = b""
        with suppress(ConnectionResetError):
            while piece := stranger.recv(1024):
                heard += piece
    assert b"HTTP" not in heard  # its greeting at most
    assert facts_of(agent.at, TOKEN) == own_facts()


def test_hosts_that_are_one_machine_are_refused(agent: AgentProcess) -> None:
    twice = [agent.at, changed(agent.at, host="h2")]
    with pytest.raises(HostError, match="h1 and h2 are one machine"):
        AgentBackend(twice, TOKEN).join()
    hosts = AgentBackend(twice, TOKEN, allow_same_machine=True).join()
    assert [host.name for host in hosts] == ["h1", "h2"]


def test_other_builds_are_refused() -> None:
    own = own_facts()
    refuse_other_builds({"h1": own, "arm": replace(own, architecture="another", engine_sha256="0" * 64)}, own)
    for wrong in (replace(own, engine_sha256="0" * 64), replace(own, package_sha256="0" * 64)):
        with pytest.raises(HostError, match=r"h1 has .*"):
            refuse_other_builds({"h1": wrong}, own)


def test_a_host_carries_out_one_load_at_a_time(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.measurement.fleet.agents.agent.FREE_S", 0.3)
    agent = Agent("127.0.0.1", 0, TOKEN)
    threading.Thread(target=agent.serve, daemon=True).start()
    at = AgentAddress("h1", "127.0.0.1", agent.port)
    one, other = (AgentBackend([at], TOKEN, allow_same_machine=True) for _ in range(2))
    one.join()
    other.join()
    shares = [Share(f"g{number}", "h1", 1, part) for number, part in enumerate(split(job, [1, 1]), start=1)]
    with one.place(shares, {}):
        with pytest.raises(HostError, match="h1: this agent carries out another load"):
            other.place(shares, {}).__enter__()
        with pytest.raises(HostError, match="h1: this agent carries out another load"):
            ceiling_of(at, TOKEN, 1, 0.1)
    monkeypatch.setattr("assay.measurement.fleet.agents.agent.FREE_S", _PATIENCE_S)
    with other.place(shares, {}) as placed:
        assert len(placed) == 2
    agent.close()


def test_a_server_that_only_this_machine_reaches_is_refused(agent: AgentProcess, job: Job) -> None:
    backend = AgentBackend([agent.at], TOKEN)
    backend.join()
    shares = [Share("g1", "h1", 1, split(job, [1])[0])]
    with pytest.raises(HostError, match="would be on the server's machine"), backend.place(shares, {}):
        pass
    backend._met["h1"] = changed(backend._met["h1"], facts=replace(own_facts(), machine="another"))
    with pytest.raises(HostError, match="cannot reach the server"), backend.place(shares, {}):
        pass


def test_a_host_with_too_few_ports_is_refused(agent: AgentProcess, job: Job) -> None:
    backend = AgentBackend([agent.at], TOKEN, allow_same_machine=True)
    backend.join()
    backend._met["h1"] = changed(backend._met["h1"], facts=replace(own_facts(), ports=2))
    job = replace(job, target=Target(user="root", database="d", host="127.0.0.1"))
    shares = [Share(f"g{number}", "h1", 1, part) for number, part in enumerate(split(job, [1, 1]))]
    with pytest.raises(HostError, match="4 connections to one address, and it has 2 ports"):
        backend.place(shares, {}).__enter__()


def test_a_server_at_another_address_of_this_machine_is_on_it(agent: AgentProcess, job: Job) -> None:
    try:
        socket.getaddrinfo(socket.gethostname(), 0)
    except OSError:
        pytest.skip("the name of this machine has no address")
    backend = AgentBackend([agent.at], TOKEN)
    backend.join()
    own = replace(job.target, socket=None, host=socket.gethostname())
    share = Share("g1", "h1", 1, split(replace(job, target=own), [1])[0])
    with pytest.raises(HostError, match="would be on the server's machine"):
        backend.place([share], {}).__enter__()


def test_a_server_here_is_not_reached_from_here_unless_that_is_allowed(agent: AgentProcess) -> None:
    with pytest.raises(HostError, match="would have generators beside it: h1 is this machine"):
        AgentBackend([agent.at], TOKEN).reach()
    reach = AgentBackend([agent.at], TOKEN, allow_same_machine=True).reach()
    assert (reach.listen, reach.clients) == ("127.0.0.1", ("127.0.0.1",))


def test_agents_that_are_met_at_several_addresses_are_refused(agent: AgentProcess) -> None:
    backend = AgentBackend([agent.at, changed(agent.at, host="h2")], TOKEN, allow_same_machine=True)
    backend.join()
    backend._met["h2"] = changed(backend._met["h2"], here="192.0.2.1")
    with pytest.raises(HostError, match=r"h1 at 127.0.0.1 and h2 at 192.0.2.1.*listens at\s+one"):
        backend.reach()


def test_a_generator_on_the_servers_machine_is_doubted(agent: AgentProcess, job: Job) -> None:
    backend = AgentBackend([agent.at], TOKEN, allow_same_machine=True)
    backend.join()
    (share,) = [Share("g1", "h1", 1, split(job, [1])[0])]
    assert [doubt.kind for doubt in backend.doubts([share])] == ["generator-on-server-host"]
    far = replace(share.job, target=Target(user="root", database="d", host="192.0.2.1"))
    assert not backend.doubts([changed(share, job=far)])


def test_a_server_at_the_address_of_an_agent_is_on_its_machine(job: Job) -> None:
    there = AgentAddress("h1", "192.0.2.11", 7717)
    share = Share("g1", "h1", 1, split(job, [1])[0])
    at = changed(share, job=replace(share.job, target=Target(user="root", database="d", host=there.address)))
    allowed = AgentBackend([there], TOKEN, allow_same_machine=True)
    assert [doubt.kind for doubt in allowed.doubts([at])] == ["generator-on-server-host"]
    with pytest.raises(HostError, match="would be on the server's machine"):
        AgentBackend([there], TOKEN).place([at], {}).__enter__()


def test_event_loops_go_by_the_hosts(agent: AgentProcess, job: Job, tmp_path: Path) -> None:
    agents = [agent.at, changed(agent.at, host="h2")]
    backend = AgentBackend(agents, TOKEN, loops={"h1": 2, "h2": 1}, allow_same_machine=True)
    folder = RungFolder(tmp_path)
    job = replace(job, phases=replace(job.phases, measure_ms=200))
    outcome = run_fleet(job, generators=3, backend=backend, folder=folder, interrupts=Interrupts())
    result = outcome.require().result
    assert result is not None
    assert [(one.host, one.loops) for one in result.generators] == [("h1", 1), ("h2", 1), ("h1", 1)]
    again = run_fleet(job, generators=2, backend=backend, folder=folder, interrupts=Interrupts())
    result = again.require().result
    assert result is not None
    assert [(one.host, one.loops) for one in result.generators] == [("h1", 2), ("h2", 1)]


def test_an_agent_that_is_gone_before_its_clock_is_read_loses_its_generator(
    backend: AgentBackend, job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> ClockReading:
        raise OSError("cannot reach the agent")

    monkeypatch.setattr("assay.measurement.fleet.agents.remote.clock_of", gone)
    outcome = run_fleet(
        job, generators=1, backend=backend, folder=RungFolder(tmp_path), interrupts=Interrupts()
    )
    assert isinstance(outcome.error, GeneratorLost)
    assert outcome.error.message.startswith("generator g1 on h1 was lost before the load began: cannot")
    assert outcome.result is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_an_agent_that_is_gone_loses_its_generator(
    how: str, job: Job, tmp_path: Path, own_scratch: Path
) -> None:
    agents = [AgentProcess("h1"), AgentProcess("h2")]
    first = agents[0].process
    engines: list[int] = []
    at: list[float] = []

    def hear(event: object) -> None:
        if isinstance(event, Interval) and not at:
            engines.extend(pid for one in agents for pid in _engine_of(one.process.pid))
            at.append(time.monotonic())
            os.kill(first.pid, signal.SIGKILL if how == "killed" else signal.SIGSTOP)

    backend = AgentBackend([one.at for one in agents], TOKEN, allow_same_machine=True)
    folder = RungFolder(tmp_path)
    try:
        outcome = run_fleet(
            _long(job),
            generators=2,
            backend=backend,
            folder=folder,
            interrupts=Interrupts(),
            on_event=hear,
        )
        left = _folders(own_scratch, first.pid) if how == "killed" else []
    finally:
        first.send_signal(signal.SIGCONT)
        took_s = time.monotonic() - at[0]
        assert len(engines) == 2
        _wait_until_gone(engines)
        for one in agents:
            _wait_until_cleared(own_scratch, one.process)
            one.end()
    assert isinstance(outcome.error, GeneratorLost)
    assert "g1 on h1" in outcome.error.message
    assert outcome.result is None or not outcome.result.complete
    assert took_s < (10.0 if how == "killed" else 20.0)
    record = json.loads(folder.fleet.read_text())
    assert [lost["name"] for lost in record["lost"]] == ["g1"]
    assert len(left) == (how == "killed")
    assert sweep_generators() == [f"removed {path}" for path in left]
    assert not list(own_scratch.glob("assay-generator-*"))


def test_what_is_no_dead_agents_stays(own_scratch: Path) -> None:
    dead = own_scratch / f"assay-generator-{os.getpid()}-1-x"  # of an earlier process with this pid
    (dead / "deeper").mkdir(parents=True)
    kept = [engine_folder(), own_scratch / "assay-generator-of-mine"]
    kept[1].mkdir()
    assert sweep_generators() == [f"removed {dead}"]
    assert sorted(own_scratch.iterdir()) == sorted(kept)


_LAB = """
import sys
from pathlib import Path
import msgspec
from assay.system.engine import Interrupts
from assay.measurement.fleet import AgentAddress, AgentBackend, run_fleet
from assay.design.folder import Interval, RungFolder
from assay.base.format.job import Job

job = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Job)
def hear(event):
    if isinstance(event, Interval):
        print("going on", flush=True)
backend = AgentBackend([AgentAddress("h1", "127.0.0.1", int(sys.argv[3]))], sys.argv[4].encode(),
                       allow_same_machine=True)
run_fleet(job, generators=2, backend=backend, folder=RungFolder(Path(sys.argv[2])),
          interrupts=Interrupts(), on_event=hear)
"""


@pytest.mark.long
def test_a_coordinator_that_is_killed_leaves_no_generator(job: Job, tmp_path: Path) -> None:
    home = {**os.environ, "ASSAY_HOME": str(tmp_path / "home")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", home["ASSAY_HOME"])
        agent = AgentProcess("h1")
    path = tmp_path / "job.json"
    path.write_bytes(msgspec.json.encode(_long(job)))
    command = [sys.executable, "-c", _LAB, str(path), str(tmp_path), str(agent.at.port), TOKEN.decode()]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab:
            assert lab.stdout is not None
            assert lab.stdout.readline() == "going on\n"
            engines = _engine_of(agent.process.pid)
            assert len(engines) == 2
            lab.kill()
        _wait_until_gone(engines, 10.0)
        kept: list[Path] = []
        deadline = time.monotonic() + _PATIENCE_S
        while len(kept) < 2:
            kept = list((tmp_path / "home" / "generators").glob("g*.jsonl"))
            assert time.monotonic() < deadline
            time.sleep(0.05)
        for one in kept:
            events = [json.loads(line) for line in one.read_text().splitlines()]
            assert [event["complete"] for event in events if event["event"] == "result"] == [False]
    finally:
        agent.end()
