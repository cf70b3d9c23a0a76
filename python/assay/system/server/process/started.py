"""Records private servers that a person started by name: their keeper process, and where they listen.

A server belongs to the process that keeps it (in the background that is a process of its own), and its record
lies with those of that process's private directory, so that it is removed when the keeper ends, however it
ends.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from assay.base.errors import ConflictError, InputError
from assay.base.home import home
from assay.base.locks import locked
from assay.system.server.address import Address
from assay.system.server.process.alive import ProcessId
from assay.system.server.process.private import RECORDS, PrivateDir, sweep_dead
from assay.system.server.release.build import Build

_RECORD = "started.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Started(msgspec.Struct, frozen=True):
    """The record of a server that a person started by name. `state` is `starting` until the server takes
    connections; then `socket` and `pid` are set.

    `port` and `password_file` are set for a server that also listens on 127.0.0.1.
    """

    name: str
    flavour: str
    version: str
    keeper: int
    state: Literal["starting", "ready"] = "starting"
    pid: int | None = None
    socket: str | None = None
    port: int | None = None
    password_file: str | None = None

    @property
    def address(self) -> Address:
        """The address of root on the socket; only when the server is ready."""
        assert self.socket is not None, "still starting"
        return Address(user="root", socket=Path(self.socket))


def started() -> list[Started]:
    """Returns the recorded servers that run or are starting now, sorted by name."""
    return sorted((entry for entry, _ in _records()), key=lambda entry: entry.name)


def find_started(name: str | None) -> Started:
    """Returns the server of that name; without a name, the only one. Raises InputError, which lists the
    servers, when there is none.
    """
    running = started()
    if name is None and len(running) == 1:
        return running[0]
    for entry in running:
        if entry.name == name:
            return entry
    names = ", ".join(entry.name for entry in running)
    wrong = f"no server called {name} is running" if name else "several servers are running"
    if not running:
        called = f"no server called {name} is running" if name else "no server is running"
        raise InputError(f"{called}: none was started by name", hint="assay server start mysql@5.6")
    raise InputError(f"{wrong}; there are {names}", hint="give one of these names")


def claim(private: PrivateDir, name: str | None, build: Build) -> Started:
    """Takes a name for the server that will run in `private`. Raises ConflictError when it is taken.

    `name=None` makes a name of flavour and version: `mysql-5.6`, then `mysql-5.6-2`.
    """
    if name is not None and not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of a server",
            hint="use letters, digits, dots and dashes, as in shop-test-1",
        )
    with locked(home() / ".names.lock"):
        taken = {entry.name for entry in started()}
        if name in taken:
            raise ConflictError(
                f"a server called {name} is running already",
                hint=f"choose another --name, or: assay server stop {name}",
            )
        wanted = name or _free_name(build, taken)
        entry = Started(wanted, build.flavour_name, build.version_number, os.getpid())
        record(private, entry)
    return entry


def record(private: PrivateDir, entry: Started) -> None:
    """Writes the record of a server, complete or not at all."""
    new = private.records / f".{_RECORD}"
    new.write_bytes(msgspec.json.encode(entry))
    new.replace(private.records / _RECORD)


def stop_started(entry: Started, *, patience_s: float = 90.0) -> None:
    """Tells the keeper to stop its server and clean up; a keeper that does not is killed, and its things are
    removed.
    """
    for found, keeper in list(_records()):
        if (found.name, found.keeper) == (entry.name, entry.keeper):
            keeper.stop(patience_s=patience_s)
    sweep_dead()


def _free_name(build: Build, taken: set[str]) -> str:
    stem = f"{build.flavour_name}-{'.'.join(map(str, build.version[:2]))}"
    number = 1
    while (name := stem if number == 1 else f"{stem}-{number}") in taken:
        number += 1
    return name


def _records() -> Iterator[tuple[Started, ProcessId]]:
    for file in sorted((home() / RECORDS).glob(f"*/{_RECORD}")):
        pid, _, rest = file.parent.name.partition("-")
        ticks = rest.partition("-")[0]
        if not (pid.isdigit() and ticks.isdigit()):
            continue
        keeper = ProcessId(int(pid), int(ticks))
        with contextlib.suppress(OSError, msgspec.MsgspecError):  # it is just ending
            entry = msgspec.json.decode(file.read_bytes(), type=Started)
            if keeper.alive():
                yield entry, keeper
