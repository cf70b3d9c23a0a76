"""A server on one host of a fleet, its generators on others: agents in processes, homes and networks of their
own.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from assay.design.folder import (
    Doubt,
    Manifest,
    ResultsFolder,
    RunResult,
    read_events,
    read_manifest,
)
from assay.measurement.fleet import make_token
from assay.system.server import Instance, PrivateDir
from assay.system.server.resources.client_network import ClientNetwork
from live_command import PATIENCE_S, Finished

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]
Write = Callable[..., Path]
LOAD = "rate = [100]\nconnections = 4\ngenerators = 2"
MACHINE_ID = Path("/etc/machine-id")


class _Hosts:
    """Agents, and the fleet file that names them."""

    def __init__(self) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="assay-hosts-"))  # servers of root run as another user
        self.place.chmod(0o755)
        make_token(self.place / "token")
        self.file = self.place / "fleet.toml"
        self.file.write_text('[fleet]\ntoken_file = "token"\n')
        self._agents: dict[str, subprocess.Popen[str]] = {}

    def add(self, name: str, role: str, address: str = "127.0.0.1", *, within: Sequence[str] = ()) -> None:
        """Starts the agent of a host. `within` is a command that carries another out in some surroundings."""
        command = [
            sys.executable,
            "-m",
            "assay.front.cli",
            "fleet",
            "agent",
            "--address",
            address,
            "--port",
            "0",
        ]
        command += ["--token-file", str(self.place / "token"), *(["--servers"] if role == "server" else [])]
        agent = self._agents[name] = subprocess.Popen(
            [*within, *command],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "ASSAY_HOME": str(self.place / name)},
        )
        assert agent.stdout is not None
        port = agent.stdout.readline().rpartition(":")[2].strip()
        with self.file.open("a") as file:
            file.write(
                f'[[host]]\nname = "{name}"\nrole = "{role}"\naddress = "{address}:{port}"\nloops = 1\n'
            )

    def kill(self, name: str) -> None:
        self._agents[name].kill()

    def said(self, name: str) -> str:
        """Returns what an agent has said, which ends it."""
        self._agents[name].terminate()
        return self._agents.pop(name).communicate(timeout=PATIENCE_S)[0]

    def end(self) -> None:
        for agent in self._agents.values():
            agent.terminate()
            agent.communicate(timeout=PATIENCE_S)
        shutil.rmtree(self.place)


@pytest.fixture
def hosts() -> Iterator[_Hosts]:
    found = _Hosts()
    yield found
    found.end()


def _arguments(study: Path, folder: ResultsFolder, hosts: _Hosts, *more: str) -> list[str]:
    return [
        *("run", str(study), "--results", str(folder.path), "--fleet", str(hosts.file), "--no-report"),
        *more,
    ]


def _loaded_by(folder: ResultsFolder, manifest: Manifest) -> tuple[list[str], set[str]]:
    """Returns the hosts of a run's generators, and the doubts about it."""
    (rung,) = manifest.rungs
    *events, result = read_events(folder.run(manifest.run_id).rung_at(rung.dir).events)
    assert isinstance(result, RunResult)
    assert result.complete
    assert result.server_questions is not None
    assert result.server_questions >= result.sent_statements > 100
    return [one.host for one in result.generators], {one.kind for one in events if isinstance(one, Doubt)}


@pytest.mark.long
def test_a_block_on_one_host_is_loaded_from_others(
    hosts: _Hosts, assay: Assay, write_study: Write, tmp_path: Path
) -> None:
    hosts.add("s1", "server")
    hosts.add("g1", "generator")
    hosts.add("g2", "generator")
    folder = ResultsFolder(tmp_path / "results")
    study = write_study(on='on = "s1"', load=LOAD, measure="1500ms")
    refused = assay(*_arguments(study, folder, hosts))
    assert refused.code == 6
    assert "s1 and g1 and g2 are one machine, so their servers and generators" in refused.err
    assert not folder.path.exists()

    done = assay(*_arguments(study, folder, hosts, "--allow-same-machine"))
    assert done.code == 0, done.err
    assert "s1: 1 block (1), load from g1, g2" in done.out + done.err
    manifests = [read_manifest(run) for run in folder.finished_runs()]
    assert len(manifests) == 2
    for one in manifests:
        assert (one.status, one.fleet_host, one.server["client"]) == ("complete", "s1", "tcp")
        there, doubts = _loaded_by(folder, one)
        assert there == ["g1", "g2"]
        assert "generator-on-server-host" in doubts
        assert "conservation" not in doubts

    hosts.kill("g2")
    study = write_study(on='on = "s1"', load=LOAD, measure="1500ms", blocks=2)
    lost = assay(*_arguments(study, folder, hosts, "--allow-same-machine"))
    assert lost.code == 6
    assert "cannot reach the agent of g2" in lost.err
    assert len(list(folder.finished_runs())) == 2


@contextmanager
def _another_machine(hosts: _Hosts) -> Iterator[tuple[ClientNetwork, list[str]]]:
    """A network with another host at its end, and the command that carries others out there, under a machine
    id of its own.
    """
    own_id = hosts.place / "machine-id"
    own_id.write_text(secrets.token_hex(16) + "\n")
    with PrivateDir() as private:
        network = private.client_network(0)
        bound = f'mount --bind {own_id} {MACHINE_ID} && exec "$0" "$@"'  # `ip` gives it mounts of its own
        yield network, ["ip", "netns", "exec", network.namespace.name, "sh", "-c", bound]


@pytest.mark.long
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("ip") is None or not MACHINE_ID.is_file(),
    reason="only root can make a network and a machine id of another host, and ip makes networks",
)
@pytest.mark.parametrize("on", ["", 'on = "role=server"'], ids=["here", "on a host"])
def test_a_private_server_is_reached_over_the_network(
    on: str, hosts: _Hosts, assay: Assay, write_study: Write, tmp_path: Path
) -> None:
    with _another_machine(hosts) as (network, within):
        if on:
            hosts.add("s1", "server", network.server_address)
        hosts.add("g1", "generator", network.client_address, within=within)
        folder = ResultsFolder(tmp_path / "results")
        study = write_study(on=on, load=LOAD, measure="1500ms", factor="")
        done = assay(*_arguments(study, folder, hosts))
        assert done.code == 0, done.err
        (manifest,) = [read_manifest(run) for run in folder.finished_runs()]
        there, doubts = _loaded_by(folder, manifest)
        assert there == ["g1", "g1"]
        assert "generator-on-server-host" not in doubts
        assert manifest.fleet_host == ("s1" if on else None)
        job = (folder.run(manifest.run_id).rung_at(manifest.rungs[0].dir).path / "job.json").read_text()
        assert network.server_address in job

        client = "socket" if on else "netns"
        study = write_study(on=on, load=f'{LOAD}\nclient = "{client}"', factor="")
        refused = assay(*_arguments(study, ResultsFolder(tmp_path / client), hosts))
        assert refused.code == 2
        assert f'load.client = "{client}": generators on other machines reach' in refused.err


@pytest.mark.long
def test_missing_tables_of_a_running_server_are_loaded_by_its_generators(
    mariadb: Instance, hosts: _Hosts, assay: Assay, write_study: Write, tmp_path: Path
) -> None:
    hosts.add("g1", "generator")
    hosts.add("g2", "generator")
    with closing(mariadb.connect()) as connection:
        connection.rows("CREATE OR REPLACE DATABASE elsewhere", columns=0)
        folder = ResultsFolder(tmp_path / "results")
        use = f"dsn:mysql://root@localhost/elsewhere?socket={mariadb.socket}"
        study = write_study(use=use, load=LOAD, measure="1500ms", factor="", variables="", rows=5000)
        done = assay(*_arguments(study, folder, hosts, "--allow-same-machine"))
        assert done.code == 0, done.err
        (manifest,) = [read_manifest(run) for run in folder.finished_runs()]
        assert _loaded_by(folder, manifest)[0] == manifest.load_hosts == ["g1", "g2"]
        assert connection.rows("SELECT count(*) FROM elsewhere.sbtest1", columns=1) == [(5000,)]
        connection.rows("DROP DATABASE elsewhere", columns=0)
    for name in ("g1", "g2"):  # once for the tables, once for the load
        assert hosts.said(name).count(" started") == 2
