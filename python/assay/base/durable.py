"""Writes files that are complete or absent, also after a loss of power."""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

_PART = ".part"
_LEFT_BEHIND_S = 60
"""The age from which a part that no process holds is one of a process that was killed."""


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that a reader, or a loss of power, never finds it half written. Several processes may
    write the same file at once: the last one's content stays.

    A device or a pipe, such as /dev/null or /dev/stdout, takes the content and stays what it is. Raises
    OSError, also for a pipe that nobody reads.
    """
    if _takes_bytes(path):
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC), "wb") as out:
            os.set_blocking(out.fileno(), True)
            out.write(content)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        write_in(folder, path.name, content)
    except OSError as error:
        # The system knows the random name of the part alone.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        os.close(folder)


def write_in(folder: int, name: str, content: bytes, *, sync: bool = True) -> None:
    """Writes a file of an open folder, as `write_whole` does; without `sync` a loss of power may lose it.

    The content is written under a random name that no file has: a link or a file that somebody has put in
    the way is neither followed nor changed.
    """
    _sweep(folder, name)
    part = f"{_prefix(name)}{secrets.token_hex(8)}{_PART}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(part, flags, 0o666, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as out:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
            out.write(content)
            out.flush()
            if sync:
                os.fsync(out.fileno())
            os.rename(part, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(part, dir_fd=folder)
        raise
    if sync:
        os.fsync(folder)


def sync_directory(directory: Path) -> None:
    """Makes the creations, renames and removals in a directory durable (fsync)."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _takes_bytes(path: Path) -> bool:
    """Returns whether a path leads to something that is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _prefix(name: str) -> str:
    return f".{name[:40]}."  # a name may have 255 bytes


def _sweep(folder: int, name: str) -> None:
    """Removes parts of this file that killed processes left behind: those that are old and not locked."""
    prefix, old = _prefix(name), time.time() - _LEFT_BEHIND_S
    for part in os.listdir(folder):
        if not (part.startswith(prefix) and part.endswith(_PART)):
            continue
        with suppress(OSError):
            found = os.stat(part, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(found.st_mode) or found.st_mtime > old:
                continue
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            handle = os.open(part, flags, dir_fd=folder)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(part, dir_fd=folder)
            finally:
                os.close(handle)
