"""Watches whether the source waits for its replicas, which it stops and resumes by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from assay.base.errors import AssayError
from assay.measurement.run.experiments.replicas import Replicas
from assay.system.server import Connection

LOOK_S = 0.02
"""Seconds between looks, which is the precision of a change's time."""


@dataclass
class Waiting:
    """The times at which a source began or stopped to wait for replicas; none for asynchronous
    replication.
    """

    replicas: Replicas
    changes: list[tuple[int, bool]] = field(default_factory=list)  # when; does it wait now?
    _missed_before: int | None = None

    def turned(self, to: bool, *, after_ns: int, within_s: float = 0.0) -> int | None:
        """Returns when waiting first became `to` after an instant; waits for it up to `within_s`. None when
        it did not.
        """
        deadline = time.monotonic() + within_s
        while True:
            found = next((at for at, waits in list(self.changes) if at >= after_ns and waits is to), None)
            if found is not None or time.monotonic() > deadline:
                return found
            self.replicas.stage.interrupts.raise_if_requested()
            time.sleep(LOOK_S)

    def unacknowledged(self) -> dict[str, float]:
        """Returns the commits of the watched time that no replica acknowledged in time, as the source counts
        them.
        """
        if self._missed_before is None:
            return {}
        with self.replicas.stage.connection() as source:
            missed = self.replicas.says.unacknowledged(source) - self._missed_before
        return {"unacknowledged_commits": float(missed)}

    def begin(self, source: Connection) -> None:
        """Starts the count of unacknowledged commits."""
        self._missed_before = self.replicas.says.unacknowledged(source)

    def look(self, source: Connection, before: bool) -> bool:
        """Records a change on the time line; returns whether the source waits now."""
        waits, _ = self.replicas.says.semi_sync_in_force(source)
        if waits is not before:
            at = self.replicas.stage.moment("returned" if waits else "fell back")
            self.changes.append((at, waits))
        return waits


@contextmanager
def released(replicas: Replicas) -> Iterator[None]:
    """Lets no commit wait any longer when the block fails or is interrupted.

    Ledger, beats and load end only when their commits do, and a commit waits for an absent replica up to the
    study's `timeout_ms`.
    """
    try:
        yield
    except BaseException:
        if replicas.waits:
            with suppress(AssayError), replicas.stage.connection() as source:  # it may have gone
                replicas.says.semi_sync_off(source)
        raise


@contextmanager
def watched(replicas: Replicas) -> Iterator[Waiting]:
    """Watches the source until the block ends or the source goes away."""
    waiting, over = Waiting(replicas), threading.Event()
    if not replicas.waits:
        yield waiting
        return
    with replicas.stage.connection() as source:
        waiting.begin(source)

    def look() -> None:
        with suppress(AssayError), replicas.stage.connection() as source:
            waits = True
            while not over.wait(LOOK_S):
                waits = waiting.look(source, waits)

    thread = threading.Thread(target=look, name="semi-sync")
    thread.start()
    try:
        yield waiting
    finally:
        over.set()
        thread.join()
