"""The files that a process has mapped as code, found by address."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

VDSO = "[vdso]"
"""The code that the kernel maps into every process, as the clock: it lies in no file."""
_OF_THREADS = ("libc.", "libc-", "libpthread", "ld-")


@dataclass(frozen=True)
class MappedFile:
    """A file in a process's memory, from address `start` to before `end`; `offset` is where it starts."""

    start: int
    end: int
    offset: int
    path: str


class MappedFiles:
    """Finds mapped files by address. Of several that began at one address, the last counts."""

    def __init__(self, mapped: Sequence[MappedFile]) -> None:
        latest = {one.start: one for one in mapped}
        self._mapped = [latest[start] for start in sorted(latest)]
        self._starts = [one.start for one in self._mapped]

    def at(self, address: int) -> MappedFile | None:
        """Returns the file that an address lies in; None where it lies in none."""
        place = bisect_right(self._starts, address) - 1
        return self._mapped[place] if place >= 0 and address < self._mapped[place].end else None


def begins_threads(path: str) -> bool:
    """Returns whether a file is one of those in which all threads begin."""
    return PurePath(path).name.startswith(_OF_THREADS)


def mapped_code(process: Path) -> Iterator[MappedFile]:
    """Yields what a process has mapped as code now, by its folder in /proc. Raises OSError once it has
    ended.
    """
    for line in (process / "maps").read_text(errors="replace").splitlines():
        words = line.split(maxsplit=5)
        if len(words) == 6 and "x" in words[1]:
            start, end = (int(one, 16) for one in words[0].split("-"))
            yield MappedFile(start, end, int(words[2], 16), words[5])


def vdso() -> memoryview:
    """Returns the program that the kernel maps into every process; nothing without one."""
    found = next((one for one in mapped_code(Path("/proc/self")) if one.path == VDSO), None)
    if found is None:
        return memoryview(b"")
    return memoryview(ctypes.string_at(found.start, found.end - found.start))
