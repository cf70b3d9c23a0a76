"""Announces measurements to other processes of this machine: one file each, locked while its process lives.

The folder is shared by all users and results folders. It only serves to warn: a file that cannot be read or
written never stops a measurement.
"""

from __future__ import annotations

import os
import re
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.base.locks import take

PLACE = Path("/tmp/assay-measuring")
_EVERYBODYS = 0o1777
_NAME = re.compile(r"[0-9]+-[0-9a-f]{8}")
_LONGEST = 300
_MOST_TRIES = 5


@contextmanager
def measuring(what: str, place: Path = PLACE) -> Iterator[Path | None]:
    """Announces, for the length of the block, that `what` ("assay run live") measures on this machine.

    Yields the file, or None where the folder cannot be used. The lock ends with the process; programs that it
    starts do not inherit it.
    """
    path, handle = None, None
    with suppress(OSError):
        _make(place)
        path, handle = _entered(place, f"{what} (process {os.getpid()})")
    try:
        yield path
    finally:
        if handle is not None and path is not None:
            with suppress(OSError):
                path.unlink()
            os.close(handle)


def _entered(place: Path, text: str) -> tuple[Path | None, int | None]:
    """Creates and locks this process's file, and returns both.

    Tries again when another process removed the file as a dead process's before it was locked.
    """
    for _ in range(_MOST_TRIES):
        path = place / f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o644)
        try:
            os.fchmod(handle, 0o644)  # whatever the umask: others read it
            os.write(handle, text.encode()[:_LONGEST])
            if take(handle) and path.exists():
                return path, handle
        except OSError:
            pass
        os.close(handle)
        path.unlink(missing_ok=True)
    return None, None


def others_measuring(place: Path = PLACE) -> list[str]:
    """Returns a line for each measurement of another process on this machine: `assay run live (process
    4711)`.

    Files of killed processes are removed, where this user may.
    """
    found = []
    try:
        if not stat.S_ISDIR(place.lstat().st_mode):
            return []
        paths = sorted(path for path in place.iterdir() if _NAME.fullmatch(path.name))
    except OSError:
        return []
    for path in paths:
        if path.name.startswith(f"{os.getpid()}-"):
            continue
        with suppress(OSError):
            if (said := _of_living(path)) is not None:
                found.append(said)
    return found


def _of_living(path: Path) -> str | None:
    """Returns the text of a file whose process lives; None for a dead process's file, which is removed."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        if not take(handle, shared=True):
            text = os.read(handle, _LONGEST).decode(errors="replace")
            return "".join(letter for letter in text if letter.isprintable()) or "a measurement"
        with suppress(OSError):
            path.unlink()
        return None
    finally:
        os.close(handle)


def _make(place: Path) -> None:
    """Creates the folder. Raises OSError where something else has its name."""
    with suppress(FileExistsError):
        place.mkdir()
        place.chmod(_EVERYBODYS)
    if not stat.S_ISDIR(place.lstat().st_mode):
        raise NotADirectoryError(place)
