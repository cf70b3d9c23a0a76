"""Nothing is left, however the lab ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from assay.system.server import Build, sweep_dead
from assay.system.server.process.alive import ProcessId

pytestmark = pytest.mark.live

LAB = textwrap.dedent(
    """
    import signal, sys, time
    from pathlib import Path
    from assay.system.server import Instance, PrivateDir, find_build, snapshot_copy

    fresh, scratch, ending = sys.argv[1:]
    if ending == "deaf":
        # The signal of a dying parent does not reach every server: file capabilities clear it.
        from assay.system.server.process import program as process
        deaf = Path(scratch) / "launch.py"
        source = process._LAUNCH.read_text()
        deaf.write_text(source.replace("PR_SET_PDEATHSIG, death", "PR_SET_PDEATHSIG, 0"))
        process._LAUNCH = deaf
    private = PrivateDir()
    snapshot_copy(Path(fresh), private.path / "data")
    log, options = Path(scratch) / "server.log", Path(scratch) / "my.cnf"
    server = Instance(find_build("mariadb"), private.path / "data", {}, log, options)
    if ending == "raise":
        def stop(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGTERM, stop)
    server.start()
    print(server.pid, server.socket.parent, private.path, flush=True)
    if ending == "exit":
        sys.exit(3)
    if ending == "raise":
        with server:
            time.sleep(600)
    time.sleep(600)
    """
)


class Lab:
    """A lab process with a server."""

    def __init__(self, fresh: Path, scratch: Path, ending: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAB, str(fresh), str(scratch), ending],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        pid, own, scratch_dir = self.process.stdout.readline().split()
        server = ProcessId.of(int(pid))
        assert server is not None or ending == "exit"
        self.server = server
        self.folders = (Path(own), Path(scratch_dir))

    def end(self, signal_number: int | None) -> int:
        if signal_number is not None:
            self.process.send_signal(signal_number)
        return self.process.wait(60)


def test_a_killed_lab_is_swept_up(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> None:
    lab = Lab(fresh_data, tmp_path, "deaf")
    assert lab.server
    assert sweep_dead() == []  # it lives: nothing of it is touched
    lab.end(signal.SIGKILL)
    assert lab.server.alive()
    os.kill(lab.server.pid, signal.SIGSTOP)  # nor does it listen to SIGTERM
    done = sweep_dead(patience_s=0.2)
    assert not lab.server.alive()
    assert not any(folder.exists() for folder in lab.folders)
    assert f"stopped server {lab.server.pid} of a lab process that has gone" in done
    assert {f"removed {folder}" for folder in lab.folders} <= set(done)
    assert sweep_dead() == []


def test_a_server_ends_with_a_killed_lab(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> None:
    lab = Lab(fresh_data, tmp_path, "wait")
    assert lab.server
    lab.end(signal.SIGKILL)
    while lab.server.alive():
        pass
    assert "Shutdown complete" in (tmp_path / "server.log").read_text()
    sweep_dead()
    assert not any(folder.exists() for folder in lab.folders)


def test_an_exit_without_a_stop(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> None:
    lab = Lab(fresh_data, tmp_path, "exit")
    assert lab.end(None) == 3
    assert lab.server is None or not lab.server.alive()
    assert not any(folder.exists() for folder in lab.folders)


def test_a_signal_that_becomes_an_exception(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> None:
    lab = Lab(fresh_data, tmp_path, "raise")
    lab.end(signal.SIGTERM)
    assert lab.server
    assert not lab.server.alive()
    assert not any(folder.exists() for folder in lab.folders)


def test_directories_of_other_makers_are_left_alone(assay_home: Path) -> None:
    other = assay_home / "instances" / "notes"
    other.mkdir(parents=True)
    assert sweep_dead() == []
    assert other.is_dir()
    other.rmdir()
