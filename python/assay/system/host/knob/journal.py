"""The journal of changed settings: a setting's old value is on disk before the setting is changed.

One lab process at a time changes settings of the machine: it holds the lock, and so does every program that
it starts to do this. Whoever gets the lock first restores what the journal still lists, since its writer was
killed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from assay.base.durable import sync_directory, write_whole
from assay.base.errors import ConflictError, HostError
from assay.base.locks import take
from assay.base.privileges import REFUSED, PrivilegeError, refused
from assay.system.host.program import hold, let_go


def notes_folder() -> Path:
    """Returns the folder of the journal: `$ASSAY_KNOBS`, or else `/var/lib/assay/knobs`.

    It belongs to the machine and not to an ASSAY_HOME, so that a command with another home restores settings
    too.
    """
    return Path(os.environ.get("ASSAY_KNOBS") or "/var/lib/assay/knobs")


_PATIENCE_S = 90.0
"""Seconds to wait for the lock: longer than any program that changes a setting may take."""
_POLL_S = 0.02


@dataclass(frozen=True)
class Note:
    """The value of one knob at one target before it was changed."""

    knob: str
    target: str
    was: str
    boot: str
    """The boot (boot id) for which the note holds; empty: any."""
    identity: str = ""
    """The identity of the target's device, as `Knob.identity` returns it; empty: unknown."""
    wrote: str | None = None
    """The value in force after all settings were written; None: unknown, so that any value found is
    restored.
    """


class Journal:
    """A file of notes, one JSON object a line, with a lock beside it that ends with its process."""

    def __init__(self, place: Path | None = None) -> None:
        place = place or notes_folder()
        self.path = place / "journal"
        self._lock_path = place / "lock"
        self._lock: int | None = None

    def take(self) -> None:
        """Takes the lock. Raises ConflictError, which names the holder, or HostError where this user may not
        take it.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            what = f"the journal of changed settings in {self.path.parent}"
            if error.errno in REFUSED:
                raise PrivilegeError(
                    what, refused("settings", f"the kernel says: {error.strerror}")
                ) from None
            raise HostError(f"cannot write {what}: {error.strerror}") from None
        deadline = time.monotonic() + _PATIENCE_S
        while not take(lock):
            owner = os.pread(lock, 32, 0).decode(errors="replace").strip()
            # Its process has gone: a program that it started is still at work.
            if not Path(f"/proc/{owner}").exists() and time.monotonic() < deadline:
                time.sleep(_POLL_S)
                continue
            os.close(lock)
            raise ConflictError(
                f"cannot change settings of this machine: process {owner or '?'} has changed some, and will"
                " restore them",
                hint="wait for it to end: two studies cannot change the same machine at once",
            )
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        self._lock = lock
        hold(lock)

    def release(self) -> None:
        if self._lock is not None:
            let_go(self._lock)
            os.close(self._lock)
            self._lock = None

    def add(self, notes: Iterable[Note]) -> None:
        """Appends notes, which are durable when this returns; the machine may be changed only after that."""
        new = not self.path.exists()
        with self.path.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(asdict(note)) + "\n" for note in notes)
            out.flush()
            os.fsync(out.fileno())
        if new:
            sync_directory(self.path.parent)

    def notes(self) -> list[Note]:
        """Returns the notes in the order of writing. A line that a kill cut off is left out: its setting was
        never changed.
        """
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                found.append(Note(**json.loads(line)))
            except (ValueError, TypeError):
                continue
        return found

    def keep(self, notes: list[Note]) -> None:
        """Replaces the journal's notes with these; with none, the file is removed."""
        if not notes:
            self.path.unlink(missing_ok=True)
            sync_directory(self.path.parent)
        else:
            # Even when these are all that can be read: the next note must not join a line that was cut off.
            write_whole(self.path, "".join(json.dumps(asdict(note)) + "\n" for note in notes).encode())
