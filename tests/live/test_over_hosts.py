"""A study whose blocks are carried out on two hosts: two agents of this machine, each with its own home."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from assay.design.folder import Manifest, ResultsFolder, RunResult, read_events, read_manifest
from assay.measurement.fleet import make_token
from forked import Command
from live_command import PATIENCE_S, Finished, wait_for, written

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]
Write = Callable[..., Path]
ON = 'on = "role=server,zone=a"'


class _Hosts:
    """Two agents, and the fleet file that names them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.token = place / "token"
        make_token(self.token)
        self.agents: dict[str, Command] = {}
        ports = {name: self._begin(name) for name in ("h1", "h2")}
        hosts = "".join(
            f'[[host]]\nname = "{name}"\nrole = "server"\nzone = "a"\naddress = "127.0.0.1:{port}"\n'
            for name, port in ports.items()
        )
        self.file = place / "fleet.toml"
        self.file.write_text(f'[fleet]\ntoken_file = "token"\n{hosts}')

    def home(self, name: str) -> Path:
        return self.place / name

    def _begin(self, name: str) -> int:
        arguments = ["fleet", "agent", "--servers", "--port", "0", "--token-file", str(self.token)]
        agent = self.agents[name] = Command(arguments, {**os.environ, "ASSAY_HOME": str(self.home(name))})
        return int(agent.stdout.readline().rpartition(":")[2])

    def servers(self) -> list[str]:
        """Returns the command lines of servers that hosts have started and that live."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes().decode(errors="replace")
            except OSError:
                continue
            if f"{self.place}/" in line and "mariadbd" in line.partition("\0")[0]:
                found.append(line)
        return found

    def end(self) -> None:
        for agent in self.agents.values():
            agent.terminate()
            agent.communicate(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def hosts() -> Iterator[_Hosts]:
    place = Path(tempfile.mkdtemp(prefix="assay-hosts-"))  # servers of root run as another user
    place.chmod(0o755)
    found = _Hosts(place)
    yield found
    found.end()
    shutil.rmtree(place)


def _manifests(folder: ResultsFolder) -> list[Manifest]:
    return [read_manifest(run) for run in folder.finished_runs()]


def _arguments(study: Path, folder: ResultsFolder, hosts: _Hosts, *more: str) -> list[str]:
    places = ["--results", str(folder.path), "--fleet", str(hosts.file), "--allow-same-machine"]
    return ["run", str(study), *places, "--no-report", *more]


def _check_whole(folder: ResultsFolder, one: Manifest) -> None:
    """Every file that the run had on its host is here, as long as it was there."""
    run = folder.run(one.run_id)
    there = {str(path.relative_to(run.path)) for path in run.path.rglob("*") if path.is_file()}
    assert there == {*one.files, "run.json"}
    assert all((run.path / name).stat().st_size == file.bytes for name, file in one.files.items())
    *_, last = read_events(run.rung_at(one.rungs[0].dir).events)
    assert isinstance(last, RunResult)
    assert last.complete
    assert "hosts-share-machine" in [doubt.kind for doubt in one.doubts]


@pytest.mark.long
def test_blocks_on_hosts_come_home_after_a_signal_and_the_loss_of_a_host(
    hosts: _Hosts, start: Callable[..., Command], assay: Assay, write_study: Write, tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    study = write_study(on=ON, blocks=2, measure="1500ms")
    refused = assay(*(one for one in _arguments(study, folder, hosts) if one != "--allow-same-machine"))
    assert refused.code == 6
    assert "h1 and h2 are one machine" in refused.err

    lab = start(*_arguments(study, folder, hosts))
    wait_for(lambda: written([folder.live], '"is":"over"'))
    lab.send_signal(signal.SIGTERM)
    out, err = lab.communicate(timeout=PATIENCE_S)
    assert lab.returncode == 130, err
    kept = _manifests(folder)
    assert 0 < len(kept) < 4
    assert f"{len(kept)} of 4 runs are finished and kept" in out + err
    assert not hosts.servers()

    lab = start(*_arguments(study, folder, hosts))
    wait_for(lambda: list((hosts.home("h2") / "blocks").glob("*/results/runs/.*.unfinished/rungs")))
    hosts.agents["h2"].kill()
    out, err = lab.communicate(timeout=PATIENCE_S)
    assert lab.returncode == 0, err
    assert "is begun again: the connection to the agent of h2" in out + err
    assert "h2 is left out" in out + err
    found = _manifests(folder)
    assert len(found) == 4
    for one in found:
        assert one.status == "complete"
        _check_whole(folder, one)
    for block in (1, 2):
        assert len({one.fleet_host for one in found if one.block == block}) == 1
    superseded = {run.path.name for why, run in folder.attempts() if why == "superseded"}
    block_of_h2 = {one.block for one in kept if one.fleet_host == "h2"}
    assert superseded == {f".{one.run_id}.superseded-1" for one in kept if one.block in block_of_h2}
    assert not list(folder.runs.glob("*.unfinished"))
    # Each host has made the tables itself, from the seed of the data.
    assert len({one.dataset["id"] for one in [*kept, *found]}) == 1
    assert all(any((hosts.home(name) / "datasets").iterdir()) for name in ("h1", "h2"))
    assert not list((hosts.home("h1") / "blocks").iterdir())
    wait_for(lambda: not hosts.servers())  # the kernel has told the lab on h2
