"""Makes the files of a measurement in a folder of their own, and removes it however the measurement ends."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.base.errors import HostError, InputError
from assay.base.locks import take
from assay.base.wording import sized
from assay.experiments.bench.disk.loads import Files
from assay.system.host import space

_PREFIX = ".assay-disk-"
_LOG_BYTES = 64 << 20
_LEAST_BYTES = 16 << 20
_KEPT_FREE = 0.05
"""Share of the file system that stays free beside the files: a full one slows down, and others need room."""


@contextmanager
def scratch(directory: Path, wanted_bytes: int) -> Iterator[Files]:
    """Yields the files' places in a new folder of `directory`, and removes it at the end. Folders that killed
    measurements left are removed first.

    Raises InputError where no folder can be made, and HostError where there is too little room.
    """
    _sweep(directory)
    files_bytes = _room(directory, wanted_bytes)
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=directory))
    except OSError as error:
        raise InputError(
            f"{directory}: cannot make files there: {error.strerror}",
            hint="name a directory that you may write",
        ) from None
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # a file system without locks: nobody will take the folder for a dead one's
            take(lock)
        log_bytes = min(_LOG_BYTES, files_bytes)
        direct = _takes_direct(folder)
        yield Files(folder / "pages", folder / "log", files_bytes, log_bytes, direct)
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except BaseException:  # a second Ctrl-C while the first one's files are removed
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            os.close(lock)


def _sweep(directory: Path) -> None:
    """Removes the folders of measurements whose process is gone: a living one holds its folder's lock."""
    for left in directory.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if left.is_symlink() or left.stat().st_uid != os.geteuid():
                continue
            handle = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if take(handle):
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(handle)


def _room(directory: Path, wanted_bytes: int) -> int:
    """Returns the bytes of the file of pages. Raises HostError where it would not leave enough free."""
    try:
        found = space(directory)
    except OSError as error:
        raise InputError(f"{directory}: {error.strerror}", hint="name another directory") from None
    free = found.free_bytes
    needed = wanted_bytes + min(_LOG_BYTES, wanted_bytes)
    spare = int(found.total_bytes * _KEPT_FREE)
    if free - spare < needed:
        most = max(free - spare - _LOG_BYTES, 0)
        raise HostError(
            f"{directory} has {sized(free)} free: files of {sized(needed)} would leave less than"
            f" {_KEPT_FREE:.0%} of the file system",
            hint=f"give --size {most >> 20}M, or make room" if most >= _LEAST_BYTES else "make room there",
        )
    return wanted_bytes


def _takes_direct(folder: Path) -> bool:
    """Returns whether the file system opens files past the page cache."""
    trial = folder / "direct"
    try:
        os.close(os.open(trial, os.O_CREAT | os.O_RDWR | os.O_DIRECT, 0o600))
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOTSUP):
            return False
        raise HostError(
            f"{folder}: cannot open a file there: {error.strerror}", hint="name another directory"
        ) from None
    finally:
        with suppress(OSError):
            trial.unlink()
    return True
