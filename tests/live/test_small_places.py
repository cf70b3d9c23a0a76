"""Small and odd places: a study is carried out there, or refused with the reason.

Places are combined, for each run starts a server: one processor and 1 GiB, the account nobody, the locale C
and a path with blanks and Chinese characters in the one; a container without privileges in the other.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import HostError
from assay.front.terminal.plain_text import lookalike
from assay.system.host import Machine
from assay.system.server.resources.control_group import find_cgroup_parent, remove_group
from assay.system.server.resources.memory_group import make_group

pytestmark = [pytest.mark.live, pytest.mark.long]

ROOT = Path(__file__).parents[2]
GIB = 1 << 30
PATIENCE_S = 900.0  # one processor, which other tests use too
NOBODY = 65534
STUDY = """\
[study]
name = "small"
[server]
use = "mariadb"
[server.variables]
innodb_buffer_pool_size = "{pool}"
[workload]
use = "oltp_point_select"
table_size = 200
[load]
rate = [100]
warmup = "0s"
measure = "500ms"
[design]
blocks = 1
loads = 1
"""


@dataclass(frozen=True)
class Place:
    """Where commands run: what stands before them, and their environment."""

    folder: Path
    before: Sequence[str] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def assay(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """Carries out one command to its end."""
        return subprocess.run(
            [*self.before, sys.executable, "-m", "assay.front.cli", *words],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "python")} | self.environment,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def study(self, pool: str = "32M") -> str:
        """Writes the study, and returns its name."""
        (self.folder / "small.toml").write_text(STUDY.format(pool=pool), encoding="utf-8")
        return "small.toml"

    def doctor(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.assay("doctor", "--json").stdout)
        return found


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with blanks and Chinese characters in its name, which anybody may enter."""
    with tempfile.TemporaryDirectory(prefix="assay 数据 ", dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def needs(*programs: str) -> None:
    if os.geteuid() != 0 or any(shutil.which(program) is None for program in programs):
        pytest.skip(f"only root puts a process into such a place, with {', '.join(programs)}")


@contextmanager
def in_a_group(memory_bytes: int) -> Iterator[list[str]]:
    """The words that put a command into a control group with so much memory, on one processor."""
    try:
        parent = find_cgroup_parent(Machine())
        group = make_group(f"assay-test-{os.getpid()}", memory_bytes, parent)
    except HostError as error:
        pytest.skip(error.message)
    processor = min(os.sched_getaffinity(0))
    try:
        join = f'echo $$ > "{group.members}" && exec taskset -c {processor} "$@"'
        yield ["sh", "-c", join, "sh"]
    finally:
        remove_group(group.folder)


def as_nobody() -> list[str]:
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]


def readable_by_nobody() -> None:
    words = ["sh", "-c", 'test -r "$0" && test -x "$1"', ROOT / "python/assay/__init__.py", sys.executable]
    if subprocess.run([*as_nobody(), *words], check=False).returncode != 0:
        pytest.skip("nobody may not read this tree, or not run this Python")


def names(found: dict[str, Any], kind: str = "findings") -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in found[kind]}


def carried_out(place: Place, *words: str) -> str:
    """Carries out the study, and returns what was said."""
    done = place.assay("run", place.study(), "--results", "the results", *words)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
    (manifest,) = (place.folder / "the results").glob("runs/*/run.json")
    assert json.loads(manifest.read_bytes())["status"] == "complete"
    return said


def test_one_processor_and_1_gib_for_nobody_in_the_locale_c(folder: Path) -> None:
    needs("setpriv", "taskset")
    readable_by_nobody()
    closed = folder / "closed"
    closed.mkdir(mode=0o555)
    os.chown(folder, NOBODY, NOBODY)
    environment = {"ASSAY_HOME": str(folder / "home"), "HOME": str(closed), "LC_ALL": "C"}
    with in_a_group(GIB) as before:
        place = Place(folder, [*before, *as_nobody()], environment)
        doctor = place.doctor()
        findings, privileges = names(doctor), names(doctor, "privileges")
        assert doctor["healthy"], findings
        assert "within the control group" in findings["memory"]["found"]
        assert float(findings["memory"]["found"].partition(" ")[0]) <= 1.0
        assert findings["processors"]["found"] == "1"
        assert privileges["servers"]["here"]
        assert privileges["volumes"]["why"] == "this process is not root"
        refused = place.assay("plan", place.study(pool="2G"))
        assert refused.returncode == 6
        assert b"innodb_buffer_pool_size = 2G is more than the control group" in refused.stderr
        said = carried_out(place, "--no-report")
    assert {one for one in said if not one.isascii() and lookalike(one) is not None} == set()
    assert list(closed.iterdir()) == []


def test_a_container_without_privileges(folder: Path) -> None:
    """Root of its user namespace alone: servers run as that root, and the machine's settings are refused."""
    needs("unshare")
    before = ["unshare", "-Urpm", "--fork", "--mount-proc"]
    trial = subprocess.run([*before, "true"], capture_output=True, check=False)
    if trial.returncode != 0:
        pytest.skip(f"no such container can be made here: {trial.stderr.decode().strip()}")
    place = Place(folder, before, {"ASSAY_HOME": str(folder / "home"), "LANG": "C.UTF-8"})
    doctor = place.doctor()
    assert doctor["healthy"], doctor
    assert "servers run as root" in names(doctor)["server account"]["found"]
    assert "user namespace" in names(doctor, "privileges")["volumes"]["why"]
    carried_out(place, "--no-report")
    text = (folder / "small.toml").read_text(encoding="utf-8")
    (folder / "volume.toml").write_text(f'{text}[volume]\nfile_system = "ext4"\n', encoding="utf-8")
    refused = place.assay("plan", "volume.toml")
    assert refused.returncode == 6
    assert b"(`volumes` in assay doctor)" in refused.stderr


def test_a_home_that_cannot_be_written_is_named(folder: Path) -> None:
    """Before anything is started; what reads results alone needs no home."""
    needs("setpriv")
    readable_by_nobody()
    closed = folder / "closed"
    closed.mkdir(mode=0o555)
    place = Place(folder, as_nobody(), {"HOME": str(closed), "LANG": "C.UTF-8"})
    doctor = place.doctor()
    assert not doctor["healthy"]
    assert names(doctor)["home"]["found"] == f"{closed} cannot be written"
    refused = place.assay("bench", "oltp_point_select", "--server", "mariadb", "--time", "1")
    said = refused.stderr.decode()
    assert refused.returncode == 6, said
    assert str(closed) in said
    assert "ASSAY_HOME" in said
    assert "Traceback" not in said
