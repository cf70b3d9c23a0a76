"""Archives the results of one study, and opens such archives: each file is compared with its checksum."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from assay.base.decoding import UNREADABLE, any_json, json_as, why_unreadable
from assay.base.durable import sync_directory
from assay.base.errors import AssayError, ConflictError, HostError, InputError
from assay.base.inner_path import InnerPath, open_named
from assay.base.version import VERSION
from assay.base.wording import sized
from assay.design.folder import Count, ResultsFolder
from assay.experiments.lab.opening import results_folder
from assay.experiments.lab.progress import standing
from assay.system.host import space

FORMAT = 1
SUFFIX = ".assay.tar.gz"
_LIST = "bundle.json"
_CHUNK = 1 << 20
_MOST_FILES = 200_000
_LIST_BYTES = 256 << 20
_LEVEL = 6  # of gzip: 9 takes three times as long for a hundredth less

Heard = Callable[[int], None]
"""Is called now and then with the number of bytes handled."""


class _File(msgspec.Struct, frozen=True):
    bytes: Count
    sha256: str


class _Contents(msgspec.Struct, frozen=True, kw_only=True):
    """`bundle.json`, the last member of an archive."""

    format: int = FORMAT
    assay: str  # the version that wrote the archive
    study: str
    runs: Count  # finished
    runs_planned: Count
    created_wall_ns: int
    files: Mapping[str, _File]


@dataclass(frozen=True)
class Bundle:
    """An archive of one study's results. `bytes` is the size of the files in it, before compression."""

    file: Path
    study: str
    runs: int
    runs_planned: int
    files: int
    bytes: int


def bundled_bytes(folder: ResultsFolder) -> int:
    """Returns how many bytes an archive of these results would hold before compression."""
    return sum(file.stat().st_size for file in _sources(folder))


def write_bundle(source: Path, file: Path | None = None, heard: Heard = lambda count: None) -> Bundle:
    """Archives the results in the folder `source` as `file`, or as `<name of the study>.assay.tar.gz` here.

    The archive has the study, the plan, every finished run, the runs that were set aside, the looks and the
    pages. It lacks the store, which can be rebuilt, and unfinished runs. `file` appears when it is complete.
    Raises InputError for a folder without results, ConflictError when `file` exists.
    """
    folder = results_folder(source)
    found = standing(folder)
    target = file or Path(f"{found.study}{SUFFIX}")
    if target.exists():
        raise ConflictError(f"{target} exists already", hint="remove it, or give another file with --to")
    listed: dict[str, _File] = {}
    with _whole(target) as out, tarfile.open(fileobj=out, mode="w:gz", compresslevel=_LEVEL) as archive:
        for path in _sources(folder):
            name = path.relative_to(folder.path).as_posix()
            listed[name] = _add(archive, path, f"{found.study}/{name}", heard)
        contents = _Contents(
            assay=VERSION,
            study=found.study,
            runs=sum(1 for _ in folder.finished_runs()),
            runs_planned=found.planned,
            created_wall_ns=time.time_ns(),
            files=listed,
        )
        text = msgspec.json.format(msgspec.json.encode(contents), indent=1)
        member = tarfile.TarInfo(f"{found.study}/{_LIST}")
        member.size, member.mtime, member.mode = len(text), int(time.time()), 0o644
        archive.addfile(member, io.BytesIO(text))
    return _said(target, contents)


def open_bundle(file: Path, place: Path | None = None, heard: Heard = lambda count: None) -> Bundle:
    """Unpacks an archive of `write_bundle` into the folder `place`, or into results/<name of the study>.

    Every file is compared with its checksum; the folder appears when all of them match. `Bundle.file` is the
    folder. Raises InputError for a file that is no such archive or is damaged, ConflictError when the folder
    exists.
    """
    if place is not None:
        _refuse_existing(place)
    with tempfile.TemporaryDirectory(prefix=".bundle-", dir=_parent(place or Path("results/x"))) as scratch:
        unpacked = Path(scratch) / "results"
        try:
            with _members(file) as archive:
                listed = _listed(archive, free=space(Path(scratch)).free_bytes)
            with _members(file) as archive:
                contents = _unpack(archive, unpacked, heard, listed)
        except (*UNREADABLE, OSError, _DamageError) as error:
            if isinstance(error, AssayError):
                raise
            if isinstance(error, OSError) and error.filename is not None:
                raise InputError(f"{file} cannot be read: {error.strerror}") from error
            raise InputError(
                f"{file}: is not an archive of assay bundle, or is damaged: {_reason(error)}",
                hint="copy it again from where it was written",
            ) from error
        target = place or Path("results") / contents.study
        _refuse_existing(target)
        unpacked.rename(target)
    sync_directory(target.parent)
    return _said(target, contents)


_LARGE = 1 << 30
_HOLES = 1000


class _DamageError(Exception):
    """A file of an archive is missing, is not in its list, or has another content."""


def _sources(folder: ResultsFolder) -> Iterator[InnerPath]:
    """Yields the files of an archive, in order of their names."""
    for path in folder.inner().files():
        parts = path.relative_to(folder.path).parts
        made_again = folder.store.name in parts[:2] or path.name.endswith((".lock", ".part"))
        unfinished = any(part.startswith(".") and part.endswith(".unfinished") for part in parts)
        if not made_again and not unfinished:
            _refuse_holes(path)
            yield path


def _refuse_holes(path: InnerPath) -> None:
    """Raises InputError for a large file that was hardly written: it takes hours to read, and has no results.

    File systems that compress keep more than a thousandth of what a lab writes.
    """
    found = path.stat()
    if found.st_size > _LARGE and found.st_blocks * 512 * _HOLES < found.st_size:
        raise InputError(
            f"{path} has {sized(found.st_size)}, nearly all of which was never written",
            hint="remove it, if no results are in it",
        )


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, _DamageError) else why_unreadable(error)


class _Bounded:
    """A file of which nobody takes much at once: headers of an archive say how long they are themselves."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self.seek, self.tell, self.close = file.seek, file.tell, file.close

    def read(self, size: int = -1) -> bytes:
        """Returns the next `size` bytes."""
        if not 0 <= size <= _CHUNK * 2:
            raise _DamageError(f"it has a header of {sized(size)}")
        return self._file.read(size)


@contextlib.contextmanager
def _members(file: Path) -> Iterator[tarfile.TarFile]:
    with (
        open_named(file) as packed,
        gzip.open(packed) as unpacked,
        tarfile.open(fileobj=_Bounded(unpacked), mode="r:") as archive,  # type: ignore[call-overload]
    ):
        yield archive


def _listed(archive: tarfile.TarFile, free: int) -> Mapping[str, int]:
    """Returns the size of every file of an archive, before any is unpacked. Raises _DamageError for an
    archive without its list, HostError where the disk has no room for it.
    """
    sizes: dict[str, int] = {}
    total = 0
    for member in archive:
        if len(sizes) > _MOST_FILES:
            raise _DamageError(f"it has more than {_MOST_FILES:,} files")
        sizes[member.name] = member.size
        total += member.size
        if total > free:
            raise HostError(
                f"the archive holds {sized(total)} or more, and the disk has {sized(free)} free",
                hint="give a folder on a larger disk with --to",
            )
    if not any(PurePosixPath(name).parts[1:] == (_LIST,) for name in sizes):
        raise _DamageError(f"it has no {_LIST}")
    return sizes


class _Hashed:
    """A file that computes its checksum while it is read once."""

    def __init__(self, file: IO[bytes], heard: Heard) -> None:
        self._file, self._heard = file, heard
        self._sha = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """Returns the next `size` bytes."""
        found = self._file.read(size)
        self._sha.update(found)
        self._heard(len(found))
        return found

    @property
    def sha256(self) -> str:
        """Returns the checksum of what was read so far, in hex."""
        return self._sha.hexdigest()


def _add(archive: tarfile.TarFile, path: InnerPath, name: str, heard: Heard) -> _File:
    with path.open("rb") as file:
        member = archive.gettarinfo(arcname=name, fileobj=file)
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        hashed = _Hashed(file, heard)
        try:
            archive.addfile(member, hashed)
        except OSError as error:
            raise ConflictError(
                f"{path} became shorter while it was archived", hint="wait until nothing writes there"
            ) from error
    return _File(member.size, hashed.sha256)


def _unpack(archive: tarfile.TarFile, place: Path, heard: Heard, listed: Mapping[str, int]) -> _Contents:
    """Writes the regular files of an archive below `place`, and returns its list, which they match."""
    found: dict[str, _File] = {}
    contents = None
    for member in archive:
        path = PurePosixPath(member.name)
        inside = path.parts[1:]
        if listed.get(member.name) != member.size or member.issparse():
            raise _DamageError(f"{member.name!r} is not as large as it was said to be")
        if not member.isreg() or path.is_absolute() or ".." in path.parts or not inside:
            raise _DamageError(f"{member.name!r} is not a file of results")
        source = archive.extractfile(member)
        assert source is not None
        if inside == (_LIST,):
            if member.size > _LIST_BYTES:
                raise _DamageError(f"{_LIST} has more than {sized(_LIST_BYTES)}")
            contents = _read_list(_content(source))
            continue
        target = place.joinpath(*inside)
        target.parent.mkdir(parents=True, exist_ok=True)
        hashed = _Hashed(source, heard)
        with target.open("xb") as out:
            while chunk := hashed.read(_CHUNK):
                out.write(chunk)
        found["/".join(inside)] = _File(target.stat().st_size, hashed.sha256)
    if contents is None:
        raise _DamageError(f"it has no {_LIST}")
    if contents.study in ("", "..") or contents.study != Path(contents.study).name:
        raise _DamageError(f"{_LIST} names the study {contents.study!r}, which is not the name of a folder")
    if "study.toml" not in contents.files:
        raise _DamageError("it has no study.toml")
    for name in sorted({*found, *contents.files}):
        if found.get(name) != contents.files.get(name):
            what = "is missing" if name not in found else "is not the file that was archived"
            raise _DamageError(f"{name} {what}")
    return contents


def _content(file: IO[bytes]) -> bytes:
    return b"".join(iter(lambda: file.read(_CHUNK), b""))


def _read_list(text: bytes) -> _Contents:
    try:
        number = any_json(text).get("format")
        if isinstance(number, int) and number > FORMAT:
            raise _DamageError(f"it has format {number}, this assay reads {FORMAT}; take a later assay")
        return json_as(text, _Contents)
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError) as error:
        raise _DamageError(f"{_LIST} cannot be read: {error}") from error


def _refuse_existing(place: Path) -> None:
    if place.exists():
        raise ConflictError(f"{place} exists already", hint="give another folder with --to")


def _parent(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.parent


@contextlib.contextmanager
def _whole(target: Path) -> Iterator[IO[bytes]]:
    """Yields a file that gets its name at the end of the block; nothing is left when the block fails."""
    part = _parent(target) / f".{target.name}.part"
    try:
        with part.open("wb") as out:
            yield out
        part.rename(target)
        sync_directory(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _said(file: Path, contents: _Contents) -> Bundle:
    size = sum(one.bytes for one in contents.files.values())
    return Bundle(file, contents.study, contents.runs, contents.runs_planned, len(contents.files), size)
