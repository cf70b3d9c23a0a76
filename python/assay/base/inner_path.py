"""Paths beneath a folder that somebody else may have filled: a results folder, an unpacked archive.

Everything beneath such a folder is opened here. No symbolic link beneath the folder is followed, neither at
the last step nor before it. Only regular files are opened, never pipes or devices, and no more bytes are
taken into memory than a file may have. What is written never goes into a file that has another name, too.
"""

from __future__ import annotations

import errno
import fnmatch
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, Any

from assay.base.durable import write_in
from assay.base.errors import InputError
from assay.base.wording import sized

DOCUMENT_BYTES = 16 << 20
"""The most bytes of a file that is read as a whole, unless its reader says more."""
LINE_BYTES = 16 << 20
"""The most bytes of one line."""
DEPTH = 32
"""The most folders within each other that are walked through."""

_STEP = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_MODES = {
    "r": os.O_RDONLY,
    "w": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
    "x": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
    "a": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    "r+": os.O_RDWR,
    "a+": os.O_RDWR | os.O_CREAT | os.O_APPEND,
}


class NotOpened(OSError, InputError):
    """Something is not opened: a link, a pipe, a device, a file that is too large, a path that leads out."""

    def __init__(self, path: object, why: str) -> None:
        OSError.__init__(self, errno.EPERM, why, str(path))
        self.message = f"{path} {why}"
        self.hint = self.detail = self.code = None

    def __str__(self) -> str:
        return str(self.strerror)


@dataclass(frozen=True, order=True)
class InnerPath:
    """A path beneath the folder `root`, which its caller names and which may itself be reached by links.

    The methods are those of `pathlib.Path` with the bounds of this module. All raise OSError.
    """

    root: Path
    path: Path

    @staticmethod
    def of(path: Path) -> InnerPath:
        """Returns the path of a file that its caller names: only the last step is bound."""
        return InnerPath(path.parent, path)

    def __str__(self) -> str:
        return str(self.path)

    def __fspath__(self) -> str:
        return str(self.path)

    def __truediv__(self, name: str | PurePath) -> InnerPath:
        return InnerPath(self.root, self.path / name)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def stem(self) -> str:
        return self.path.stem

    @property
    def suffix(self) -> str:
        return self.path.suffix

    @property
    def parent(self) -> InnerPath:
        """The folder of the path; that of the root is the root."""
        return self if self.path == self.root else InnerPath(self.root, self.path.parent)

    def with_name(self, name: str) -> InnerPath:
        return InnerPath(self.root, self.path.with_name(name))

    def relative_to(self, other: Path | InnerPath) -> PurePath:
        return self.path.relative_to(other.path if isinstance(other, InnerPath) else other)

    def stat(self) -> os.stat_result:
        """Returns the state of what lies there, of a link its own."""
        with self._place() as (folder, name):
            return os.stat(name, dir_fd=folder, follow_symlinks=False)

    def exists(self) -> bool:
        return self._mode() is not None

    def is_file(self) -> bool:
        """Returns whether a regular file is there; a link to one is none."""
        return stat.S_ISREG(self._mode() or 0)

    def is_dir(self) -> bool:
        return stat.S_ISDIR(self._mode() or 0)

    def iterdir(self) -> Iterator[InnerPath]:
        """Yields what lies in a folder, in no order."""
        handle = self.folder_descriptor()
        try:
            names = os.listdir(handle)  # noqa: PTH208 - a handle
        finally:
            os.close(handle)
        yield from (self / name for name in names)

    def glob(self, pattern: str) -> Iterator[InnerPath]:
        """Yields the paths whose names match the parts of a pattern, sorted; none where there is no
        folder.
        """
        first, _, rest = pattern.partition("/")
        try:
            found = sorted(one for one in self.iterdir() if fnmatch.fnmatchcase(one.name, first))
        except OSError:
            return
        for one in found:
            if not rest:
                yield one
            elif one.is_dir():
                yield from one.glob(rest)

    def files(self, depth: int = DEPTH) -> Iterator[InnerPath]:
        """Yields the regular files in a folder and the folders in it, sorted."""
        for one in sorted(self.iterdir()):
            if one.is_file():
                yield one
            elif one.is_dir():
                if depth <= 0:
                    raise NotOpened(one, f"lies in more than {DEPTH} folders")
                yield from one.files(depth - 1)

    def descriptor(self, mode: str = "r") -> int:
        """Opens a regular file and returns its descriptor; the modes are those of `open`, without `b`."""
        with self._place() as (folder, name):
            there = _state(folder, name)
            if there is not None:
                if not stat.S_ISREG(there.st_mode):
                    raise NotOpened(self, _what(there.st_mode))
                if mode == "w":
                    os.unlink(name, dir_fd=folder)
                elif mode != "r" and there.st_nlink > 1:
                    self.write_whole(self.read_bytes(), sync=False)
            try:
                handle = os.open(name, _MODES[mode] | _FILE, 0o666, dir_fd=folder)
            except OSError as error:
                error.filename = str(self)
                raise
        if not stat.S_ISREG(os.fstat(handle).st_mode):  # it was replaced meanwhile
            os.close(handle)
            raise NotOpened(self, "is not a regular file")
        os.set_blocking(handle, True)
        return handle

    def folder_descriptor(self) -> int:
        """Opens a folder and returns its descriptor."""
        with self._place() as (folder, name):
            try:
                return os.open(name, _FOLDER, dir_fd=folder)
            except NotADirectoryError:
                there = _state(folder, name)
                raise NotOpened(self, _what(there.st_mode) if there else "is not a folder") from None
            except OSError as error:
                error.filename = str(self)
                raise

    def open(self, mode: str = "r", encoding: str | None = None, errors: str | None = None) -> IO[Any]:
        """Opens a regular file. `w` makes a new file in place of the one that is there; one that is appended
        to and has another name beside this one is copied first.
        """
        handle = self.descriptor(mode.replace("b", ""))
        return os.fdopen(handle, mode.replace("x", "w"), encoding=encoding, errors=errors)

    def read_bytes(self, most: int = DOCUMENT_BYTES) -> bytes:
        """Returns the content of a file of at most so many bytes."""
        with self.open("rb") as file:
            if os.fstat(file.fileno()).st_size > most or len(content := file.read(most + 1)) > most:
                raise NotOpened(self, f"has more than {sized(most)}")
            return bytes(content)

    def read_text(self, encoding: str = "utf-8", errors: str = "strict", most: int = DOCUMENT_BYTES) -> str:
        return self.read_bytes(most).decode(encoding, errors)

    def lines(self) -> Iterator[bytes]:
        """Yields the lines of a file, each with its end; the last one may lack it."""
        with self.open("rb") as file:
            while line := file.readline(LINE_BYTES):
                if len(line) == LINE_BYTES and not line.endswith(b"\n"):
                    raise NotOpened(self, f"has a line of more than {sized(LINE_BYTES)}")
                yield line

    def write_whole(self, content: bytes, *, sync: bool = True) -> None:
        """Writes a file that is complete or absent, in a folder that is there."""
        folder = self.parent.folder_descriptor()
        try:
            write_in(folder, self.name, content, sync=sync)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self)) from error
        finally:
            os.close(folder)

    def write_bytes(self, content: bytes) -> None:
        self.write_whole(content, sync=False)

    def write_text(self, text: str, encoding: str = "utf-8") -> None:
        self.write_bytes(text.encode(encoding))

    def mkdir(self, *, parents: bool = False, exist_ok: bool = False) -> None:
        if self.path == self.root:
            self.root.mkdir(parents=parents, exist_ok=exist_ok)
            return
        if parents:
            self.parent.mkdir(parents=True, exist_ok=True)
        with self._place() as (folder, name):
            try:
                os.mkdir(name, dir_fd=folder)
            except FileExistsError:
                there = _state(folder, name)
                if there is not None and not stat.S_ISDIR(there.st_mode):
                    raise NotOpened(self, _what(there.st_mode)) from None
                if not exist_ok:
                    raise

    def touch(self) -> None:
        os.close(self.descriptor("a"))

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Removes a file, or a link itself."""
        with self._place() as (folder, name):
            try:
                os.unlink(name, dir_fd=folder)
            except FileNotFoundError:
                if not missing_ok:
                    raise

    def remove(self) -> None:
        """Removes whatever lies there; of a folder everything in it, of a link the link itself."""
        with self._place() as (folder, name):
            there = _state(folder, name)
            if there is None:
                return
            if stat.S_ISDIR(there.st_mode):
                shutil.rmtree(name, ignore_errors=True, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)

    def rename(self, to: InnerPath | Path) -> None:
        """Gives a file or folder another name, in its folder where `to` is an inner path."""
        with self._place() as (folder, name):
            if isinstance(to, InnerPath) and to.parent == self.parent:
                os.rename(name, to.name, src_dir_fd=folder, dst_dir_fd=folder)
            else:
                os.rename(name, Path(to).absolute(), src_dir_fd=folder)

    def _mode(self) -> int | None:
        try:
            return self.stat().st_mode
        except OSError:
            return None

    @contextmanager
    def _place(self) -> Iterator[tuple[int, str]]:
        """Yields an open folder and the name in it that the path leads to, step by step."""
        # Not relative_to(): it makes a path anew for each file that is read.
        above, parts = self.root.parts, self.path.parts
        parts = parts[len(above) :] if parts[: len(above)] == above else ("..",)
        if ".." in parts or any("\0" in part for part in parts):
            raise NotOpened(self, "leads out of its folder")
        steps, name = (parts[:-1], parts[-1]) if parts else ((), ".")
        folder = os.open(self.root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for step in steps:
                try:
                    inner = os.open(step, _STEP, dir_fd=folder)
                except NotADirectoryError:
                    there = _state(folder, step)
                    raise NotOpened(
                        self, f"lies in {step!r}, which {_what(there.st_mode if there else 0)}"
                    ) from None
                except OSError as error:
                    error.filename = str(self)
                    raise
                os.close(folder)
                folder = inner
            try:
                yield folder, name
            except UnicodeEncodeError:
                raise NotOpened(self, "is not the name of a file") from None
            except OSError as error:
                if error.filename == name:  # the system knows the name in the open folder alone
                    error.filename = str(self)
                raise
        finally:
            os.close(folder)


def _state(folder: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "is a symbolic link, and none is followed here"
    if stat.S_ISREG(mode):
        return "is a file, and a folder is needed"
    return "is not a regular file"


def open_named(path: Path) -> IO[bytes]:
    """Opens a regular file that a person names, which may be reached by links."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotOpened(path, "is not a regular file")
    return os.fdopen(handle, "rb")


def named_bytes(path: Path, most: int = DOCUMENT_BYTES) -> bytes:
    """Returns the content of a regular file that a person names, of at most so many bytes."""
    with open_named(path) as file:
        if os.fstat(file.fileno()).st_size > most or len(content := file.read(most + 1)) > most:
            raise NotOpened(path, f"has more than {sized(most)}")
        return content


AnyPath = Path | InnerPath
"""A file that a person names, or one beneath a folder."""
