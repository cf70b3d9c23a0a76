"""Lists and removes unpacked releases, one directory each under `home()/servers/`."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from assay.base.errors import HostError
from assay.base.home import home
from assay.base.locks import take
from assay.system.server.flavour import Version
from assay.system.server.process.alive import ProcessId
from assay.system.server.release.build import Build

MANIFEST = "manifest.json"
TREE = "tree"


class ServerManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest of an unpacked release: its files, its source, and how it was made. Paths are under
    `tree/`.

    `archives` maps each fetched file to its SHA-256. `build_id`, `compiler` and `allocator` are read from the
    binary (empty where it does not say).
    """

    flavour: str
    version: str
    version_text: str
    source: str
    archives: Mapping[str, str]
    binary: str
    binary_sha256: str
    basedir: str
    libraries: tuple[str, ...] = ()
    loader: str | None = None
    messages: str | None = None
    build_id: str = ""
    compiler: str = ""
    allocator: str = "libc"

    @property
    def numbers(self) -> Version:
        return tuple(int(part) for part in self.version.split("."))

    def build(self, folder: Path) -> Build:
        """Returns the build in `folder`, the directory that holds this manifest."""
        tree = folder / TREE
        return Build(
            flavour_name=self.flavour,
            version=self.numbers,
            version_text=self.version_text,
            mysqld=tree / self.binary,
            basedir=(tree / self.basedir).resolve(),
            messages_dir=None if self.messages is None else tree / self.messages,
            libraries=tuple(tree / library for library in self.libraries),
            loader=None if self.loader is None else tree / self.loader,
        )


def servers_dir() -> Path:
    return home() / "servers"


def unpacked() -> list[tuple[Path, ServerManifest]]:
    """Returns every unpacked release, the newest version first. One whose manifest cannot be read is left
    out.
    """
    found = []
    for file in servers_dir().glob(f"[!.]*/{MANIFEST}"):
        if manifest := manifest_of(file.parent):
            found.append((file.parent, manifest))
    return sorted(found, key=lambda entry: entry[1].numbers, reverse=True)


def manifest_of(folder: Path) -> ServerManifest | None:
    """Returns the manifest of an unpacked release; None where there is none, or none that can be read."""
    with contextlib.suppress(msgspec.DecodeError, OSError):
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=ServerManifest)
    return None


def find_unpacked(flavour: str, wanted: Version) -> tuple[Path, ServerManifest] | None:
    """Returns the newest unpacked release of a flavour whose version begins with these numbers; None when
    there is none.
    """
    for folder, manifest in unpacked():
        if manifest.flavour == flavour and manifest.numbers[: len(wanted)] == wanted:
            return folder, manifest
    return None


def new_partial(name: str) -> Path:
    """Makes a directory to build a release in, whose name identifies the process, so that a sweep knows when
    that has died.
    """
    me = ProcessId.of(os.getpid())
    assert me is not None
    path = servers_dir() / f".partial-{me.pid}-{me.start_ticks}-{name}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    path.chmod(0o755)
    return path


def sweep_partial() -> list[str]:
    """Removes what dead processes were unpacking or removing; returns a line for each."""
    done = []
    for path in sorted(servers_dir().glob(".partial-*")):
        _, pid, ticks, *_ = path.name.split("-")
        if pid.isdigit() and ticks.isdigit() and not ProcessId(int(pid), int(ticks)).alive():
            shutil.rmtree(path, ignore_errors=True)
            done.append(f"removed {path}, which was never finished")
    return done


@contextlib.contextmanager
def lock(name: str, waiting: Callable[[], None]) -> Iterator[None]:
    """Lets one process at a time fetch a release; `waiting` is called when another process is fetching it."""
    servers_dir().mkdir(parents=True, exist_ok=True)
    with (servers_dir() / f".lock-{name}").open("w") as file:
        if not take(file):
            waiting()
            take(file, wait=True)
        yield


def remove(folder: Path) -> None:
    """Removes an unpacked release, by rename first. Raises HostError when a server runs from it."""
    if users := _running_from(folder):
        raise HostError(f"{folder.name} is in use by process {users[0]}", hint="stop that server first")
    going = new_partial(f"removed-{folder.name}")
    os.rename(folder, going / folder.name)  # noqa: PTH104 - atomic, both in one directory
    shutil.rmtree(going, ignore_errors=True)


def _running_from(folder: Path) -> list[int]:
    """Returns the processes that have a file of a release mapped: its binary, or its libraries when a loader
    started it.
    """
    users = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                if f"{folder.resolve()}/" in (process / "maps").read_text(errors="replace"):
                    users.append(int(process.name))
    return users
