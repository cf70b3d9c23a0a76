"""Measures the disk space of directories, and checks that there is enough before anything is written."""

from __future__ import annotations

import os
from pathlib import Path

from assay.base.errors import HostError
from assay.base.wording import sized


def disk_use(path: Path) -> int:
    """Returns the bytes allocated to everything under `path`; holes of sparse files do not count."""
    return sum(entry.lstat().st_blocks * 512 for entry in [path, *path.rglob("*")])


_FREE_SOME = (
    "free some space (assay dataset list), choose a smaller dataset, or set ASSAY_HOME to a larger disk"
)


def require_space(path: Path, need_bytes: int, what: str, *, hint: str = _FREE_SOME) -> None:
    """Raises HostError when the file system under `path`, which need not exist, has less than `need_bytes`
    free.
    """
    state = _state(path)
    free = state.f_bavail * state.f_frsize
    if not state.f_blocks:
        raise HostError(
            f"{path} cannot hold files ({what}): its file system has no space of its own",
            hint="name a folder on a disk",
        )
    if free < need_bytes:
        raise HostError(
            f"no room for {what} at {path}: {sized(need_bytes)} needed, {sized(free)} free",
            hint=hint,
        )


def free_bytes(path: Path) -> int:
    """Returns the free bytes of the file system under `path`, whether or not `path` exists."""
    state = _state(path)
    return state.f_bavail * state.f_frsize


def nearest_directory(path: Path) -> Path:
    """Returns `path` if it is a directory, otherwise its nearest ancestor that is one."""
    return next(place for place in (path, *path.absolute().parents) if place.is_dir())


def _state(path: Path) -> os.statvfs_result:
    return os.statvfs(nearest_directory(path))
