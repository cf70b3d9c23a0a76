"""Locks between processes, by flock(2): one ends with the process that holds it, however that ends."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


def take(file: IO[Any] | int, *, shared: bool = False, wait: bool = False) -> bool:
    """Locks an open file or directory until it is closed; False when another process holds it.

    A shared lock is held by many at once and keeps out only who wants the file alone. With `wait` the answer
    is always True. OSError where the file system has no locks.
    """
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """One process at a time is in such a block. The file is made where it is missing, and stays.

    BlockingIOError without `wait` when another process is in it.
    """
    with path.open("a") as file:
        if not take(file, wait=wait):
            raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), str(path))
        yield
