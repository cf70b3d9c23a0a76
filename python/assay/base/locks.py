"""Locks between processes by flock(2); the kernel releases a lock when its process ends."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_FLAGS = os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def take(file: IO[Any] | int, *, shared: bool = False, wait: bool = False) -> bool:
    """Locks an open file or directory until it is closed; returns False when another process holds the lock.

    Many processes may hold a shared lock at once; it excludes only a process that wants an exclusive one.
    With `wait` the call blocks until it has the lock, and returns True. Raises OSError where the file system
    has no locks.
    """
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Lets one process at a time into the block. A missing file is created, and it is not removed afterwards.

    Raises BlockingIOError without `wait` when another process is in the block, and OSError where a link or
    anything else than a regular file has the name.
    """
    file = os.open(path, _FLAGS, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EISDIR, "is not a regular file", str(path))
        if not take(file, wait=wait):
            raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), str(path))
        yield
    finally:
        os.close(file)
