"""Copies data directories, with shared blocks where the file system can (reflink), as real copies
elsewhere.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError
from assay.system.server.data.space import disk_use, require_space

_FICLONE = 0x40049409  # <linux/fs.h>: _IOW(0x94, 9, int)
_CANNOT_SHARE = {errno.EOPNOTSUPP, errno.EXDEV, errno.EINVAL, errno.ENOTTY, errno.ENOSYS, errno.EPERM}
_CHUNK_BYTES = 1 << 30
_PIECE_BYTES = 1 << 22


def snapshot_copy(src: Path, dst: Path) -> Literal["reflink", "copy"]:
    """Copies the tree `src` to `dst`, complete or not at all, and returns how it was copied.

    `dst` must not exist. Owner, mode, times and holes are kept; sockets are left out. Raises HostError when
    `dst` exists or space is short (checked before anything is written, unless blocks can be shared). `src`
    must not change meanwhile.
    """
    if dst.exists():
        raise HostError(f"cannot restore a snapshot to {dst}: it exists already", hint="remove it first")
    dst.parent.mkdir(parents=True, exist_ok=True)
    partial = dst.with_name(f".{dst.name}.partial-{os.getpid()}")
    try:
        share = _can_share(src, dst.parent)
        if not share:
            require_space(dst, disk_use(src), f"a copy of {src}")
        _copy_tree(src, partial, share=share)
        if not share:
            # Else the copy is written back while the load is measured.
            _sync_file_system(partial)
        os.rename(partial, dst)  # noqa: PTH104 - atomic, both in one directory
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return "reflink" if share else "copy"


def can_share_blocks(directory: Path) -> bool:
    """Returns whether files in a directory can share blocks, so that a dataset is restored without
    copying.
    """
    try:
        with tempfile.TemporaryFile(dir=directory) as source, tempfile.TemporaryFile(dir=directory) as copy:
            source.write(b"x" * 4096)
            source.flush()
            return _clone(source.fileno(), copy.fileno())
    except OSError:
        return False


def _can_share(src: Path, target: Path) -> bool:
    """Tries to share the blocks of one non-empty file, and returns whether that worked."""
    sample = next((file for file in src.rglob("*") if file.is_file() and file.stat().st_size > 0), None)
    if sample is None:
        return False
    probe = target / f".reflink-{os.getpid()}"
    try:
        with sample.open("rb") as source, probe.open("wb") as copy:
            return _clone(source.fileno(), copy.fileno())
    finally:
        probe.unlink(missing_ok=True)


def _copy_tree(src: Path, dst: Path, *, share: bool) -> None:
    dst.mkdir(mode=0o700)
    with os.scandir(src) as entries:
        for entry in entries:
            target = dst / entry.name
            info = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(info.st_mode):
                _copy_tree(Path(entry.path), target, share=share)
            elif stat.S_ISLNK(info.st_mode):
                target.symlink_to(Path(entry.path).readlink())
                _keep_owner(info, target)
            elif stat.S_ISREG(info.st_mode):
                _copy_file(Path(entry.path), target, info, share=share)
    _keep(src.stat(), dst)


def _copy_file(src: Path, dst: Path, info: os.stat_result, *, share: bool) -> None:
    with src.open("rb", buffering=0) as source, dst.open("xb", buffering=0) as copy:
        if not (share and _clone(source.fileno(), copy.fileno())):
            _copy_extents(source.fileno(), copy.fileno(), info.st_size)
    _keep(info, dst)


def _clone(source: int, copy: int) -> bool:
    try:
        fcntl.ioctl(copy, _FICLONE, source)
    except OSError as error:
        if error.errno in _CANNOT_SHARE:
            return False
        raise
    return True


def _copy_extents(source: int, copy: int, size: int) -> None:
    """Copies only the allocated parts of a file, since data directories are full of preallocated holes."""
    os.ftruncate(copy, size)
    at = 0
    while at < size:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # only a hole is left
                return
            raise
        end = os.lseek(source, at, os.SEEK_HOLE)
        while at < end:
            done = _copy_some(source, copy, at, end)
            if done == 0:
                raise HostError(f"a file became shorter while it was copied (at byte {at} of {size})")
            at += done


def _copy_some(source: int, copy: int, at: int, end: int) -> int:
    """Copies a part of a file, and returns the number of bytes copied. The kernel copies alone within a file
    system, and between some: copy_file_range(2).
    """
    try:
        return os.copy_file_range(source, copy, min(end - at, _CHUNK_BYTES), at, at)
    except OSError as error:
        if error.errno not in _CANNOT_SHARE:
            raise
    return os.pwrite(copy, os.pread(source, min(end - at, _PIECE_BYTES), at), at)


def _keep(info: os.stat_result, path: Path) -> None:
    _keep_owner(info, path)
    path.chmod(stat.S_IMODE(info.st_mode))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def _keep_owner(info: os.stat_result, path: Path) -> None:
    if os.geteuid() == 0:
        os.chown(path, info.st_uid, info.st_gid, follow_symlinks=False)


def _sync_file_system(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(handle) != 0:
            os.fsync(handle)
    finally:
        os.close(handle)


def move_files(sources: Sequence[Path], folder: Path) -> None:
    """Moves files and directories into `folder`, also to another file system. Nothing may write to them
    meanwhile.
    """
    for source in sources:
        target = folder / source.name
        if source.stat().st_dev == folder.stat().st_dev:
            os.rename(source, target)  # noqa: PTH104 - as above
        elif source.is_dir():
            snapshot_copy(source, target)
            shutil.rmtree(source)
        else:
            require_space(folder, source.stat().st_blocks * 512, str(source))
            _copy_file(source, target, source.stat(), share=False)
            _sync_file_system(target)
            source.unlink()


def forget_cached(files: Iterable[Path]) -> None:
    """Makes the kernel drop its cached pages of these files, once they are on disk (posix_fadvise(2))."""
    for path in files:
        file = os.open(path, os.O_RDONLY)
        try:
            os.fdatasync(file)  # a page that is not written back stays
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(file)


def forget_cached_below(path: Path) -> None:
    """Makes the kernel forget its cached pages of all files under `path`.

    The pages are charged to this process, which copied the files, or to an earlier server; a server with a
    memory limit would read them without having them charged. The kernel leaves out pages that somebody holds
    at that moment, so it is asked again when all files are done.
    """
    files = [file for file in path.rglob("*") if file.is_file() and not file.is_symlink()]
    for _ in range(2):
        forget_cached(files)
