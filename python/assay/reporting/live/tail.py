"""Follows one growing file line by line from a byte offset."""

from __future__ import annotations

import os
from collections.abc import Iterator

from assay.base.inner_path import InnerPath

_CHUNK = 1 << 18


class Tail:
    """Reads whole lines of a file that another process appends to.

    The file stays open, so that it is read to its end also when its folder is renamed or removed meanwhile. A
    last line without its end is left for later. When the path names another file, the old one is read to its
    end first and the new one from its beginning; a file that became shorter is read from its beginning.
    `offset` is the place after the last line that was yielded, and `inode` the file it is in.
    """

    def __init__(self, path: InnerPath, offset: int = 0, inode: int = 0) -> None:
        self.path = path
        self.offset = offset
        self.inode = inode
        self._file: int | None = None

    def lines(self) -> Iterator[bytes]:
        """Yields the lines that are there, each with its end; none where there is no file yet."""
        while self._open():
            yield from self._rest()
            if not self._is_replaced():
                return
            yield from self._rest()  # what was written before the other file came
            self.close()
            self.offset = self.inode = 0

    def written_ns(self) -> int:
        """Returns when the file was last written, in ns since 1970; 0 where there is none."""
        return os.fstat(self._file).st_mtime_ns if self._file is not None else 0

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _open(self) -> bool:
        if self._file is None:
            try:
                self._file = self.path.descriptor()
            except OSError:
                return False
            found = os.fstat(self._file).st_ino
            if self.inode and found != self.inode:  # what the offset counted in is gone
                self.offset = 0
            self.inode = found
        return True

    def _rest(self) -> Iterator[bytes]:
        assert self._file is not None
        if os.fstat(self._file).st_size < self.offset:
            self.offset = 0
        size = _CHUNK
        while chunk := os.pread(self._file, size, self.offset):
            whole = chunk.rfind(b"\n") + 1
            if not whole:
                if len(chunk) < size:
                    return  # a line that is being written
                size *= 2
                continue
            for line in chunk[: whole - 1].split(b"\n"):
                self.offset += len(line) + 1
                yield line + b"\n"
                if self._file is None:  # closed by who takes the lines
                    return

    def _is_replaced(self) -> bool:
        """Returns whether the path names another file by now."""
        try:
            there = self.path.stat().st_ino
        except OSError:  # renamed or removed
            return False
        return self._file is not None and there != self.inode


def start_of_last_lines(path: InnerPath, count: int) -> int:
    """Returns the offset at which the last `count` whole lines of a file begin; 0 where it has fewer."""
    try:
        file = path.descriptor()
    except OSError:
        return 0
    try:
        end = os.fstat(file).st_size
        seen, at = 0, end
        while at > 0:
            start = max(at - _CHUNK, 0)
            chunk = os.pread(file, at - start, start)
            place = len(chunk)
            while (place := chunk.rfind(b"\n", 0, place)) >= 0:
                seen += 1
                if seen > count:
                    return start + place + 1
            at = start
        return 0
    finally:
        os.close(file)
