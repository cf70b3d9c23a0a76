"""The lab killed with SIGKILL in each phase: the next command leaves nothing of it, the study goes on."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.design.folder import ResultsFolder, read_manifest
from assay.system.server import Build
from assay.system.server.resources.client_network import NAMESPACES
from assay.system.server.resources.control_group import find_cgroup_parent
from forked import Command
from live_command import GENTLE, PATIENCE_S, Finished, wait_for, written

pytestmark = pytest.mark.live

STUDY = """\
[study]
name = "killed"

[server]
use = "mariadb"
{given}

[server.variables]
innodb_buffer_pool_size = "32M"
innodb_log_file_size = "16M"
innodb_flush_log_at_trx_commit = 2

[workload]
use = "oltp_read_write"
table_size = 20_000

[load]
{ladder}
measure = "{measure}"
{load}

[design]
blocks = 1
"""


@dataclass
class Lab:
    """A home of its own, a study, and the lab processes that were killed."""

    home: Path
    start: Callable[..., Command]
    assay: Callable[..., Finished]
    killed: list[int] = field(default_factory=list)
    since_ns: int = 0  # when the last one was started

    @property
    def volume(self) -> Path:
        """Where the redo log is put."""
        return self.home / "volume"

    @property
    def temporary(self) -> Path:
        return self.home / "tmp"

    @property
    def results(self) -> ResultsFolder:
        return ResultsFolder(self.home / "results")

    def study(self, load: str = 'warmup = "1s"', experiment: str = "") -> list[str]:
        given = f'redo_dir = "{self.volume}"\n'
        if groups():
            given += 'memory = "1G"\n'
        if os.geteuid() == 0 and shutil.which("ip"):
            load += '\nclient = "netns"'
        path = self.home / "killed.toml"
        path.write_text(
            STUDY.format(
                given=given,
                ladder="threads = [2]" if experiment else GENTLE,  # an experiment takes no rate
                load=load,
                measure="1s" if experiment else "2s",
            )
            + experiment,
            encoding="utf-8",
        )
        return ["run", str(path), "--results", str(self.results.path), "--no-report"]

    @property
    def env(self) -> dict[str, str]:
        return {"ASSAY_HOME": str(self.home), "TMPDIR": str(self.temporary)}

    def kill_when(self, reached: Callable[[], object], *arguments: str) -> None:
        """Starts `assay …` and kills it at the moment `reached` is true. Its engine does not outlive it."""
        self.since_ns = time.time_ns()
        lab = self.start(*arguments, **self.env)
        self.killed.append(lab.pid)
        deadline = time.monotonic() + PATIENCE_S
        try:
            while not seen(reached):
                assert lab.poll() is None, lab.communicate()
                assert time.monotonic() < deadline, "the phase was never reached"
                time.sleep(0.001)
        finally:
            lab.kill()
            lab.communicate()
        wait_for(lambda: not [name for name in self.processes() if "assay-engine" in name])

    def processes(self) -> list[str]:
        """Command lines of what has this home in its environment."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                environment = (entry / "environ").read_bytes().split(b"\0")
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if f"ASSAY_HOME={self.home}".encode() in environment and command:
                found.append(f"{entry.name}: {command}")
        return found

    def assert_nothing_left(self) -> None:
        """After the next command, whichever it is."""
        command = ("server", "list") if len(self.killed) % 2 else ("dataset", "list")
        swept = self.assay(*command, **self.env)
        assert swept.code == 0, swept.err
        assert self.processes() == []
        assert not list((self.home / "instances").iterdir()), swept.err
        assert not list(self.volume.iterdir())
        assert not list(self.temporary.iterdir())
        assert str(self.home) not in Path("/proc/mounts").read_text()
        for path in (self.home / "datasets").glob("*"):
            assert path.suffix == ".lock" or (path / "manifest.json").is_file(), path
        for path in (self.home / "servers").glob("*"):
            assert path.name.startswith(".lock") or (path / "manifest.json").is_file(), path
        for pid in self.killed:
            assert not list(NAMESPACES.glob(f"assay-{pid}-*"))
            assert not list(Path("/sys/class/net").glob(f"assay{pid:x}.*"))
            assert not groups() or not list(find_cgroup_parent().folder.glob(f"assay-{pid}-*"))

    # What is on disk in each phase.

    def runs(self, pattern: str) -> list[Path]:
        """Of the lab that runs now: the one before left an unfinished run, too."""
        found = []
        for path in self.results.runs.glob(f".b01-*.unfinished/{pattern}"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime_ns > self.since_ns:
                    found.append(path)
        return found

    def events(self, text: str) -> bool:
        return written(self.runs("rungs/*/events.jsonl"), text)

    def logged(self, text: str, times: int = 1) -> bool:
        return written(self.runs("server.log"), text, times)

    def forget_datasets(self) -> None:
        shutil.rmtree(self.home / "datasets", ignore_errors=True)


def seen(reached: Callable[[], object]) -> bool:
    """What is looked at may go while it is looked at."""
    try:
        return bool(reached())
    except FileNotFoundError:
        return False


def groups() -> bool:
    """Whether control groups are ours to make."""
    try:
        parent = find_cgroup_parent()
        trial = parent.folder / f"assay-trial-{os.getpid()}"
        trial.mkdir()
        trial.rmdir()
    except (HostError, OSError):
        return False
    return True


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="killed-lab-"))
    path.chmod(0o755)
    for name in ("volume", "tmp"):
        (path / name).mkdir()
    (path / "volume").chmod(0o755)
    (path / "tmp").chmod(0o1777)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def lab(home: Path, start: Callable[..., Command], assay: Callable[..., Finished]) -> Iterator[Lab]:
    one = Lab(home, start, assay)
    yield one
    shutil.rmtree(one.results.path, ignore_errors=True)


def part(lab: Lab, pattern: str) -> list[Path]:
    return list((lab.home / "datasets").glob(f".*.part/{pattern}"))


LOADING: dict[str, Callable[[Lab], object]] = {
    "data directory": lambda lab: part(lab, "data.building-*/mysql/*"),
    "load": lambda lab: any(b'"progress"' in path.read_bytes() for path in part(lab, "events.jsonl")),
}

RUNNING: dict[str, Callable[[Lab], object]] = {
    "restore": lambda lab: list(lab.home.glob("instances/*/.data.partial-*/*")),
    "redo log moved": lambda lab: list(lab.volume.glob("assay-*")),
    "server start": lambda lab: lab.runs("server.log"),
    "warm-up": lambda lab: lab.events('"phase":"warmup"'),
    "window": lambda lab: lab.events('"phase":"measure"'),
    "stop": lambda lab: lab.logged("Normal shutdown") or lab.logged("Shutdown complete"),
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("phase", LOADING)
def test_while_a_dataset_is_made(lab: Lab, phase: str) -> None:
    lab.forget_datasets()
    lab.kill_when(lambda: LOADING[phase](lab), *lab.study())
    lab.assert_nothing_left()
    assert not list((lab.home / "datasets").glob("oltp*"))


@pytest.mark.long
def test_while_a_run_is_carried_out(lab: Lab) -> None:
    """One phase after another, each time going on with the same study; at last to its end."""
    for phase, reached in RUNNING.items():
        print(phase)
        lab.kill_when(lambda: reached(lab), *lab.study())  # noqa: B023 - called at once
        lab.assert_nothing_left()
        assert not list(lab.results.finished_runs())
    ended = lab.assay(*lab.study(), **lab.env)
    assert ended.code == 0, ended.err
    assert [read_manifest(run).status for run in lab.results.finished_runs()] == ["complete"]
    assert not list(lab.results.runs.glob(".*"))
    lab.assert_nothing_left()


@pytest.mark.long
def test_while_an_experiment_starts_its_server_again(lab: Lab) -> None:
    study = lab.study("", '\n[experiment]\nuse = "crash-recovery"\n')
    lab.kill_when(lambda: lab.logged("Starting crash recovery") or lab.logged("ready for", 2), *study)
    lab.assert_nothing_left()
    ended = lab.assay(*study, **lab.env)
    assert ended.code == 0, ended.err
    assert [read_manifest(run).status for run in lab.results.finished_runs()] == ["complete"]
    lab.assert_nothing_left()


def test_while_a_release_is_unpacked(lab: Lab, mariadb_build: Build) -> None:
    tarball = lab.home / "mariadb.tar.gz"
    with tarfile.open(tarball, "w:gz", compresslevel=1) as archive:
        archive.add(mariadb_build.mysqld, "mariadb/bin/mariadbd")
        filling = tarfile.TarInfo("mariadb/share/filling")
        filling.size = 256 << 20
        archive.addfile(filling, io.BytesIO(bytes(filling.size)))
    lab.kill_when(lambda: list(lab.home.glob("servers/.partial-*/ready")), "server", "get", str(tarball))
    lab.assert_nothing_left()
    tarball.unlink()


def test_a_server_by_hand(lab: Lab) -> None:
    lab.kill_when(
        lambda: list(lab.home.glob("instances/*/server.pid")),
        *("server", "start", "--redo-dir", str(lab.volume)),
    )
    lab.assert_nothing_left()


def test_what_ignores_the_end_of_its_lab_is_ended(lab: Lab) -> None:
    """A process that a program of ours started in turn has no such tie; its mark is enough."""
    script = (
        "import os, subprocess, sys\n"
        "from assay.system.server.process.program import launch\n"
        "launch(['/bin/sh', '-c', 'sleep 600 & echo $! > ' + sys.argv[1] + '; wait'], as_server=False)\n"
        "while not os.path.exists(sys.argv[1]) or not open(sys.argv[1]).read().strip(): pass\n"
        "os.kill(os.getpid(), 9)\n"
    )
    said = lab.temporary / "pid"
    environment = {**os.environ, **lab.env}
    assert (
        subprocess.run([sys.executable, "-c", script, str(said)], env=environment).returncode
        == -signal.SIGKILL
    )
    (lab.home / "instances").mkdir(exist_ok=True)
    pid = int(said.read_text())
    assert Path(f"/proc/{pid}").exists()
    said.unlink()
    lab.assert_nothing_left()
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        command = b""
    assert not command
