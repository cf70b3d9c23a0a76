"""How much may still be written below a directory: what the file system has free, within the quotas of a user
and a group.

Source: statvfs(3), quotactl(2). Quotas of projects are in what statvfs says.
"""

from __future__ import annotations

import ctypes
import os
import struct
from dataclasses import dataclass
from pathlib import Path

_QUOTACTL_FD = 443
"""The system call, the same number on all machines, since Linux 5.14; libc has no function for it."""
_GET = 0x800007
_KINDS = (("user", 0), ("group", 1))
_RECORD = struct.Struct("=8QI4x")  # struct if_dqblk of linux/quota.h
_BLOCK_BYTES = 1024


@dataclass(frozen=True)
class Space:
    """The bytes of a file system, and those that may still be written. `quota_of` is whose quota leaves fewer
    than the file system has free, as in `user 1000`.
    """

    total_bytes: int
    free_bytes: int
    quota_of: str | None = None


def space(directory: Path, uid: int | None = None, gid: int | None = None) -> Space:
    """Returns the space below a directory for files of this user and group, by default those of this process.
    Raises OSError where the directory cannot be read.
    """
    state = os.statvfs(directory)
    free, of = state.f_bavail * state.f_frsize, None
    owners = (os.geteuid() if uid is None else uid, os.getegid() if gid is None else gid)
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:  # a directory that may only be passed through
        return Space(state.f_blocks * state.f_frsize, free)
    try:
        for (word, kind), number in zip(_KINDS, owners, strict=True):
            left = None if number == 0 else _left(handle, kind, number)  # root's files have no quota
            if left is not None and left < free:
                free, of = left, f"{word} {number}"
    finally:
        os.close(handle)
    return Space(state.f_blocks * state.f_frsize, free, of)


def _left(handle: int, kind: int, number: int) -> int | None:
    """Returns the bytes that a quota leaves; None without one, or on a kernel that cannot say."""
    record = ctypes.create_string_buffer(_RECORD.size)
    libc = ctypes.CDLL(None)
    if libc.syscall(_QUOTACTL_FD, handle, _GET << 8 | kind, number, record) != 0:
        return None
    hard, soft, held, *_ = _RECORD.unpack(record.raw)
    limits = [limit for limit in (hard, soft) if limit]
    return max(0, min(limits) * _BLOCK_BYTES - held) if limits else None
