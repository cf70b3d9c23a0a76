"""Small file systems for tests: mounting one needs root."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(place: Path, *words: str | Path) -> Iterator[Path]:
    """What `mount WORDS PLACE` mounts; the test is skipped where that is not allowed."""
    place.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *words, place], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield place
    finally:
        for _ in range(100):  # whoever was killed in it may not be gone yet
            if subprocess.run(["umount", place], capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.1)
        else:
            subprocess.run(["umount", place], check=True)


def in_memory(place: Path, size: int) -> tuple[str, ...]:
    """The words for one of so many bytes in memory."""
    return ("-t", "tmpfs", "-o", f"size={size}", "assay-test")


def ext4(image: Path, size: int) -> tuple[str | Path, ...]:
    """The words for a new ext4 of so many bytes in a file."""
    with image.open("wb") as file:
        file.truncate(size)
    made = subprocess.run(["mkfs.ext4", "-q", "-F", image], capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no ext4 can be made here: {made.stderr.decode().strip()}")
    return ("-o", "loop", image)
