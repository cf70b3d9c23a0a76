"""Measures the highest disk use of a server during a block."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_EACH_S = 0.05


@dataclass
class Peak:
    """Bytes allocated before the block, at its end, and at most in between."""

    before: int
    highest: int = 0
    after: int = 0

    def temporary(self, later: int) -> int:
        """Returns the bytes that had to be free beyond those in use before and after.

        `later`: the bytes some time after the end, when files removed in the background are gone.
        """
        return max(0, self.highest - max(self.before, min(self.after, later)))


def space_taken(directories: Sequence[Path], pid: int | None) -> int:
    """Returns the bytes allocated under the directories, and to unlinked files that the process has open.

    InnoDB sorts in such files, which it unlinks as soon as it has made them.
    """
    return sum(map(_named, directories)) + _unlinked(pid)


@contextmanager
def watched(directories: Sequence[Path], pid: int | None) -> Iterator[Peak]:
    """Reads the disk use every 50 ms for the length of the block."""
    peak, over = Peak(space_taken(directories, pid)), threading.Event()
    peak.highest = peak.before

    def look() -> None:
        while True:
            peak.highest = max(peak.highest, space_taken(directories, pid))
            if over.wait(_EACH_S):
                return

    thread = threading.Thread(target=look, name="peak space", daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()
        peak.after = space_taken(directories, pid)


def _named(directory: Path) -> int:
    """Returns the bytes allocated under a directory, whose files come and go meanwhile."""
    total = 0
    for folder, _, files in os.walk(directory):
        for file in files:
            with suppress(OSError):
                total += Path(folder, file).lstat().st_blocks * 512
    return total


def _unlinked(pid: int | None) -> int:
    """Returns the bytes of unlinked files that a process holds open, each inode once."""
    sizes: dict[tuple[int, int], int] = {}
    with suppress(OSError):
        for descriptor in os.scandir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                file = Path(descriptor.path).stat()
                if file.st_nlink == 0:
                    sizes[file.st_dev, file.st_ino] = file.st_blocks * 512
    return sum(sizes.values())
