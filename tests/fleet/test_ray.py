"""Generators on a Ray cluster: the contract of every backend, and the fence around Ray.

All of it runs in a network of its own: Ray listens at many ports.
"""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, GeneratorLost, HostError, InputError
from assay.base.format.job import Job, Load, PoissonArrivals
from assay.design.folder import Interval, RungFolder
from assay.measurement.fleet import (
    AgentBackend,
    RayBackend,
    RemoteBlock,
    block_hosts,
    make_token,
    read_fleet_file,
    refuse_open_network,
    run_fleet,
    start_node,
    stop_node,
)
from assay.measurement.fleet.ray.node import node_processes
from assay.system.engine import Interrupts, JobOutcome
from assay.testing.contracts import BackendContract
from killing import KILLS, LATEST_S, LEAD_S, carried_out, check, killed_after, shortened, wait_until
from msgspec.structs import replace

_PORT = 6400
_FIRST_PORTS = {"h": 7800, "j": 7900, "s1": 8000}
_NEWNET = 0x40000000

pytestmark = [
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'assay[fleet]'"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can give Ray a network of its own"),
]


@pytest.fixture(scope="module")
def network() -> Iterator[None]:
    """A network of loopback alone, for this thread and all that it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open("rb") as before:
        if libc.unshare(_NEWNET) != 0:
            pytest.skip(f"no network of our own: {os.strerror(ctypes.get_errno())}")
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        yield
        assert libc.setns(before.fileno(), _NEWNET) == 0


class _Cluster:
    """A head on this machine, and a host for generators that joins it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="ray"))  # sockets need a short name
        self.token = self.path / "token"
        make_token(self.token)
        self.head, self.joined = self.path / "h", self.path / "j"
        self.start(self.head, None, "generator", "h1")
        self.join_again()

    def join_again(self) -> None:
        """Has the second host join, whatever is left of it."""
        stop_node(self.joined)
        self.start(self.joined, f"127.0.0.1:{_PORT}", "generator", "h2")

    @contextmanager
    def another(self, role: str, name: str) -> Iterator[None]:
        """A further host in the block."""
        folder = self.path / name
        try:
            self.start(folder, f"127.0.0.1:{_PORT}", role, name)
            yield
        finally:
            stop_node(folder)

    def raylet(self) -> int | None:
        """Returns the raylet of the second host."""
        for process in node_processes(self.joined):
            if b"raylet/raylet" in Path(f"/proc/{process.pid}/cmdline").read_bytes():
                return process.pid
        return None

    def start(self, folder: Path, head: str | None, role: str, name: str) -> None:
        start_node(
            head=head,
            address="127.0.0.1",
            port=_PORT,
            first_port=_FIRST_PORTS[folder.name],
            labels={"assay.role": role, "assay.host": name},
            token_file=self.token,
            trust_network=True,  # it is a network of its own
            folder=folder,
        )

    def backend(self) -> RayBackend:
        address = f"127.0.0.1:{_PORT}"
        return RayBackend(address, self.token, allow_same_machine=True, folder=self.head)

    def end(self) -> None:
        import ray

        ray.shutdown()
        stop_node(self.joined)
        stop_node(self.head)
        assert node_processes(self.joined) == node_processes(self.head) == []
        shutil.rmtree(self.path)


@pytest.fixture(scope="module")
def cluster(network: None) -> Iterator[_Cluster]:
    with pytest.MonkeyPatch.context() as environment:
        # Ray may take a minute to see that a raylet is gone. No fleet waits for it, but these tests do.
        environment.setenv("RAY_health_check_period_ms", "1000")
        cluster = _Cluster()
        yield cluster
        cluster.end()


@pytest.fixture(scope="module")
def kept(cluster: _Cluster) -> Iterator[RayBackend]:
    backend = cluster.backend()
    yield backend
    backend.close()


@pytest.fixture
def backend(kept: RayBackend) -> RayBackend:
    return kept


@pytest.mark.long
class TestRay(BackendContract):
    """The contract."""


@pytest.mark.long
def test_hosts_are_those_that_joined_as_generators(backend: RayBackend) -> None:
    assert sorted(host.name for host in backend.join()) == ["h1", "h2"]
    assert {node["Labels"]["assay.role"] for node in backend.nodes()} == {"generator"}


@pytest.mark.long
def test_hosts_of_another_study_are_not_taken(
    cluster: _Cluster, backend: RayBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend.join()
    monkeypatch.setattr("assay.measurement.fleet.ray.backend._STARTED_S", 3.0)
    other = cluster.backend()
    with pytest.raises(HostError, match=r"cannot have an agent on h1, h2$") as busy:
        other.join()
    assert "another study may use the host" in (busy.value.hint or "")
    assert sorted(host.name for host in backend.join()) == ["h1", "h2"]
    backend.close()
    monkeypatch.undo()
    assert sorted(host.name for host in other.join()) == ["h1", "h2"]  # nothing was left of its first try
    other.close()


_LAB = """
import json, os, sys
order = json.loads(sys.stdin.readline())
folder = os.path.join(order["folder"], "runs", "b01-01-x")
os.makedirs(folder)
open(os.path.join(folder, "run.json"), "w").write("{}")
print(os.getpid(), flush=True)
"""


@pytest.mark.long
def test_blocks_go_to_hosts_that_joined_for_servers(cluster: _Cluster, tmp_path: Path) -> None:
    path = tmp_path / "fleet.toml"
    path.write_text(
        f'[fleet]\nbackend = "ray"\naddress = "127.0.0.1:{_PORT}"\ntoken_file = "{cluster.token}"\n'
    )
    file = read_fleet_file(path)
    with pytest.raises(HostError, match=r"no host has joined the fleet at .* as a server") as nobody:
        block_hosts(file, "role=server")
    assert "--role server" in (nobody.value.hint or "")
    with cluster.another("server", "s1"):
        with pytest.raises(InputError, match=r"fits no host; there are s1 \(role=server\)"):
            block_hosts(file, "h1")
        hosts = block_hosts(file, "role=server", lab=["-c", _LAB])
        assert list(hosts.joined()) == ["s1"]
        said: list[bytes] = []
        order = {"runs": ["b01-01-x"]}
        block = RemoteBlock(hosts.agents["s1"], hosts.token, order, tmp_path / "block", said.append)
        assert [run.run_id for run in block.carry_out()] == ["b01-01-x"]
        assert len(said) == 1
        assert hosts.cluster is not None
        hosts.cluster.close()


@pytest.mark.long
def test_blocks_on_one_host_have_generators_on_the_others(
    cluster: _Cluster, kept: RayBackend, job: Job, tmp_path: Path
) -> None:
    kept.close()  # a host has one agent at a time
    path = tmp_path / "fleet.toml"
    path.write_text(
        f'[fleet]\nbackend = "ray"\naddress = "127.0.0.1:{_PORT}"\ntoken_file = "{cluster.token}"\n'
    )
    with cluster.another("server", "s1"):
        hosts = block_hosts(read_fleet_file(path), "role=server", allow_same_machine=True, generators=True)
        load = hosts.generators
        assert load is not None
        assert sorted(hosts.loaded_by()["s1"]) == ["h1", "h2"]
        agents = load.agents("s1", hosts.token)
        assert load.agents("s1", hosts.token) is agents
        assert list(hosts.joined()) == ["s1"]
        backend = AgentBackend(agents, hosts.token, allow_same_machine=True)
        outcome = carried_out(shortened(job), backend, tmp_path, [])
        assert outcome.result is not None
        assert {one.host for one in outcome.result.generators} == {"h1", "h2"}

        before, raylet = _second_hosts(kept), cluster.raylet()
        assert raylet is not None
        os.kill(raylet, signal.SIGKILL)
        cluster.join_again()
        _wait_for_another(kept, before)
        assert list(load.joined(hosts.token)) == [agent.host for agent in agents]
        assert load.agents("s1", hosts.token) != agents
        load.close()
        assert hosts.cluster is not None
        hosts.cluster.close()


@pytest.mark.long
def test_nothing_listens_that_is_not_needed(cluster: _Cluster) -> None:
    for port in (8265, 10001):  # the dashboard, and Ray's client
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=5.0).close()
    titles = [Path(f"/proc/{one.pid}/cmdline").read_bytes() for one in node_processes(cluster.head)]
    assert not any(b"log_monitor" in title for title in titles)


@pytest.mark.long
def test_nobody_comes_in_without_the_token(cluster: _Cluster, tmp_path: Path) -> None:
    other = tmp_path / "token"
    make_token(other)
    text = f"import ray._raylet as r\nr.GcsClient(address='127.0.0.1:{_PORT}').get_all_node_info(timeout=5)\n"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    environment |= {"RAY_py_gcs_connect_timeout_s": "2"}
    for more in ({}, {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(other)}):
        done = subprocess.run(
            [sys.executable, "-c", text], env=environment | more, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert "InvalidAuthToken" in done.stderr or "Unauthenticated" in done.stderr, done.stderr[-500:]


@pytest.mark.long
def test_a_machine_is_in_one_fleet(cluster: _Cluster) -> None:
    with pytest.raises(ConflictError, match="part of a fleet already"):
        cluster.start(cluster.head, None, "generator", "h1")


@pytest.mark.long
def test_a_raylet_that_is_killed_loses_its_generator(
    cluster: _Cluster, backend: RayBackend, job: Job, tmp_path: Path
) -> None:
    backend.join()
    load = Load(connections=4, arrivals=PoissonArrivals(rate=200.0))
    job = replace(job, load=load, phases=replace(job.phases, measure_ms=600_000))
    began: list[float] = []

    def hear(event: object) -> None:
        if isinstance(event, Interval) and not began:
            began.append(time.monotonic())
            raylet = cluster.raylet()
            assert raylet is not None
            os.kill(raylet, signal.SIGKILL)

    outcome = run_fleet(
        job,
        generators=2,
        backend=backend,
        folder=RungFolder(tmp_path),
        interrupts=Interrupts(),
        on_event=hear,
    )
    assert time.monotonic() - began[0] < 15.0
    assert isinstance(outcome.error, GeneratorLost)
    assert " on h2 was lost" in outcome.error.message
    assert outcome.result is None or not outcome.result.complete


def _second_hosts(backend: RayBackend) -> set[str]:
    """Returns the nodes of the second host that Ray believes to be there."""
    return {node["NodeID"] for node in backend.nodes() if node["Labels"]["assay.host"] == "h2"}


def _wait_for_another(backend: RayBackend, before: set[str]) -> None:
    """Waits until the second host is in the cluster anew, and Ray knows that those before are gone."""
    wait_until(
        lambda: len(now := _second_hosts(backend)) == 1 and not now & before,
        60.0,
        "the host that was killed is of the cluster still",
    )


@pytest.mark.long
@pytest.mark.parametrize("number", range(KILLS))
def test_a_raylet_that_is_killed_at_any_instant(
    number: int,
    cluster: _Cluster,
    backend: RayBackend,
    job: Job,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(f"raylet {number}")
    monkeypatch.setattr(backend, "lead_s", LEAD_S)
    backend.close()
    before = _second_hosts(backend)
    cluster.join_again()
    _wait_for_another(backend, before)
    backend.join()
    left: list[int] = []

    def victim() -> int | None:
        left.extend(process.pid for process in node_processes(cluster.joined))
        left.extend(
            process.pid
            for process in node_processes(cluster.head)
            if b"assay-engine" in Path(f"/proc/{process.pid}/cmdline").read_bytes()
        )
        return cluster.raylet()

    with killed_after(chance.uniform(0.0, LATEST_S), victim) as at:
        try:
            outcome = carried_out(shortened(job), backend, tmp_path, [])
        except HostError as gone:  # before it had a generator
            outcome = JobOutcome(gone.exit_code, None, None, GeneratorLost(gone.message))
    check(outcome, job, at, left)
    assert outcome.error is None or "h2" in outcome.error.message


def test_a_network_beyond_loopback_must_be_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    assert refuse_open_network("127.0.0.1", trust_network=False) is None
    with pytest.raises(InputError, match="in clear"):
        refuse_open_network("192.0.2.10", trust_network=False)
    assert "in clear" in (refuse_open_network("192.0.2.10", trust_network=True) or "")
    monkeypatch.setenv("RAY_USE_TLS", "1")
    assert refuse_open_network("192.0.2.10", trust_network=False) is None


def test_assay_without_a_fleet_does_not_import_ray() -> None:
    text = (
        "import sys, assay.measurement.fleet as f, assay.front.cli.fleet\n"
        "f.RayBackend, f.run_fleet, f.backend_of\n"
        "assert 'ray' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", text], check=True)


def test_ray_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("assay.base.extras.find_spec", lambda name: None)
    with pytest.raises(HostError, match="needs the Python package ray, which is not installed"):
        RayBackend("127.0.0.1:1", tmp_path / "token")
