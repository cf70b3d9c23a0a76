"""Finds what the binaries of an installation ask of the system: libraries, and the C library's version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.system.server.release.elf import read_making

PACKAGES: Mapping[str, str] = {
    "libc.so.6": "libc6",
    "libm.so.6": "libc6",
    "libdl.so.2": "libc6",
    "librt.so.1": "libc6",
    "libpthread.so.0": "libc6",
    "libutil.so.1": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
    "libgcc_s.so.1": "libgcc-s1",
    "libstdc++.so.6": "libstdc++6",
    "libz.so.1": "zlib1g",
}
"""Debian's package of each library that the system may be asked for."""

_GLIBC = re.compile(rb"\bGLIBC_2\.(\d+)")


def depends(place: Path) -> list[str]:
    """Returns the packages that the binaries beneath `place` need, in the form of the field Depends.

    Raises LookupError when a binary needs a library that neither `place` nor a known package has.
    """
    binaries = list(_binaries(place))
    inside = {path.name for path in binaries}
    packages, newest = set(), 0
    for path in binaries:
        for library in read_making(path).libraries:
            if library in inside:
                continue
            if library not in PACKAGES:
                raise LookupError(
                    f"{path} needs {library}: name its package in scripts/packaging/libraries.py"
                )
            packages.add(PACKAGES[library])
        newest = max([newest, *(int(found) for found in _GLIBC.findall(path.read_bytes()))])
    packages.discard("libc6")
    return [f"libc6 (>= 2.{newest})", *sorted(packages)] if newest else sorted(packages)


def _binaries(place: Path) -> Iterator[Path]:
    for path in sorted(place.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path
