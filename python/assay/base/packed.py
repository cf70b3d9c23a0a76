"""Opens files that are packed, by gzip, bzip2, xz or zstd or as the only file of a zip archive; their first
bytes say how.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import subprocess
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from assay.base.errors import HostError, InputError
from assay.base.printable import line

_MARKS = {
    b"\x1f\x8b": ".gz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"\xfd7zXZ\0": ".xz",
    b"BZh": ".bz2",
    b"PK\x03\x04": ".zip",
}
"""First bytes of compressed files, and the endings of their names."""
COMPRESSED = tuple(_MARKS.values())
"""Endings of compressed files, after those of their form."""
PACKERS = {".gz": "gzip", ".zst": "zstd", ".xz": "xz", ".bz2": "bzip2", ".zip": "zip"}
"""What has packed a file, by its ending."""
_ARCHIVES = {b"7z\xbc\xaf": "7z", b"Rar!": "rar", b"\x04\x22\x4d\x18": "lz4", b"XBSTCK01": "xbstream"}
"""First bytes of files that are packed in a way that is not opened."""
_MARK_BYTES = 8
_LISTED = 3  # names of files in an archive that a message has


def compression_of(first: bytes) -> str | None:
    """Returns the ending of compressed files that begin with these bytes; None where they are not
    compressed.
    """
    return next((ending for mark, ending in _MARKS.items() if first.startswith(mark)), None)


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Yields a file, open, unpacked. What it raises when it is read on leaves the block as InputError, or as
    HostError where the program that unpacks it is missing.
    """
    try:
        with path.open("rb") as file:
            # By its own offset, from which the program for zstd goes on, nothing is read yet.
            first = os.pread(file.fileno(), _MARK_BYTES, 0)
            compression = compression_of(first)
            if compression == ".gz":
                yield cast(IO[bytes], gzip.GzipFile(fileobj=file))
            elif compression == ".xz":
                yield cast(IO[bytes], lzma.LZMAFile(file))  # noqa: SIM115  the file beneath is closed
            elif compression == ".bz2":
                yield cast(IO[bytes], bz2.BZ2File(file))
            elif compression == ".zst":
                yield from _of_zstd(file, path)
            elif compression == ".zip":
                yield from _of_zip(file, path)
            elif other := next((name for mark, name in _ARCHIVES.items() if first.startswith(mark)), None):
                raise InputError(f"{path} is packed ({other})", hint="unpack it, and name what is in it")
            else:
                yield file
    except (EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as error:
        raise _damaged(path, error) from None
    except OSError as error:
        if error.errno is None:  # of gzip and bzip2
            raise _damaged(path, error) from None
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"cannot read {path}: it is damaged or cut ({line(error)})")


def _of_zip(file: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    with zipfile.ZipFile(file) as archive:
        names = [one for one in archive.namelist() if not one.endswith("/")]
        if len(names) != 1:
            shown = ", ".join([*names[:_LISTED], *(["…"] if len(names) > _LISTED else [])])
            raise InputError(
                f"{path} is an archive (zip) of {len(names)} files{line(f': {shown}' if names else '')}",
                hint="unpack it, and name what is in it",
            )
        try:
            inner = archive.open(names[0])
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed as later programs do
            raise InputError(
                f"cannot unpack {path}: {line(error)}", hint="unpack it, and name what is in it"
            ) from None
        with inner:
            yield inner


def _of_zstd(file: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    command = ["zstd", "-dcq", "--long=31"]
    try:
        unpacking = subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise HostError(
            f"cannot unpack {path}: zstd: {error.strerror}", hint="install zstd, or unpack the file"
        ) from None
    with unpacking:
        assert unpacking.stdout is not None
        try:
            yield unpacking.stdout
            # What was not read to its end is not known to be damaged.
            if not unpacking.stdout.read(1) and unpacking.wait() != 0:
                raise EOFError("zstd cannot unpack it")
        finally:
            unpacking.kill()
