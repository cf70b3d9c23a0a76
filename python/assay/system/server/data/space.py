"""Measures the disk space of directories, and checks that there is enough before anything is written."""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import HostError
from assay.base.wording import sized
from assay.system.host import Space, space
from assay.system.server.process.program import server_account


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
    room = space_for_servers(path)
    if not room.total_bytes:
        raise HostError(
            f"{path} cannot hold files ({what}): its file system has no space of its own",
            hint="name a folder on a disk",
        )
    if room.free_bytes < need_bytes:
        left = f"{sized(room.free_bytes)} " + (
            f"left by the quota of {room.quota_of}" if room.quota_of else "free"
        )
        raise HostError(
            f"no room for {what} at {path}: {sized(need_bytes)} needed, {left}",
            hint=hint,
        )


def free_bytes(path: Path) -> int:
    """Returns the bytes that servers may still write under `path`, whether or not `path` exists."""
    return space_for_servers(path).free_bytes


def nearest_directory(path: Path) -> Path:
    """Returns `path` if it is a directory, otherwise its nearest ancestor that is one."""
    return next(place for place in (path, *path.absolute().parents) if place.is_dir())


def space_for_servers(path: Path) -> Space:
    """Returns the space that servers have under `path`, whether or not `path` exists."""
    account = server_account()
    return space(nearest_directory(path), *(() if account is None else (account.uid, account.gid)))
