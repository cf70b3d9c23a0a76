"""`assay fio` on real files, in all its forms."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import forked
import pytest

JOB = """
[global]
directory={folder}
size=4m
group_reporting
[mix]
rw=randrw
rwmixread=70
bs=4k
ioengine=libaio
iodepth=8
numjobs=2
[log]
stonewall
rw=write
bs=16k
fsync=16
ioengine=psync
"""


@pytest.fixture
def job(tmp_path: Path) -> Path:
    path = tmp_path / "job.fio"
    path.write_text(JOB.format(folder=tmp_path))
    return path


def _assay(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return forked.run(*words, timeout=120)


def _run(*words: str | Path) -> str:
    done = _assay(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_our_form_has_every_operation(job: Path) -> None:
    first, second = json.loads(_run("fio", job, "--json"))["stages"]
    (mix,), (log,) = first["jobs"], second["jobs"]
    assert mix["workers"] == 2
    assert mix["depth"] == 16
    assert mix["read"]["bytes"] + mix["write"]["bytes"] == 8 << 20
    assert {"submit", "completion", "total"} <= mix["read"].keys()
    assert log["write"]["operations"] == 256
    assert log["sync"]["count"] == 16
    assert "submit" not in log["write"]


def test_the_terminal_form_names_jobs_and_disks(job: Path) -> None:
    shown = _run("fio", job, "--report-interval", "0")
    assert "mix  2 workers" in shown
    assert "sync" in shown


def _shape(value: Any) -> Any:
    """Keys, at every depth; of lists the first entry."""
    if isinstance(value, Mapping):
        return {key: _shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_shape(part) for part in value[:1]]
    return None


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed: scripts/machine fio")
def test_fio_json_has_the_keys_of_fio(job: Path) -> None:
    ours = json.loads(_run("fio", job, "--output", "fio-json"))
    said = subprocess.run(
        ["fio", "--output-format=json", str(job)], capture_output=True, text=True, check=True, cwd=job.parent
    )
    theirs = json.loads(said.stdout)
    assert ours.keys() == theirs.keys()
    for mine, other in zip(ours["jobs"], theirs["jobs"], strict=True):
        assert _shape(mine) == _shape(other)
        assert mine["write"]["io_bytes"] > 0
        assert mine["job options"] == other["job options"]
    if ours["disk_util"] and theirs["disk_util"]:
        assert ours["disk_util"][0].keys() == theirs["disk_util"][0].keys()


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed: scripts/machine fio")
def test_fio_text_has_the_lines_of_fio(job: Path) -> None:
    ours = _run("fio", job, "--output", "fio")
    said = subprocess.run(["fio", str(job)], capture_output=True, text=True, check=True, cwd=job.parent)

    def kinds(text: str) -> list[str]:
        body = text[text.index("mix: (groupid") :]
        heads = [re.split(r"[=:|(]", line)[0].strip() for line in body.splitlines()]
        # How many lines a spread of latencies takes, and which units, is the disk's doing.
        heads = [head for head in heads if head and head not in ("lat", "bw", "iops")]
        return [re.sub(r"\d+$", "", head) for head in heads if not re.match(r"[\d.]+th", head)]

    assert kinds(ours) == kinds(said.stdout)


def test_an_unknown_option_runs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bad.fio"
    path.write_text(f"[a]\ndirectory={tmp_path}\nsize=1m\nzonemode=zbd\n")
    done = _assay("fio", path)
    assert done.returncode == 2
    assert "bad.fio:4" in done.stderr
    assert not (tmp_path / "a.0.0").exists()


def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    path = tmp_path / "verify.fio"
    text = f"[a]\nfilename={tmp_path / 'data'}\nsize=1m\nrw=randwrite\nverify=crc32c\n"
    path.write_text(text)
    shown = _run("fio", path)
    assert "256 blocks of a: 256 whole, 0 never written" in shown
    assert "0 damaged; 0 bad" in shown
    data = tmp_path / "data"
    content = bytearray(data.read_bytes())
    content[70_000] ^= 1
    data.write_bytes(content)
    path.write_text(text + "verify_only\n")
    done = _assay("fio", path)
    assert done.returncode == 8
    assert "1 of 256" in done.stderr
    assert f"{data} at byte 69632: its byte 368 is {content[70_000]:#04x}" in done.stderr
    assert f"put {content[70_000] ^ 1:#04x} there" in done.stderr


def test_a_job_that_reads_leaves_a_short_file_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"precious" * 1000)
    path = tmp_path / "read.fio"
    path.write_text(f"[a]\nfilename={tmp_path / 'mine'}\nsize=1m\nrw=randread\n")
    done = _assay("fio", path)
    assert done.returncode == 2
    assert "8000 bytes" in done.stderr
    assert "overwrite=1" in done.stderr
    assert (tmp_path / "mine").read_bytes() == b"precious" * 1000


def test_what_a_stage_leaves_unwritten_is_filled_before_a_later_one_reads(tmp_path: Path) -> None:
    path = tmp_path / "both.fio"
    shared = f"[global]\nfilename={tmp_path / 'data'}\nsize=1m\n"
    path.write_text(shared + "[w]\nrw=write\nnumber_ios=3\n[r]\nstonewall\nrw=randread\n")
    _run("fio", path)
    content = (tmp_path / "data").read_bytes()
    assert all(any(content[at : at + 4096]) for at in range(0, 1 << 20, 4096))
