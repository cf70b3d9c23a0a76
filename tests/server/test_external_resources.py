"""What is removed for a note: what belongs to that private directory, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from assay.system.server import PrivateDir, sweep_dead
from assay.system.server.process.alive import ProcessId
from assay.system.server.process.external_resources import NOTES, Kind, note, remove_external
from assay.system.server.resources.control_group import remove_group

DEAD = "4194305-1-7"
"""The mark of a lab process that cannot be: no process id is so high."""


@pytest.mark.parametrize("name", ["assay-other", f"assay-{DEAD}0", "assay-4194305-1-8-data", "home"])
@pytest.mark.parametrize("kind", ["directory", "group"])
def test_what_another_made_is_not_touched(tmp_path: Path, kind: Kind, name: str) -> None:
    private, theirs = tmp_path / DEAD, tmp_path / name
    private.mkdir()
    theirs.mkdir()
    note(private, kind, str(theirs))
    assert remove_external(private)
    assert theirs.is_dir()


def test_what_is_its_own_goes(tmp_path: Path, assay_home: Path) -> None:
    with PrivateDir() as private:
        made = [private.elsewhere(tmp_path), private.elsewhere(tmp_path, "data")]
        assert all(path.is_dir() for path in made)
    assert not any(path.exists() for path in (*made, private.path))


def test_the_notes_stay_until_all_has_gone(
    tmp_path: Path, assay_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private, records = (assay_home / room / DEAD for room in ("instances", "records"))
    (private / "data").mkdir(parents=True)
    records.mkdir(parents=True)
    stuck = tmp_path / f"assay-{DEAD}"
    stuck.mkdir()
    note(records, "group", str(stuck))
    with monkeypatch.context() as patch:
        patch.setattr("assay.system.server.resources.control_group._EMPTY_S", 0.0)
        patch.setattr("assay.system.server.process.external_resources.is_group", Path.is_dir)
        (stuck / "part").mkdir()  # a group that has groups cannot go
        assert not any(str(private) in line for line in sweep_dead())
    assert [path.name for path in records.iterdir()] == [NOTES]
    (stuck / "part").rmdir()
    monkeypatch.setattr("assay.system.server.process.external_resources.is_group", Path.is_dir)
    assert f"removed {private}" in sweep_dead()
    assert not private.exists()
    assert not records.exists()
    assert not stuck.exists()


def test_a_directory_that_looks_like_a_group_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: killed.append(pid))
    private, fake = tmp_path / DEAD, tmp_path / f"assay-{DEAD}"
    private.mkdir()
    fake.mkdir()
    (fake / "cgroup.procs").write_text("4194305\n")
    note(private, "group", str(fake))
    assert remove_external(private)
    assert killed == []


def test_a_member_of_another_pid_namespace_is_nobody_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.system.server.resources.control_group._EMPTY_S", 0.0)
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: killed.append(pid))
    (tmp_path / "cgroup.procs").write_text("0\n4194305\n")
    with pytest.raises(OSError, match="not empty"):
        remove_group(tmp_path)
    assert set(killed) == {4194305}


def test_what_the_servers_user_says_is_not_believed(assay_home: Path) -> None:
    """The private directory belongs to that user: whom the lab stops as root is not for it to say."""
    private = assay_home / "instances" / DEAD
    private.mkdir(parents=True)
    with subprocess.Popen(["sleep", "60"]) as bystander:
        process = ProcessId.of(bystander.pid)
        assert process is not None
        record = {"pid": process.pid, "start_ticks": process.start_ticks}
        (private / "server.json").write_text(json.dumps(record))
        assert sweep_dead() == [f"removed {private}"]
        assert bystander.poll() is None
        bystander.kill()


def test_records_are_the_labs_own() -> None:
    with PrivateDir() as private:
        there = private.records.stat()
        assert (there.st_uid, there.st_mode & 0o777) == (os.geteuid(), 0o711)
        assert private.record.parent == private.records
        records = private.records
    assert not records.exists()


def test_a_name_in_tmp_cannot_be_taken_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.system.server.process.private.LONGEST_SOCKET", 1)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with PrivateDir() as private:
        (tmp_path / private.name).mkdir()
        assert private.socket().parent.parent == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == [private.name]
