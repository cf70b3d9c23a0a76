"""`assay sysbench fileio`: its modes on real files, and its text beside sysbench's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import forked
import pytest

SIZES = ("--file-total-size=4M", "--file-num=4")


def _fileio(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return forked.run("sysbench", "fileio", *words, *SIZES, cwd=folder, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("fileio")
    done = _fileio(place, "prepare")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in place.iterdir()) == [f"test_file.{number}" for number in range(4)]
    return place


@pytest.mark.sampled(6)
@pytest.mark.parametrize("mode", ["seqwr", "seqrewr", "seqrd", "rndrd", "rndwr", "rndrw"])
@pytest.mark.parametrize("way", ["sync", "async", "mmap"])
def test_every_mode_does_what_its_name_says(folder: Path, mode: str, way: str) -> None:
    done = _fileio(
        folder,
        "run",
        f"--file-test-mode={mode}",
        f"--file-io-mode={way}",
        "--threads=2",
        "--time=0",
        "--events=400",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    (job,) = json.loads(done.stdout)["jobs"]
    reads, writes = job["read"]["operations"], job["write"]["operations"]
    # Each worker after every 100 requests, of all four files; they are among its 200 events.
    syncs = 2 * 4 if writes else 0
    assert reads + writes + syncs == 400
    assert bool(reads) == (mode in ("seqrd", "rndrd", "rndrw"))
    assert bool(writes) == (mode not in ("seqrd", "rndrd"))
    assert ("sync" in job) == bool(writes)
    assert all((folder / f"test_file.{number}").stat().st_size == 1 << 20 for number in range(4))


@pytest.mark.skipif(
    shutil.which("sysbench") is None, reason="sysbench is not installed: scripts/machine sysbench"
)
def test_the_text_has_the_lines_of_sysbench(folder: Path) -> None:
    words = ["--file-test-mode=rndrw", "--threads=2", "--time=1"]
    ours = _fileio(folder, "run", *words)
    theirs = subprocess.run(
        ["sysbench", "fileio", *SIZES, *words, "run"], capture_output=True, text=True, check=True, cwd=folder
    )

    def lines(text: str) -> list[str]:
        body = text[text.index("Running the test") :]
        return [re.sub(r"[\d.]+", "N", re.sub(r"\s+", " ", line)).strip() for line in body.splitlines()]

    assert lines(ours.stdout) == lines(theirs.stdout)


def test_a_run_without_files_says_what_to_do(tmp_path: Path) -> None:
    done = _fileio(tmp_path, "run", "--file-test-mode=rndrd", "--time=1")
    assert done.returncode == 2
    assert "prepare" in done.stderr


def test_a_load_that_cannot_be_leaves_the_files(tmp_path: Path) -> None:
    assert _fileio(tmp_path, "prepare").returncode == 0
    before = (tmp_path / "test_file.0").read_bytes()
    words = ("--file-test-mode=seqwr", "--file-io-mode=async", "--file-async-backlog=70000", "--time=1")
    done = _fileio(tmp_path, "run", *words)
    assert done.returncode == 2
    assert "depth" in done.stderr
    assert (tmp_path / "test_file.0").read_bytes() == before


def test_cleanup_leaves_nothing(tmp_path: Path) -> None:
    assert _fileio(tmp_path, "prepare").returncode == 0
    assert _fileio(tmp_path, "cleanup").returncode == 0
    assert not list(tmp_path.iterdir())
