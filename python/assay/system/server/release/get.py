"""Carries out `assay server get`: unpacks a release of the catalogue, or a tarball, once into
`home()/servers/`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from assay.base.errors import HostError, InputError
from assay.system.server.data.space import require_space
from assay.system.server.flavour import Flavour, Release, Source, Tarball, flavour_named, this_machine
from assay.system.server.process.program import require_reachable
from assay.system.server.release.archive import is_named_archive, single_folder, unpack
from assay.system.server.release.build import Build, read_build
from assay.system.server.release.client import fetch, require_client
from assay.system.server.release.elf import read_making
from assay.system.server.release.unpacked import (
    MANIFEST,
    TREE,
    ServerManifest,
    find_unpacked,
    lock,
    manifest_of,
    new_partial,
    servers_dir,
    sweep_partial,
)
from assay.system.server.release.use import parse_use

_NEEDED_BYTES = 1 << 30  # archive, unpacked archive, and what is kept of it, of the largest release
_IN_TARBALL = (
    "bin/mariadbd",
    "bin/mysqld",
    "sbin/mariadbd",
    "sbin/mysqld",
    "libexec/mysqld",
    "usr/sbin/mariadbd",
    "usr/sbin/mysqld",
)

Step = Callable[[str], None]


def get_release(use: str, step: Step = lambda _: None, progress: Step = lambda _: None) -> Build:
    """Returns the build of `mysql@5.6` or of a tarball's path, after fetching and unpacking it where needed.

    `step` is called with what is being done, `progress` often with how far that is. Of two processes that ask
    at once, the second waits for the first one's. Raises InputError for what the catalogue does not know,
    Raises HostError when it cannot be fetched or run here.
    """
    if "/" in use or is_named_archive(use):
        return _from_tarball(Path(use.removeprefix("path:")), step)
    flavour, wanted = parse_use(use)
    here = find_unpacked(flavour.name, wanted)
    if here:
        return here[1].build(here[0])
    release = flavour.release(wanted)
    if release is None:
        raise InputError(
            f"{use} is not in the catalogue; {flavour.catalogue_here()}",
            hint='another version: unpack a vendor\'s tarball with "assay server get FILE.tar.gz"',
        )
    return _locked(flavour, release, step, progress)


def _locked(flavour: Flavour, release: Release, step: Step, progress: Step) -> Build:
    name = f"{flavour.name}-{release.number}"
    _require_machine(flavour, release)
    release = release.on(this_machine())
    with lock(name, lambda: step(f"another assay is fetching {name}; waiting for it")):
        here = find_unpacked(flavour.name, release.version)
        return here[1].build(here[0]) if here else _make(name, release, flavour, step, progress)


def require_fetchable(flavour: Flavour, release: Release) -> None:
    """Raises HostError where a release is for another machine, or its package client is not installed."""
    _require_machine(flavour, release)
    require_client(release.source)


def _require_machine(flavour: Flavour, release: Release) -> None:
    if this_machine() not in release.machines:
        raise HostError(
            f"{flavour.title} {release.number} in the catalogue is for {' and '.join(release.machines)}, "
            f"this machine is {this_machine()}; {flavour.catalogue_here()}",
            hint="unpack a vendor's tarball for this machine: assay server get FILE.tar.gz",
        )


def _from_tarball(path: Path, step: Step) -> Build:
    if not path.expanduser().is_file():
        raise InputError(f"{path}: no such file", hint="give a vendor's tarball on this machine")
    file = path.expanduser().absolute()
    name = f"tarball-{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    with lock(name, lambda: step(f"another assay is unpacking {file.name}; waiting for it")):
        return _make(name, Release(version=(), source=Tarball(str(file)), mysqld=""), None, step, step)


def unpack_into(final: Path, file: Path, sha256: str, step: Step) -> Build:
    """Returns the build in a tarball of this content, unpacked in `final` unless it is there."""
    name = f"tarball-{sha256[:8]}"
    with lock(name, lambda: step(f"another assay is unpacking {file.name}; waiting for it")):
        if here := manifest_of(final):
            return here.build(final)
        release = Release(version=(), source=Tarball(str(file), sha256), mysqld="")
        return _make(name, release, None, step, step, final)


def _make(
    name: str,
    release: Release,
    flavour: Flavour | None,
    step: Step,
    progress: Step,
    final: Path | None = None,
) -> Build:
    """Fetches and unpacks a release in a temporary directory, and renames it into place: to `final`, or to
    the directory of its version.
    """
    sweep_partial()
    require_reachable(servers_dir() / "x", "the directory for servers")
    require_space(servers_dir(), _NEEDED_BYTES, f"unpacking {name}")
    partial = new_partial(name)
    try:
        require_client(release.source)
        what = f"fetching the {release.source}" + (f", {release.megabytes} MB" if release.megabytes else "")
        step(what)
        archives = fetch(release.source, partial / "fetched", lambda got: _so_far(what, got, progress))
        sums = {archive.name: _sha256(archive) for archive in archives}
        _require_sum(release.source, sums)
        step(f"unpacking {', '.join(sums)}" if len(sums) < 4 else f"unpacking {len(sums)} packages")
        ready = partial / "ready"
        ready.mkdir()
        ready.chmod(0o755)
        unpack(archives, release.parts, ready / TREE, partial)
        if not release.mysqld:
            release = _look_into(release, ready / TREE)
        manifest = _manifest(release, ready, sums)
        _require_version(manifest, release, flavour)
        (ready / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2))
        final = final or servers_dir() / f"{manifest.flavour}-{manifest.version}"
        _put(ready, final, partial)
        return manifest.build(final)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _so_far(what: str, got: int, progress: Step) -> None:
    if got >= 1e5:
        progress(f"{what}: {got / 1e6:.1f} MB fetched")


def _manifest(release: Release, ready: Path, sums: dict[str, str]) -> ServerManifest:
    """Returns the manifest of an unpacked release, from the binary itself. Raises HostError when it does not
    run on this machine.
    """
    tree = ready / TREE
    build = read_build(
        tree / release.mysqld,
        tree / release.basedir,
        tuple(tree / library for library in release.libraries),
        None if release.loader is None else tree / release.loader,
    )
    making, messages = read_making(build.mysqld), build.messages_dir
    return ServerManifest(
        flavour=build.flavour_name,
        version=build.version_number,
        version_text=build.version_text,
        source=str(release.source),
        archives=sums,
        binary=str(build.mysqld.relative_to(tree.resolve())),
        binary_sha256=build.sha256,
        basedir=release.basedir,
        libraries=release.libraries,
        loader=release.loader,
        messages=None if messages is None else str(messages.relative_to(tree.resolve())),
        build_id=making.build_id,
        compiler=making.compiler,
        allocator=making.allocator,
    )


def _require_sum(source: Source, sums: dict[str, str]) -> None:
    wanted = getattr(source, "sha256", None)
    for name, have in sums.items():
        if wanted and have != wanted:
            raise HostError(
                f"{name} is not what the catalogue describes: its SHA-256 is {have}, not {wanted}",
                hint="do not use it: the archive was changed, or damaged on its way",
            )


def _require_version(manifest: ServerManifest, release: Release, flavour: Flavour | None) -> None:
    if flavour is None:
        return
    if manifest.flavour != flavour.name or manifest.numbers[: len(release.version)] != release.version:
        raise HostError(
            f"the {release.source} hold {flavour_named(manifest.flavour).title} {manifest.version}, "
            f"not {flavour.title} {release.number}",
            hint="this distribution has another version; unpack a vendor's tarball of the one you want",
        )


def _look_into(release: Release, tree: Path) -> Release:
    """Returns the paths in a vendor's tarball, which has one directory at the top with bin/ or sbin/ in
    it.
    """
    top = single_folder(tree)
    for binary in _IN_TARBALL:
        if (top / binary).is_file():
            base = top / Path(binary).parent.parent
            return Release(
                version=(),
                source=release.source,
                basedir=str(base.relative_to(tree)),
                mysqld=str((top / binary).relative_to(tree)),
                libraries=tuple(
                    str((top / name).relative_to(tree)) for name in ("lib/private",) if (top / name).is_dir()
                ),
            )
    raise HostError(f"{release.source} holds no server", detail="looked for\n  " + "\n  ".join(_IN_TARBALL))


def _put(ready: Path, final: Path, partial: Path) -> None:
    """Renames an unpacked release to its place; an older copy of the version is removed first."""
    final.parent.mkdir(mode=0o755, exist_ok=True)
    if final.exists():
        os.rename(final, tempfile.mkdtemp(dir=partial))  # noqa: PTH104
    os.rename(ready, final)  # noqa: PTH104 - atomic, both on one file system


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
