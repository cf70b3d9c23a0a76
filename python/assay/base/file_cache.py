"""Keeps what can be made again, in files that are named by a hash of everything that their content follows
from, in a folder that only this account writes. Those that were used least recently make room.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_ROOM = 0.75
"""The share of the bytes that is left after making room."""


def name_of(*parts: str) -> str:
    """Returns the name of a file whose content follows from these texts."""
    text = "\0".join(parts)
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


@cache
def code_of(*wings: str) -> str:
    """Returns a hash of the code of wings of the package: a version that is being worked on changes without a
    number.
    """
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for file in sorted(file for wing in wings for file in (root / wing).rglob("*.py")):
        digest.update(f"{file.relative_to(root)}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class FileCache:
    """A folder of kept files, which holds at most so many bytes."""

    folder: Path
    most_bytes: int

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file; None where there is none."""
        path = self.folder / name
        try:
            found = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):  # a home that cannot be written may be read
            os.utime(path)  # used now
        return found

    def write(self, name: str, content: bytes) -> None:
        """Writes a file by rename. A loss of power may lose it: it can be made again. Where the folder cannot
        be written, nothing is kept.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, part = tempfile.mkstemp(prefix=".", dir=self.folder)
            with os.fdopen(handle, "wb") as out:
                out.write(content)
            Path(part).replace(self.folder / name)
            self._make_room()
        except OSError:
            return

    def _make_room(self) -> None:
        with os.scandir(self.folder) as entries:
            files = [
                (found.st_mtime_ns, found.st_size, entry.path) for entry in entries if (found := entry.stat())
            ]
        total = sum(size for _, size, _ in files)
        if total <= self.most_bytes:
            return
        for _, size, path in sorted(files):
            if total <= self.most_bytes * _ROOM:
                return
            Path(path).unlink(missing_ok=True)
            total -= size
