"""What a script read while it made a dataset: files, by their content, and what nobody sees."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

ABSENT = "absent"
"""The content of a file that a script looked for and that was not there."""
NO_FILE = "no regular file"
"""What stands for the content of a pipe or a device, which is another each time."""

_PIECE_BYTES = 1 << 20


def content_of(name: str) -> str:
    """Returns what tells the content of a file from any other: its size and SHA-256. A relative name is
    looked up in the current folder, as the script does.
    """
    path = Path(name).absolute()
    try:
        info = path.stat()
    except OSError:
        return ABSENT
    if not stat.S_ISREG(info.st_mode):
        return NO_FILE
    return _hashed(path, (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns))


@lru_cache(maxsize=256)
def _hashed(path: Path, state: tuple[int, ...]) -> str:
    """Returns the content of a file that is in this state, which nobody can set back: the kernel keeps the
    time of the last change itself.
    """
    found = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE_BYTES):
                found.update(piece)
    except OSError as error:
        return f"unreadable: {os.strerror(error.errno or 0)}"
    return f"{state[2]} {found.hexdigest()}"


def contents(files: Sequence[str]) -> dict[str, str]:
    """Returns the content of each file, by name."""
    return {name: content_of(name) for name in sorted(files)}


def first_changed(files: Mapping[str, str]) -> str | None:
    """Returns the first file whose content is not the one that was noted; None when all are the same."""
    return next((name for name, content in sorted(files.items()) if content_of(name) != content), None)


def not_files(files: Mapping[str, str]) -> list[str]:
    """Returns the names of which nobody can say whether they still have the same content."""
    return [name for name, content in files.items() if content == NO_FILE]


def changed_since(files: Iterable[str], wall_ns: int) -> list[str]:
    """Returns the names of files that were written or replaced after a time of day: what a script read of
    them nobody knows.
    """
    found = []
    for name in files:
        with suppress(OSError):
            if Path(name).absolute().stat().st_ctime_ns > wall_ns:
                found.append(name)
    return found


def digest(files: Mapping[str, str]) -> str:
    """Returns a short text for names and contents."""
    lines = [f"{name}\0{content}" for name, content in sorted(files.items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
