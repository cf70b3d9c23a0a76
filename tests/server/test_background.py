"""`assay server start --background`, `stop`, `shell`: servers by name, each with a keeper."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import forked
import pytest
from assay.base.errors import InputError
from assay.system.server import sweep_dead
from assay.system.server.process.alive import ProcessId
from assay.system.server.process.started import find_started, started, stop_started

pytestmark = pytest.mark.live


@pytest.fixture
def own_home(assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    yield home
    for entry in started():
        stop_started(entry)


def server(*words: str) -> subprocess.CompletedProcess[str]:
    return forked.run("server", *words)


@pytest.mark.long
def test_two_side_by_side_until_they_are_stopped(own_home: Path) -> None:
    first = server("start", "mariadb", "--background", "--name", "old", "--var", "innodb_io_capacity=333")
    assert first.returncode == 0, first.stderr
    assert "assay server stop old" in first.stdout
    assert sweep_dead() == []
    taken = server("start", "mariadb", "--background", "--name", "old")
    assert (taken.returncode, "a server called old is running already" in taken.stderr) == (7, True)
    assert server("start", "mariadb", "--background").returncode == 0
    assert [entry.name for entry in started()][1] == "old"
    assert server("shell", "old", "-e", "SELECT @@innodb_io_capacity").stdout.split()[-1] == "333"
    with pytest.raises(InputError, match="several servers are running"):
        find_started(None)
    assert server("stop", "old").stdout == "stopped old\n"
    (left,) = started()
    assert find_started(None) == left
    # Its keeper is killed: the server goes too, and the next command clears up.
    assert left.pid is not None
    process = ProcessId.of(left.pid)
    os.kill(left.keeper, signal.SIGKILL)
    while started():
        pass
    sweep_dead()
    assert process is not None
    assert not process.alive()
    assert list((own_home / "instances").iterdir()) == []


def test_one_that_cannot_start_says_why(own_home: Path) -> None:
    ended = server("start", "mariadb", "--background", "--var", "innodb_io_capacitee=1")
    assert ended.returncode == 4
    assert "nearest: innodb_io_capacity" in ended.stderr
    assert started() == []
    assert list((own_home / "instances").iterdir()) == []


def test_names(own_home: Path) -> None:
    assert "cannot be the name of a server" in server("start", "mariadb", "--name", "../x").stderr
    assert server("stop", "x").returncode == 2
    assert "is not unpacked on this machine" in server("rm", "mysql@5.6").stderr
