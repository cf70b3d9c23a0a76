"""Takes parts out of archives: zip and jar files, tarballs, Debian packages, and archives within them."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import stat
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from assay.base.errors import HostError
from assay.system.server.flavour import Part

_PROGRAM_FOLDERS = ("bin", "sbin", "libexec", "scripts")
_ENDINGS = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar", ".zip", ".deb")
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


def unpack(archives: Sequence[Path], parts: Sequence[Part], target: Path, scratch: Path) -> None:
    """Puts the `parts` of the archives, laid over each other, under `target`. Files in `scratch` are not
    removed.

    Everything becomes readable by all, and programs executable: jar files do not keep modes. Raises HostError
    when a file is no archive, or lacks the part.
    """
    whole = scratch / "whole"
    for archive in archives:
        _extract(archive, whole)
    for part in parts:
        source = _inside(whole, part.inside, scratch)
        destination = target / part.to
        destination.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, destination, symlinks=True, dirs_exist_ok=True, copy_function=_move)
        else:
            _move(source, destination)
    _open_to_all(target)


def single_folder(folder: Path) -> Path:
    """Returns the one directory at the top of an unpacked tarball; `folder` itself when there are more
    entries.
    """
    entries = list(folder.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else folder


def _inside(whole: Path, inside: str, scratch: Path) -> Path:
    outer, nested, inner = inside.partition("!")
    found = whole / outer
    if not found.exists():
        raise HostError(
            f"the archive has no {outer}: it is not the one that the catalogue describes",
            hint="the package was changed; the entry in server/flavour/ must follow",
        )
    if not nested:
        return found
    opened = scratch / f"inside-{found.name}"
    if not opened.exists():
        _extract(found, opened)
    return _inside(opened, inner, scratch)


def is_named_archive(name: str) -> bool:
    """Returns whether a file is meant to be an archive, judged by its name."""
    return name.endswith(_ENDINGS)


def is_archive(file: Path) -> bool:
    """Returns whether `unpack` can read a file, judged by its content (a .deb by its name)."""
    return file.suffix == ".deb" or zipfile.is_zipfile(file) or tarfile.is_tarfile(file)


def _extract(archive: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    try:
        if archive.suffix == ".deb":
            _run_dpkg(archive, target)
        elif zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as file:
                file.extractall(target)
        elif tarfile.is_tarfile(archive):
            with tarfile.open(archive) as file:
                _extract_tar(file, target)
                _read_on(file)
        else:
            raise HostError(f"{archive} is not a zip, jar, tar or deb archive")
    except _BROKEN as broken:
        raise HostError(f"{archive} cannot be unpacked: {broken}", hint="fetch it again") from broken


def _read_on(archive: tarfile.TarFile) -> None:
    """Reads to the end of the file, which follows the archive's: there is the sum of all that came before."""
    while archive.fileobj is not None and archive.fileobj.read(1 << 20):
        pass


def _extract_tar(archive: tarfile.TarFile, target: Path) -> None:
    if hasattr(tarfile, "data_filter"):
        archive.extractall(target, filter="data")
        return
    # Python before 3.11.4, as in Debian 12: the same refusals, each once what precedes it is written.
    for member in archive:
        _refuse_outside(member, target)
        # Files are this account's, whoever made the archive, and nobody else may write them.
        member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
        member.mode &= 0o755
        archive.extract(member, target)


def _refuse_outside(member: tarfile.TarInfo, target: Path) -> None:
    """Raises TarError for a device, and for a file or a link that would lead out of `target`."""
    place = target / member.name
    reached = [place]
    if member.issym():
        reached.append(place.parent / member.linkname)
    elif member.islnk():
        reached.append(target / member.linkname)
    if member.isdev() or not all(path.resolve().is_relative_to(target.resolve()) for path in reached):
        raise tarfile.ExtractError(f"{member.name} is a device, or leads outside of the archive")


def _run_dpkg(archive: Path, target: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        raise HostError(
            "dpkg-deb is not installed, and this release comes in Debian packages",
            hint="use a Debian or Ubuntu machine, or unpack a vendor's tarball: assay server get FILE.tar.gz",
        )
    done = subprocess.run(
        ["dpkg-deb", "-x", str(archive), str(target)],
        capture_output=True, encoding="utf-8", errors="replace", check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode != 0:
        raise HostError(f"dpkg-deb cannot unpack {archive.name}", detail=done.stderr.strip()[-2000:] or None)


def _move(source: str | Path, destination: str | Path) -> str:
    """Moves within one directory by rename, which copies no data."""
    os.rename(source, destination)  # noqa: PTH104 - copytree hands over texts
    return str(destination)


def _open_to_all(target: Path) -> None:
    """Makes all files readable and programs executable by all, since root's servers run as another user."""
    for path in [target, *target.rglob("*")]:
        if path.is_symlink():
            continue
        mode = stat.S_IMODE(path.stat().st_mode) & ~0o7022 | 0o444
        if path.is_dir() or path.parent.name in _PROGRAM_FOLDERS or mode & 0o111:
            mode |= 0o111
        path.chmod(mode)
