"""A file system that fills up under the load: said with file and byte, and nothing of the run stays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SIZE = 80 << 20


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 80 MiB in memory; mounting one needs root."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "assay-test", place], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_disk_that_fills_up_ends_the_run_and_takes_its_files_with_it(small: Path) -> None:
    words = ["sysbench", "fileio", "run", "--file-test-mode=seqwr", "--file-num=1", "--file-total-size=8M"]
    # Slow enough that the file is still growing when somebody else takes the room.
    words += ["--rate=40", "--time=60", "--report-interval=1", f"--directory={small}"]
    with subprocess.Popen(
        [sys.executable, "-m", "assay.cli", *words],
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
    assert "files that this run made were removed" in said
    assert [path.name for path in small.iterdir()] == ["another"]
