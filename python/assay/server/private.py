"""Private directories: they belong to one lab process and go with it, or by the next one's sweep."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.server.alive import ProcessId
from assay.server.home import home
from assay.server.process import require_reachable, server_account
from assay.server.unpacked import sweep_partial

LONGEST_SOCKET = 99  # bytes; sun_path holds 107, and servers add suffixes
_count = itertools.count(1)
_ours: set[Path] = set()


class PrivateDir:
    """A new directory under `home()/instances/`, owned by the user that servers run as, closed to others.

    Its name is `<pid>-<start time>-<number>` of the lab process: it says whose it is as soon as it exists.
    Copies that must not outlive a run (a restored data directory) belong in one too.
    """

    def __init__(self) -> None:
        me = ProcessId.of(os.getpid())
        assert me is not None
        instances = home() / "instances"
        instances.mkdir(parents=True, exist_ok=True)
        require_reachable(instances / "x", "the directory for private servers")
        self.path = instances / f"{me.pid}-{me.start_ticks}-{next(_count)}"
        self.path.mkdir(mode=0o700)
        _ours.add(self.path)
        self.own(self.path)

    @staticmethod
    def own(path: Path) -> Path:
        """Give one path to the user that servers run as."""
        account = server_account()
        if account:
            os.chown(path, account.uid, account.gid)
        return path

    @property
    def record(self) -> Path:
        """Which server runs from here; written by the launcher."""
        return self.path / "server.json"

    def socket(self) -> Path:
        """A path for a socket, short enough for the kernel."""
        near = self.path / "s.sock"
        if len(os.fsencode(near)) <= LONGEST_SOCKET:
            return near
        # Noted before it is used, so that the sweep finds it.
        far = self.own(Path(tempfile.mkdtemp(prefix="assay-")))
        (self.path / "socket-dir").write_text(str(far))
        return far / "s.sock"

    def remove(self) -> None:
        _remove(self.path)
        _ours.discard(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.remove()


def sweep_dead(*, patience_s: float = 20.0) -> list[str]:
    """Stop servers and remove directories of lab processes that are gone; a line for each thing done."""
    done = []
    for path in _orphans():
        server = _recorded_server(path / "server.json")
        if server is not None and server.alive():
            server.stop(patience_s=patience_s)
            done.append(f"stopped server {server.pid} of a lab process that has gone")
        _remove(path)
        done.append(f"removed {path}")
    return done + sweep_partial()


def _orphans() -> Iterator[Path]:
    instances = home() / "instances"
    if not instances.is_dir():
        return
    for path in sorted(instances.iterdir()):
        parts = path.name.split("-")
        if len(parts) == 3 and all(part.isdigit() for part in parts):
            owner = ProcessId(int(parts[0]), int(parts[1]))
            if not owner.alive():
                yield path


def _recorded_server(record: Path) -> ProcessId | None:
    try:
        entry = json.loads(record.read_text())
        return ProcessId(entry["pid"], entry["start_ticks"])
    except (OSError, ValueError, KeyError):
        return None  # no server was started from it, or the launcher died writing this and started none


def _remove(path: Path) -> None:
    noted = path / "socket-dir"
    if noted.is_file():
        shutil.rmtree(noted.read_text(), ignore_errors=True)
    shutil.rmtree(path, ignore_errors=True)


@atexit.register
def _remove_all() -> None:
    """Runs after the servers were stopped: what is registered first runs last, and they import this."""
    for path in list(_ours):
        if path.name.startswith(f"{os.getpid()}-"):  # a forked child must leave its parent's alone
            _remove(path)
