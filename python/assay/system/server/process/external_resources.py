"""Notes what a private directory owns outside itself, before it is made, and removes it with the
directory.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError
from assay.system.host import Machine, mounts
from assay.system.host.volume import array, file_system, loop
from assay.system.server.resources.client_network import (
    is_link,
    is_namespace,
    link_name,
    remove_link,
    remove_namespace,
)
from assay.system.server.resources.control_group import is_group, remove_group

Kind = Literal["directory", "group", "link", "namespace", "loop", "array", "mount"]

NOTES = "outside"
"""Name of the file with the notes: one JSON list `[kind, name]` a line."""

PREFIX = "assay-"
"""The beginning of the names of external resources; the private directory's name follows."""


def note(records: Path, kind: Kind, name: str) -> None:
    """Notes a resource outside the private directory, which must be done before the resource is made.

    `records` is the private directory's directory of records, which has its name. A kill in between leaves a
    note without its resource, which does no harm.
    """
    with (records / NOTES).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps([kind, name]) + "\n")


def remove_external(records: Path) -> bool:
    """Removes every noted resource, the last first; returns whether all have gone. One that cannot be removed
    does not stop the others.

    Nothing is removed through a mount: a directory with one in it stays until the mount has gone. A resource
    whose name is not derived from this private directory is never removed, whatever the notes say.
    """
    all_gone = True
    for kind, name in reversed(list(_notes(records))):
        if not _its_own(records, kind, name):
            continue
        with contextlib.suppress(OSError, HostError):
            _REMOVE[kind](name)
        all_gone = all_gone and not _THERE[kind](name)
    return all_gone


def _its_own(private: Path, kind: str, name: str) -> bool:
    """Returns whether a resource's name is derived from this private directory."""
    own = PREFIX + private.name
    if kind in ("loop", "mount"):  # in a directory of this name: a file, and where something is mounted
        return _named(Path(name).parent, own)
    if kind == "array":
        return Path(name) == array.path_of(own)  # elsewhere it could be a link to anybody's
    if kind == "directory":
        return _named(Path(name), own)
    if kind == "group":
        return Path(name).name == own
    if kind == "namespace":
        return name == own
    pid, _, number = (*private.name.split("-"), "", "")[:3]
    return pid.isdigit() and number.isdigit() and name == link_name(int(pid), int(number))


def _named(path: Path, own: str) -> bool:
    return path.name == own or path.name.startswith(f"{own}-")


def _remove_directory(name: str) -> None:
    if not any(Path(one.point).is_relative_to(Path(name).resolve()) for one in mounts(Machine())):
        shutil.rmtree(name, ignore_errors=True)


def _remove_group(name: str) -> None:
    if is_group(Path(name)):  # else its list of members is anybody's, and they would be killed
        remove_group(Path(name))


_REMOVE: dict[str, Callable[[str], None]] = {
    "directory": _remove_directory,
    "group": _remove_group,
    "link": remove_link,
    "namespace": remove_namespace,
    "loop": lambda name: loop.detach(Path(name)),
    "array": lambda name: array.stop(Path(name)),
    "mount": lambda name: file_system.unmount(Path(name)),
}

_THERE: dict[str, Callable[[str], bool]] = {
    "directory": lambda name: Path(name).is_dir(),
    "group": lambda name: is_group(Path(name)),
    "link": is_link,
    "namespace": is_namespace,
    "loop": lambda name: bool(loop.devices_on(Path(name))),
    "array": lambda name: array.is_there(Path(name)),
    "mount": lambda name: file_system.is_mounted(Path(name)),
}


def _notes(records: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = (records / NOTES).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        with contextlib.suppress(ValueError):  # cut off by a kill: what it was to say was never made
            kind, name = json.loads(line)
            if kind in _REMOVE and isinstance(name, str):
                yield kind, name
