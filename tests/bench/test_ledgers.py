"""What a killed load and a power failure leave, compared with the ledger: `assay fio JOB.fio --verify`."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import forked
import pytest
from mounts import ext4, mounted

JOB = """
[global]
directory={folder}
size=4m
nrfiles=2
bs=4k
rw=randwrite
norandommap
ioengine=libaio
iodepth=16
fsync=32
verify=crc32c
do_verify=0
{more}
[writes]
numjobs=2
"""
FOREVER = "time_based\nruntime=600"


def _job(place: Path, folder: Path, more: str) -> Path:
    path = place / "job.fio"
    path.write_text(JOB.format(folder=folder, more=more))
    return path


def _assay(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return forked.run("fio", *words, timeout=120)


def _durable(ledger: Path) -> int:
    """The second of the numbers behind the page with the ledger's description."""
    try:
        content = ledger.read_bytes()
    except FileNotFoundError:
        return 0
    number: int = struct.unpack_from("=QQ", content, 4096)[1]
    return number


def _killed(job: Path, ledgers: Path) -> None:
    """Runs the job until both workers have durable writes, and kills all of it."""
    load = forked.Command(["fio", str(job), "--ledger", str(ledgers)])
    try:
        until = time.monotonic() + 180
        while min(_durable(ledgers / f"writes.{worker}.ledger") for worker in range(2)) < 100:
            assert load.poll() is None, "it ended by itself"
            assert time.monotonic() < until, "nothing was made durable"
            time.sleep(0.01)
    finally:
        children = Path(f"/proc/{load.pid}/task/{load.pid}/children").read_text().split()
        load.kill()
        load.wait()
        # The engine dies with it, as soon as the kernel lets go of its calls.
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < until, "it did not die"
            time.sleep(0.01)


def _verified(job: Path, ledgers: Path) -> tuple[int, dict[str, Any], str]:
    """Exit code, the sums over the workers, what was said."""
    done = _assay(job, "--ledger", ledgers, "--verify", "--json")
    (stage,) = json.loads(done.stdout)["stages"]
    sums = {key: 0 for key, value in stage["verified"][0].items() if isinstance(value, int)}
    for one in stage["verified"]:
        for key in sums:
            sums[key] += one[key]
    return done.returncode, sums, done.stderr


def _copy(image: Path, to: Path) -> None:
    """As quickly as can be: the kernel goes on writing what it has in memory."""
    subprocess.run(["cp", "--sparse=always", image, to], check=True)


@pytest.fixture
def ledgers(tmp_path: Path) -> Path:
    path = tmp_path / "ledgers"
    path.mkdir()
    return path


def test_a_killed_load_has_lost_nothing(tmp_path: Path, ledgers: Path) -> None:
    job = _job(tmp_path, tmp_path, FOREVER)
    _killed(job, ledgers)
    code, found, said = _verified(job, ledgers)
    assert code == 0, said
    assert (found["blocks"], found["lost"], found["bad"]) == (2048, 0, 0)
    assert found["whole"] > 100
    shown = _assay(job, "--ledger", ledgers, "--verify").stdout
    assert "0 durable, but lost" in shown
    assert "Its ledger: " in shown


def test_a_disk_that_fell_back_is_told(tmp_path: Path, ledgers: Path) -> None:
    first = _job(tmp_path, tmp_path, "number_ios=50")
    assert _assay(first).returncode == 0
    data = tmp_path / "writes.1.1"
    shutil.copy(data, tmp_path / "older")
    job = _job(tmp_path, tmp_path, FOREVER)
    _killed(job, ledgers)
    shutil.copy(tmp_path / "older", data)
    code, found, said = _verified(job, ledgers)
    assert code == 8
    assert found["lost_durable"] > 0
    assert found["bad"] == found["lost_durable"]
    assert f"{data} at byte " in said
    assert "an fsync after it" in said


def test_a_power_cut_takes_only_what_no_fsync_covered(tmp_path: Path, ledgers: Path) -> None:
    image, cut = tmp_path / "image", tmp_path / "cut"
    disk = tmp_path / "disk"
    job = _job(tmp_path, disk, FOREVER)
    with mounted(disk, *ext4(image, 128 << 20)):
        # What the device has now is what is left when the power goes: the kernel's memory is not in it.
        assert _assay(_job(tmp_path, disk, "number_ios=50")).returncode == 0
        subprocess.run(["sync", "-f", disk], check=True)
        _copy(image, tmp_path / "before")
        _job(tmp_path, disk, FOREVER)
        _killed(job, ledgers)
        _copy(image, cut)
    with mounted(disk, "-o", "loop", cut):
        code, found, said = _verified(job, ledgers)
        assert code == 0, said
        assert (found["blocks"], found["lost_durable"], found["bad"]) == (2048, 0, 0)
        assert found["whole"] > 100
    # A disk that said of all these that they were durable, and had them in a cache.
    with mounted(disk, "-o", "loop", tmp_path / "before"):
        code, found, said = _verified(job, ledgers)
        assert code == 8
        assert found["lost_durable"] > 100
        assert "write cache" in said


def test_the_job_file_can_ask_for_its_ledger_as_fio_does(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    job = _job(tmp_path, tmp_path, "verify_state_save\nnumber_ios=64")
    done = _assay(job)
    assert done.returncode == 0, done.stderr
    assert "is on the same file system as the files" in done.stdout
    assert (tmp_path / "writes.1.ledger").is_file()
    job = _job(tmp_path, tmp_path, "verify_state_load\nverify_only")
    shown = _assay(job)
    assert shown.returncode == 0, shown.stderr
    assert "Its ledger: 64 writes begun, 64 acknowledged, 64 durable" in shown.stdout


def test_what_cannot_be_read_back_says_why(tmp_path: Path, ledgers: Path) -> None:
    plain = tmp_path / "plain.fio"
    plain.write_text(f"[a]\ndirectory={tmp_path}\nsize=1m\nrw=write\n")
    done = _assay(plain, "--verify")
    assert (done.returncode, "no job has verify" in done.stderr) == (2, True)
    twice = tmp_path / "twice.fio"
    twice.write_text(
        f"[global]\nfilename={tmp_path}/x\nsize=1m\nrw=write\nverify=crc32c\n[a]\n[b]\nstonewall\n"
    )
    done = _assay(twice, "--verify")
    assert (done.returncode, "several jobs write to it" in done.stderr) == (2, True)
    plain.write_text(f"[a]\nfilename={tmp_path}/x\nsize=1m\nrw=write\nverify=crc32c\nnumjobs=2\n")
    done = _assay(plain)
    assert (done.returncode, "overwrite each other" in done.stderr) == (2, True)
    plain.write_text(f"[a]\ndirectory={tmp_path}\nsize=1m\nrw=write\nverify_state_save\n")
    done = _assay(plain)
    assert (done.returncode, "verify_state_save needs verify" in done.stderr) == (2, True)
    job = _job(tmp_path, tmp_path, "number_ios=64")
    assert _assay(job).returncode == 0
    done = _assay(job, "--verify", "--ledger", ledgers)
    assert done.returncode == 6
    assert "cannot read the ledger" in done.stderr
