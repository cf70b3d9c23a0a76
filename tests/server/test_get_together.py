"""Two that fetch the same release at once, and one that is killed while it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import fake_clients
import pytest
from assay.system.server import sweep_dead
from assay.system.server.release.unpacked import servers_dir, unpacked

TESTS = Path(__file__).parent
FETCH = """
import sys
from assay.system.server import get_release
from assay.system.server.flavour import FLAVOURS
import fake_clients
FLAVOURS["mysql"] = fake_clients.with_release(fake_clients.release())
print(get_release("mysql@3", lambda text: print(text, flush=True)).mysqld, flush=True)
"""


@pytest.fixture
def place(assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, and a client that says when it is at work and waits to be told to go on."""
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    for name in ("at-work", "go-on"):
        os.mkfifo(tmp_path / name)
    fake_clients.tarball(tmp_path / "tiny.tgz", "3.23.58")
    fake_clients.client(
        tmp_path / "clients",
        "npm",
        f"echo called >> {tmp_path}/calls; echo here > {tmp_path}/at-work; read word < {tmp_path}/go-on;"
        f" cp {tmp_path}/tiny.tgz .",
    )
    return tmp_path


def fetcher(place: Path) -> subprocess.Popen[str]:
    paths = f"{TESTS}:{TESTS.parents[1] / 'python'}"
    return subprocess.Popen(
        [sys.executable, "-c", FETCH],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "PATH": f"{place / 'clients'}:{os.environ['PATH']}"},
    )


def test_two_at_once_fetch_once(place: Path) -> None:
    first = fetcher(place)
    assert (place / "at-work").read_text() == "here\n"
    second = fetcher(place)
    assert second.stdout is not None
    assert second.stdout.readline() == "another assay is fetching mysql-3.23.58; waiting for it\n"
    (place / "go-on").write_text("now\n")
    out, _ = first.communicate(timeout=60)
    same, _ = second.communicate(timeout=60)
    assert (first.returncode, second.returncode) == (0, 0)
    assert out.splitlines()[-1] == same.splitlines()[-1]
    assert (place / "calls").read_text() == "called\n"


def test_one_that_is_killed_leaves_nothing(place: Path) -> None:
    victim = fetcher(place)
    assert (place / "at-work").read_text() == "here\n"
    victim.kill()
    victim.wait(60)
    assert unpacked() == []
    (partial,) = servers_dir().glob(".partial-*")
    *stopped, removed = sweep_dead()
    assert removed == f"removed {partial}, which was never finished"
    assert all(line.startswith("stopped process ") for line in stopped)  # what the client had started
    assert not partial.exists()
    again = fetcher(place)
    assert (place / "at-work").read_text() == "here\n"
    (place / "go-on").write_text("now\n")
    again.communicate(timeout=60)
    assert again.returncode == 0
    assert [manifest.version for _, manifest in unpacked()] == ["3.23.58"]
    assert not list(servers_dir().glob(".partial-*"))
