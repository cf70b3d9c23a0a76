"""Directories that cannot be written, or are full: an error of this machine that names them, never a
traceback.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from forked import Command
from mounts import in_memory, mounted
from shell import Shell

STUDY = """\
[study]
name = "small"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
table_size = 500
[load]
threads = [2]
warmup = "0s"
measure = "1s"
[design]
blocks = 3
[server.variables]
innodb_buffer_pool_size = "32M"
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


@pytest.mark.usefixtures("private_home")
@pytest.mark.parametrize(("results", "code"), [("/dev/null", 2), ("/proc/x", 6)])
def test_results_that_cannot_be_written(shell: Shell, study: Path, results: str, code: int) -> None:
    ended = shell("run", study, "--results", results)
    assert ended.code == code
    assert ended.err.splitlines()[-2].startswith("error: ")
    assert results.removesuffix("/x") in ended.err


def test_a_home_that_is_no_directory(shell: Shell, study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", "/dev/null")
    monkeypatch.chdir(study.parent)
    ended = shell("run", study)
    assert ended.code == 6
    assert "/dev/null" in ended.err
    ended = shell("doctor", "--quiet")
    assert ended.code == 6
    assert "/dev/null is not a directory" in ended.out


def test_a_schema_that_cannot_be_written(shell: Shell) -> None:
    ended = shell("schema", "study", "--write", "/nope/x")
    assert ended.code == 2
    assert "error: --write /nope/x: no such file or directory" in ended.err


def test_read_only_places(shell: Shell, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mounted(tmp_path / "fixed", "-t", "tmpfs", "-o", "ro", "assay-test") as fixed:
        ended = shell("run", study, "--results", fixed / "x")
        assert (ended.code, "read-only file system" in ended.err) == (6, True)
        monkeypatch.setenv("ASSAY_HOME", str(fixed / "home"))
        ended = shell("run", study, "--results", tmp_path / "x")
        assert (ended.code, "read-only file system" in ended.err) == (6, True)


@pytest.mark.long
@pytest.mark.live
def test_results_on_a_full_disk_are_kept(study: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "small", *in_memory(tmp_path, 2 << 20)) as small:
        (small / "filler").write_bytes(b"x" * 1_750_000)
        process = Command(["run", str(study), "--results", str(small / "x")])
        _, err = process.communicate(timeout=180)
        assert process.returncode == 6
        assert err.count("error:") == 1
        assert f"cannot write in {small / 'x'}: no space left on device" in err
        assert "Traceback" not in err
        kept = len(list((small / "x" / "runs").glob("b*")))
        (small / "filler").unlink()
        process = Command(["run", str(study), "--results", str(small / "x"), "--no-report", "--json"])
        out, err = process.communicate(timeout=180)
        assert process.returncode == 0
        assert json.loads(out)["blocks_complete"] == 3
        assert not (small / "x" / "report.html").exists()
        assert f"{kept} of them done before" in err or kept == 0
