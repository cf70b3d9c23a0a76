"""Checksums of the files of a results folder, by which a reader tells what was written from what a loss of
power, a failing disk or an edit has made of it.

`run.json`, `study.json` and `looks.json` end with their own; the first two list the other files of their
folder, each with its length and its checksum.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import IO

import msgspec

from assay.base.durable import sync_directory
from assay.base.inner_path import InnerPath

UNCHECKED_FORMAT = 1
"""The format of files without a checksum of their own: those of earlier versions."""

FORMAT = 2
"""The newest format of these files, which all have one."""

_BLOCK_BYTES = 1 << 20
_OWN = re.compile(rb',\n  "checksum": "([0-9a-f]{64})"\n\}\Z')


class WrittenFile(msgspec.Struct, frozen=True):
    """A file as it was when its folder was complete."""

    bytes: int
    sha256: str


def length_of(written: WrittenFile | int) -> int:
    """Returns the bytes of a file as its manifest lists it."""
    return written if isinstance(written, int) else written.bytes


class ChecksumError(ValueError):
    """A file is not what was written."""


def with_checksum(record: msgspec.Struct) -> bytes:
    """Returns a record as the text of a file that ends with its own checksum; its `format`, if it has one,
    becomes `FORMAT`.
    """
    if hasattr(record, "format"):
        record = msgspec.structs.replace(record, format=FORMAT)
    text = msgspec.json.format(msgspec.json.encode(record))
    own = f',\n  "checksum": "{hashlib.sha256(text).hexdigest()}"\n}}'
    return text.removesuffix(b"\n}") + own.encode()


def verify_checksum(content: bytes, *, required: bool) -> None:
    """Raises `ChecksumError` where a file has another content than its own checksum says, or a `required` one
    is missing.
    """
    found = _OWN.search(content)
    if found is None:
        if required:
            raise ChecksumError("its checksum, at its end, is missing or not whole")
    elif hashlib.sha256(content[: found.start()] + b"\n}").hexdigest() != found[1].decode():
        raise ChecksumError("its content is not what was written: its checksum differs")


def written_files(folder: Path) -> dict[str, WrittenFile]:
    """Returns every file below a folder, as its manifest lists them, and makes all of them durable.

    They lie on the disk, with the folders that name them, before this returns: what is written later, such as
    the manifest, is not there after a loss of power without them.
    """
    files = list(InnerPath(folder, folder).files())
    for file in files:
        _begin_writing(file)
    written = {file.relative_to(folder).as_posix(): _synced(file) for file in files}
    inner = {above for name in written for above in Path(name).parents}
    for name in sorted(inner | {Path()}, reverse=True):
        sync_directory(folder / name)
    return written


def difference(file: InnerPath, written: WrittenFile | int | None) -> str | None:
    """Returns how a file differs from what was written, of which earlier versions recorded the length alone,
    or nothing; None: it does not.

    Content is read once for each state of a file: times, length and place on the disk.
    """
    if not file.is_file():
        return "is missing"
    found = file.stat()
    size = written.bytes if isinstance(written, WrittenFile) else written
    if size is not None and found.st_size != size:
        return f"has {found.st_size:,} bytes, and had {size:,} when the run was over"
    if isinstance(written, WrittenFile):
        state = (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
        try:
            if _checksum(file, state) != written.sha256:
                return "has another content than when the run was over"
        except OSError as error:
            return f"cannot be read: {error.strerror}"
    return None


def write_study_files(entry: InnerPath, record: msgspec.Struct, files: Mapping[InnerPath, bytes]) -> None:
    """Writes `study.json`, which lists the other `files` with their checksums, and then those."""
    listed = {
        path.relative_to(entry.parent).as_posix(): WrittenFile(
            len(content), hashlib.sha256(content).hexdigest()
        )
        for path, content in files.items()
    }
    whole = {entry: with_checksum(msgspec.structs.replace(record, files=listed)), **files}
    for path, content in whole.items():
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_whole(content)


def _begin_writing(file: InnerPath) -> None:
    """Has the kernel begin to write a file, so that the files of a folder are not written one after
    another.
    """
    with file.open("rb") as content:
        os.posix_fadvise(content.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _synced(file: InnerPath) -> WrittenFile:
    with file.open("rb") as content:
        os.fsync(content.fileno())
        return WrittenFile(os.fstat(content.fileno()).st_size, _digest(content))


@lru_cache(maxsize=1 << 16)
def _checksum(file: InnerPath, state: tuple[int, ...]) -> str:
    """Returns the checksum of a file in this state."""
    with file.open("rb") as content:
        return _digest(content)


def _digest(content: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := content.read(_BLOCK_BYTES):
        digest.update(block)
    return digest.hexdigest()
