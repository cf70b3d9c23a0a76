"""Finds the build on this machine that a study names (`mariadb@10.11`, `path:/opt/mysql`).

Installed builds come before those that `assay server get` unpacked.
"""

from __future__ import annotations

import os
from pathlib import Path

from assay.base.errors import HostError, InputError
from assay.design.study import binaries, masked
from assay.system.server.flavour import FLAVOURS, Flavour, Version
from assay.system.server.release.build import Build, read_build
from assay.system.server.release.consent import require_consent
from assay.system.server.release.tarball import build_in, is_tarball
from assay.system.server.release.unpacked import find_unpacked
from assay.system.server.release.use import parse_use

# Debian keeps servers out of a plain user's PATH; the others are where the vendors' packages unpack.
USUAL_PLACES = (
    "/usr/sbin",
    "/usr/local/sbin",
    "/usr/libexec",
    "/usr/local/mysql/bin",
    "/usr/local/mariadb/bin",
    "/opt/mysql/bin",
)
_IN_BASE = ("bin", "sbin", "libexec", "usr/sbin", "usr/bin")


def find_build(use: str) -> Build:
    """Returns the build that `use` names: `mariadb`, `mysql@8`, `path:/base/dir`, `path:/base/bin/mysqld`,
    `path:/downloads/mysql.tar.xz`. Of one that has several binaries, `path:/a:/b`, it is the first.

    Raises InputError where binaries have different versions.
    Raises InputError for an unknown word, and HostError, which says how to get one, when there is no such
    build.
    """
    if use == "path:":
        raise InputError(
            "server.use = 'path:' names no directory", hint="write its base directory, as in path:/base/dir"
        )
    if use.startswith("path:"):
        first, *others = (_by_path(Path(one.removeprefix("path:")).expanduser()) for one in binaries(use))
        for other in others:
            _require_same_version(use, first, other)
        return first
    if use.startswith("dsn:"):
        raise InputError(
            f"server.use = {masked(use)!r} is a running server, not a build",
            hint="give an installed server, or a path: this step starts the server itself",
        )
    flavour, wanted = parse_use(use)
    return _installed(flavour, wanted)


def find_only_build(use: str) -> Build:
    """Returns the build that `use` names, for what takes no turns. Raises InputError for several binaries,
    and what `find_build` raises.
    """
    if (count := len(binaries(use))) > 1:
        raise InputError(
            f"{use!r} has {count} binaries: only blocks of a study take them in turn", hint="name one of them"
        )
    return find_build(use)


def _require_same_version(use: str, one: Build, other: Build) -> None:
    if (one.flavour_name, one.version_text) != (other.flavour_name, other.version_text):
        raise InputError(
            f"server.use = {use!r}: {one} and {other} are not the same version",
            hint="binaries of one build differ in how they were linked, and in nothing else",
        )


def _by_path(path: Path) -> Build:
    if path.is_file():
        if is_tarball(path):
            return build_in(path.absolute())
        require_consent(path)
        return read_build(path.absolute())
    names = dict.fromkeys(name for flavour in FLAVOURS.values() for name in flavour.binaries)
    tried = [path / folder / name for folder in _IN_BASE for name in names]
    for binary in tried:
        if binary.is_file() and os.access(binary, os.X_OK):
            require_consent(binary)
            return read_build(binary.absolute(), path.absolute())
    there = next((binary for binary in tried if binary.is_file()), None)
    if there is not None:
        raise HostError(f"{there} is not executable", hint=f"chmod +x {there}")
    raise HostError(
        f"path:{path}: contains no server binary",
        hint="give the base directory of a server: it holds bin/mysqld, bin/mariadbd or sbin/mysqld;"
        " or a vendor's tarball",
        detail="looked for\n" + "\n".join(f"  {binary}" for binary in tried),
    )


def _installed(flavour: Flavour, wanted: Version) -> Build:
    folders = list(
        dict.fromkeys([*filter(None, os.environ.get("PATH", "").split(os.pathsep)), *USUAL_PLACES])
    )
    others: list[str] = []
    seen: set[Path] = set()
    for folder in folders:
        for name in flavour.binaries:
            binary = Path(folder) / name
            # Access first: a folder of PATH that is closed to us is no error.
            if not os.access(binary, os.X_OK) or not binary.is_file() or binary.resolve() in seen:
                continue
            seen.add(binary.resolve())
            try:
                build = read_build(binary)
            except HostError as broken:
                others.append(broken.message)
                continue
            if build.flavour_name == flavour.name and build.version[: len(wanted)] == wanted:
                return build
            others.append(str(build))
    if here := find_unpacked(flavour.name, wanted):
        return here[1].build(here[0])
    number = ".".join(map(str, wanted))
    asked = f"{flavour.title} {number}".strip()
    noun = "" if flavour.title.endswith("Server") else " server"
    there = f"; there is {' and '.join(others)}" if others else ""
    raise HostError(
        f"no {asked}{noun} on this machine{there}",
        hint=f'{_how_to_get(flavour, wanted)}; or server.use = "path:/base/dir" for an unpacked one, '
        'or "dsn:mysql://user@host:port/db" for one that runs already',
        detail=f"looked for {', '.join(flavour.binaries)} in\n"
        + "\n".join(f"  {folder}" for folder in folders),
    )


def _other_ways(flavour: Flavour, wanted: Version) -> str:
    """Returns how to get a build that the catalogue lacks: a package that has another version is no way."""
    if not wanted or not flavour.releases:
        return flavour.how_to_get
    there = flavour.catalogue_here().removeprefix("it ")
    return f"the catalogue {there}; for others, assay server get FILE.tar.gz unpacks a vendor's tarball"


def _how_to_get(flavour: Flavour, wanted: Version) -> str:
    """Returns how to get a build: first from the catalogue, which installs nothing."""
    release = flavour.release(wanted)
    if release is None or release not in flavour.releases_here:
        return _other_ways(flavour, wanted)
    number = ".".join(map(str, wanted)) or release.number
    return f"assay server get {flavour.name}@{number}; or {flavour.how_to_get}"
