"""From what a study says (`mariadb@10.11`, `path:/opt/mysql`) to a build on this machine."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from assay.errors import HostError, InputError
from assay.server.build import Build, read_build
from assay.server.flavour import FLAVOURS, Flavour

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
    """The build that `use` names: `mariadb`, `mysql@8`, `path:/base/dir`, `path:/base/bin/mysqld`.

    Raises InputError for a word it does not know, HostError with how to get it when there is none.
    """
    if use.startswith("path:"):
        return _by_path(Path(use.removeprefix("path:")).expanduser())
    if use.startswith("dsn:"):
        raise InputError(
            f"server.use = {use!r} is a running server, not a build",
            hint="this step starts a server itself: name one that is installed, or a path:",
        )
    name, _, version = use.partition("@")
    flavour = FLAVOURS.get(name)
    if flavour is None:
        nearest = difflib.get_close_matches(name, [*FLAVOURS, "path:", "dsn:"], n=1)
        raise InputError(
            f"server.use = {use!r}: no such server" + (f"; nearest is {nearest[0]!r}" if nearest else ""),
            hint=f"known: {', '.join(FLAVOURS)} (with @version), path:/base/dir, dsn:mysql://user@host:port/db",
        )
    return _installed(flavour, version)


def _by_path(path: Path) -> Build:
    if path.is_file():
        return read_build(path.absolute())
    names = dict.fromkeys(name for flavour in FLAVOURS.values() for name in flavour.binaries)
    tried = [path / folder / name for folder in _IN_BASE for name in names]
    for binary in tried:
        if binary.is_file() and os.access(binary, os.X_OK):
            return read_build(binary.absolute(), path.absolute())
    there = next((binary for binary in tried if binary.is_file()), None)
    if there is not None:
        raise HostError(f"{there} is not executable", hint=f"chmod +x {there}")
    raise HostError(
        f"path:{path}: no server binary in it",
        hint="give the base directory of a server: it holds bin/mysqld, bin/mariadbd or sbin/mysqld",
        detail="looked for\n" + "\n".join(f"  {binary}" for binary in tried),
    )


def _installed(flavour: Flavour, version: str) -> Build:
    folders = list(
        dict.fromkeys([*filter(None, os.environ.get("PATH", "").split(os.pathsep)), *USUAL_PLACES])
    )
    wanted = _version(flavour, version)
    others: list[str] = []
    seen: set[Path] = set()
    for folder in folders:
        for name in flavour.binaries:
            binary = Path(folder) / name
            if not binary.is_file() or not os.access(binary, os.X_OK) or binary.resolve() in seen:
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
    asked = f"{flavour.title} {version}".strip()
    there = f"; there is {' and '.join(others)}" if others else ""
    raise HostError(
        f"no {asked} server on this machine{there}",
        hint=f'{flavour.how_to_get}; or server.use = "path:/base/dir" for an unpacked one, '
        'or "dsn:mysql://user@host:port/db" for one that runs already',
        detail=f"looked for {', '.join(flavour.binaries)} in\n"
        + "\n".join(f"  {folder}" for folder in folders),
    )


def _version(flavour: Flavour, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(".")) if text else ()
    except ValueError:
        raise InputError(
            f"server.use = '{flavour.name}@{text}': {text!r} is not a version",
            hint=f"a version is numbers and dots, as many as matter: {flavour.name}@10.11, {flavour.name}@8",
        ) from None
