"""Private directories, each of one lab process: removed with it, or by the next lab's sweep."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.base.home import home
from assay.system.host import sign
from assay.system.host.volume import Volume, VolumeSpec, make_volume
from assay.system.server.process.alive import ProcessId
from assay.system.server.process.external_resources import PREFIX, note, remove_external
from assay.system.server.process.program import mark, marked, require_reachable, server_account
from assay.system.server.release.unpacked import sweep_partial
from assay.system.server.resources.client_network import ClientNetwork, make_network
from assay.system.server.resources.control_group import find_cgroup_parent
from assay.system.server.resources.memory_group import MemoryGroup, make_group
from assay.system.server.resources.quota_group import QuotaGroup, make_quota_group

RECORDS = "records"
"""The directory of records under the home: one folder a private server."""

LONGEST_SOCKET = 99  # bytes; sun_path holds 107, and servers add suffixes
_count = itertools.count(1)
_ours: set[Path] = set()


class PrivateDir:
    """A new directory under `home()/instances/`, owned by the user that servers run as, closed to others.

    Its name is `<pid>-<start time>-<number>` of the lab process, which identifies the owner as soon as it
    exists. `records` is a directory beside it that the lab keeps for itself, out of reach of the server's
    user: what later labs believe, what they write as root, and what nobody else may change. Copies that must
    not outlive a run (a restored data directory) belong in a private directory too.
    """

    def __init__(self) -> None:
        me = ProcessId.of(os.getpid())
        assert me is not None
        instances = home() / "instances"
        instances.mkdir(parents=True, exist_ok=True)
        require_reachable(instances / "x", "the directory for private servers")
        (home() / RECORDS).mkdir(exist_ok=True)
        require_reachable(home() / RECORDS / "x", "the directory for their records")
        self.path = instances / f"{me.pid}-{me.start_ticks}-{next(_count)}"
        self.records = _records_of(self.path)
        self.records.mkdir()
        self.records.chmod(0o711)  # whatever the umask: the server finds its options there
        self.path.mkdir(mode=0o700)
        self._volumes: list[Path] = []
        _ours.add(self.path)
        self.own(self.path)

    @staticmethod
    def own(path: Path) -> Path:
        """Gives one path to the user that servers run as, and returns it."""
        account = server_account()
        if account:
            os.chown(path, account.uid, account.gid, follow_symlinks=False)
        return path

    @property
    def record(self) -> Path:
        """The file, written by the launcher, that says which server runs from this directory."""
        return self.records / "server.json"

    def socket(self) -> Path:
        """Returns a path for a socket that is short enough for the kernel."""
        near = self.path / "s.sock"
        if len(os.fsencode(near)) <= LONGEST_SOCKET:
            return near
        # A name that others cannot take before us.
        return self.elsewhere(Path(tempfile.gettempdir()), secrets.token_hex(8)) / "s.sock"

    @property
    def name(self) -> str:
        """The name of resources that belong to this directory and lie outside it.

        It identifies the lab process that made them.
        """
        return PREFIX + self.path.name

    def elsewhere(self, parent: Path, what: str = "") -> Path:
        """Makes a new directory under `parent` that has the same owner as this one and is removed with it."""
        path = parent.absolute() / (f"{self.name}-{what}" if what else self.name)
        if parent not in self._volumes:  # it goes with the volume, whose device may have failed
            note(self.records, "directory", str(path))
        path.mkdir(mode=0o700)
        return self.own(path)

    def memory_group(self, limit_bytes: int) -> MemoryGroup:
        """Makes a control group with this memory limit, which is removed with this directory."""
        parent = find_cgroup_parent()
        note(self.records, "group", str(parent.folder / self.name))
        return make_group(self.name, limit_bytes, parent)

    def quota_group(self, processors: float) -> QuotaGroup:
        """Makes a control group with this quota of processor time, which is removed with this directory."""
        parent = find_cgroup_parent(controller="cpu")
        note(self.records, "group", str(parent.folder / self.name))
        return make_quota_group(self.name, processors, parent)

    def volume(self, spec: VolumeSpec, parent: Path) -> Volume:
        """Makes a volume with its devices' files under `parent`, which is removed with this directory."""
        sign(mark())  # of a program that was started when this process was killed: nothing is swept before it
        folder = self.elsewhere(parent.resolve(), "volume")  # as the kernel shows it
        if os.geteuid() == 0:
            os.chown(folder, 0, 0)
            folder.chmod(0o711)  # others pass through, and see nothing
        volume = make_volume(spec, folder, lambda kind, name: note(self.records, kind, name))
        self._volumes.append(volume.point)
        return volume

    def client_network(self, delay_ms: float) -> ClientNetwork:
        """Makes a network for the client, which is removed with this directory."""
        return make_network(
            self.name,
            int(self.path.name.rpartition("-")[2]),
            delay_ms,
            lambda kind, name: note(self.records, kind, name),
        )

    def remove(self) -> None:
        if _remove(self.path):
            _ours.discard(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.remove()


def sweep_dead(*, patience_s: float = 20.0) -> list[str]:
    """Stops the processes and removes the directories of dead lab processes; returns a line for each thing
    done.
    """
    done = []
    orphans = list(_orphans())
    for path in orphans:
        server = _recorded_server(_records_of(path) / "server.json")
        if server is not None and server.alive():
            server.stop(patience_s=patience_s)
            done.append(f"stopped server {server.pid} of a lab process that has gone")
    for process in marked(home(), _is_dead):
        process.stop(patience_s=0.0)
        done.append(f"stopped process {process.pid} of a lab process that has gone")
    for path in orphans:
        if _remove(path):
            done.append(f"removed {path}")
    return done + sweep_partial()


def _is_dead(mark: str) -> bool:
    """Returns whether the lab process `<pid>-<start time>` has ended."""
    pid, _, ticks = mark.partition("-")
    return pid.isdigit() and ticks.isdigit() and not ProcessId(int(pid), int(ticks)).alive()


def _orphans() -> Iterator[Path]:
    instances = home() / "instances"
    names = {path.name for folder in (instances, _records_of(instances).parent) for path in _entries(folder)}
    for name in sorted(names):
        owner, _, number = name.rpartition("-")
        if number.isdigit() and _is_dead(owner):
            yield instances / name


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _records_of(path: Path) -> Path:
    return home() / RECORDS / path.name


def _recorded_server(record: Path) -> ProcessId | None:
    try:
        entry = json.loads(record.read_text())
        return ProcessId(entry["pid"], entry["start_ticks"])
    except (OSError, ValueError, KeyError):
        return None  # no server was started from it, or the launcher died writing this and started none


def _remove(path: Path) -> bool:
    """Removes a private directory and its resources outside; returns whether all have gone.

    Its notes stay until then, so that the next sweep tries again.
    """
    all_gone = remove_external(_records_of(path))
    shutil.rmtree(path, ignore_errors=True)
    if all_gone:
        shutil.rmtree(_records_of(path), ignore_errors=True)
    return all_gone


@atexit.register
def _remove_all() -> None:
    """Removes this process's private directories at exit, after the servers have stopped."""
    for path in list(_ours):
        if path.name.startswith(f"{os.getpid()}-"):  # a forked child must leave its parent's alone
            _remove(path)
