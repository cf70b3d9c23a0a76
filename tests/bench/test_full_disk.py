"""A file system that fills up under the load: the error names file and byte, and no file of the run
remains.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import forked
import pytest
from mounts import ext4, in_memory, mounted

SIZE = 96 << 20


@pytest.fixture(params=["tmpfs", "ext4"])
def small(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    place = tmp_path / "small"
    words = in_memory(place, SIZE) if request.param == "tmpfs" else ext4(tmp_path / "image", SIZE)
    with mounted(place, *words):
        yield place


def _assay(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return forked.run(*words, timeout=120)


def _left(place: Path) -> list[str]:
    return [path.name for path in place.iterdir() if path.name != "lost+found"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["sync", "async", "sync direct"])
def test_a_disk_that_fills_up_ends_the_run_and_takes_its_files_with_it(small: Path, mode: str) -> None:
    words = ["sysbench", "fileio", "run", "--file-test-mode=seqwr", "--file-num=1", "--file-total-size=8M"]
    words += [f"--file-io-mode={mode.split()[0]}"]
    words += ["--file-extra-flags=direct"] if "direct" in mode else []
    # Slow enough that the file is still growing when somebody else takes the room.
    words += ["--rate=40", "--time=60", "--report-interval=1", f"--directory={small}"]
    with subprocess.Popen(
        [sys.executable, "-m", "assay.front.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as load:
        assert load.stdout is not None
        said = ""
        for line in load.stdout:
            said += line
            if line.startswith("[ 1s ]"):
                break
        try:
            with (small / "another").open("wb", buffering=0) as other:
                while True:
                    other.write(bytes(1 << 20))
        except OSError:
            pass
        said += load.stdout.read()
        assert load.wait(timeout=60) == 6, said
    assert "No space left on device" in said
    assert f"cannot write {small}/test_file.0 at byte " in said
    assert "bytes are free); files that this run made go with it" in said
    assert _left(small) == ["another"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("engine", ["psync", "libaio", "io_uring", "mmap"])
def test_a_job_that_finds_no_room_writes_nothing(small: Path, tmp_path: Path, engine: str) -> None:
    job = tmp_path / "job.fio"
    for rw in ("randwrite", "randread"):
        job.write_text(f"[a]\ndirectory={small}\nsize=120m\nrw={rw}\nioengine={engine}\n")
        done = _assay("fio", job)
        assert done.returncode == 6, done.stderr
        assert f"no room for {small}/a.0.0" in done.stderr
        assert "are free" in done.stderr
        assert _left(small) == []


def test_a_study_that_finds_no_room_says_so_before_it_begins(small: Path, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f"""
[study]
name = "full"
title = {{ en = "Full", zh = "满" }}
[workload]
use = "fileio"
file_test_mode = "rndwr"
file_total_size = "120M"
file_num = 2
[storage]
directory = "{small}"
[load]
threads = [1]
warmup = "0s"
measure = "1s"
[design]
blocks = 1
"""
    )
    done = _assay("run", study, "--results", tmp_path / "results")
    assert done.returncode == 6, done.stderr + done.stdout
    assert str(small) in done.stderr
    assert "free" in done.stderr
    assert _left(small) == []
