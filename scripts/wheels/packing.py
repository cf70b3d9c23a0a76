"""Writes a wheel of programs that are built already: same content, same bytes.

A wheel is a zip archive with a list of its files (packaging.python.org, "Binary distribution format"). The
programs lie within the package, `assay/bin`, and not among the environment's commands: there every way of
installing leaves them where `assay.system.engine` looks.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.wheels.elf import Program, read_program
from scripts.wheels.project import NAME, ROOT, entry_points, metadata, packaged_files, version

PROGRAMS = ("assay-engine", "assay-nullserver")
FLOOR = (2, 17)
"""The glibc of the oldest systems that a tag names; what runs with an older one runs there."""

_EVERYWHERE = frozenset(
    {
        *("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1"),
        *("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"),
    }
)
"""Libraries that every system with a glibc has (PEP 600)."""
_EARLIEST = 315532800
"""1 January 1980, UTC: zip archives know no earlier time."""


def tag(programs: Sequence[Program]) -> str:
    """Returns the tag of a wheel with these programs: the oldest systems that all of them run on.

    Raises ValueError for programs of several machines, and for one that loads what not every system has.
    """
    machines = {one.machine for one in programs}
    if len(machines) != 1:
        raise ValueError(f"one wheel is for one kind of machine, not {' and '.join(sorted(machines))}")
    if lacking := {library for one in programs for library in one.libraries} - _EVERYWHERE:
        raise ValueError(f"a program loads {', '.join(sorted(lacking))}, which not every system has")
    major, minor = max([FLOOR, *(one.glibc for one in programs if one.glibc)])
    return f"py3-none-manylinux_{major}_{minor}_{machines.pop()}"


def pack(binaries: Path, out: Path) -> Path:
    """Writes the wheel with the programs of a folder, stripped, into the folder `out`, and returns its path.

    Raises ValueError where a program is missing or does not fit beside the others.
    """
    if missing := [name for name in PROGRAMS if not (binaries / name).is_file()]:
        raise ValueError(f"{binaries} has no {' and no '.join(missing)}")
    programs = {name: read_program(binaries / name) for name in PROGRAMS}
    marked = tag(list(programs.values()))
    info = f"{NAME}-{version()}.dist-info"
    files: list[tuple[str, bytes, bool]] = [
        (name, path.read_bytes(), os.access(path, os.X_OK)) for name, path in packaged_files()
    ]
    for name, program in programs.items():
        content = _stripped(binaries / name) if program.has_symbols else (binaries / name).read_bytes()
        files.append((f"{NAME}/bin/{name}", content, True))
    wheel = f"Wheel-Version: 1.0\nGenerator: {NAME} scripts/wheel\nRoot-Is-Purelib: false\nTag: {marked}\n"
    files += [
        (f"{info}/METADATA", metadata().encode(), False),
        (f"{info}/WHEEL", wheel.encode(), False),
        (f"{info}/entry_points.txt", entry_points().encode(), False),
        (f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False),
    ]
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), False))
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{NAME}-{version()}-{marked}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, is_program in files:
            archive.writestr(_entry(name, is_program), content, zipfile.ZIP_DEFLATED)
    return path


def _entry(name: str, is_program: bool) -> zipfile.ZipInfo:
    when = max(int(os.environ.get("SOURCE_DATE_EPOCH", _EARLIEST)), _EARLIEST)
    entry = zipfile.ZipInfo(name, time.gmtime(when)[:6])
    entry.external_attr = (0o100755 if is_program else 0o100644) << 16
    entry.create_system = 3  # Unix, whatever this runs on
    return entry


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _stripped(program: Path) -> bytes:
    """Returns the content of a program without what only a debugger reads."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / program.name
        for strip in _strippers():
            done = subprocess.run(
                [strip, "--strip-all", "-o", copy, program], capture_output=True, check=False
            )
            if done.returncode == 0:
                return copy.read_bytes()
    raise ValueError(
        f"{program} has symbols, and nothing here can strip it: install binutils, or build it with"
        " CARGO_PROFILE_RELEASE_STRIP=symbols"
    )


def _strippers() -> Iterator[str]:
    """Yields programs that strip those of this machine, or of any."""
    for name in ("strip", "llvm-strip", "aarch64-linux-gnu-strip", "x86_64-linux-gnu-strip"):
        if found := shutil.which(name):
            yield found
