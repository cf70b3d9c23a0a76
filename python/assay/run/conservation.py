"""Does the server count what the client counts? Statements are neither lost nor counted twice."""

from __future__ import annotations

from collections.abc import Mapping

from assay.folder import Event, Hello, Interval
from assay.folder.manifest import Doubted

TOLERANCE = 0.001
_OWN_PER_SECOND = 4  # statements of the status sampler, rounded up
_OWN = 20  # looking around before and after
_PER_CONNECTION = 2  # to log in and out


class Conservation:
    """Adds up what one rung's client sent; compares it with the server's `Questions`."""

    def __init__(self) -> None:
        self._sent = 0
        self._around = 0.0  # statements that belong to no operation, at most

    def heard(self, event: Event) -> None:
        """Counts the intervals of every phase: the server counts warm-up and drain too."""
        if isinstance(event, Hello):
            self._around += _PER_CONNECTION * event.connections
        elif isinstance(event, Interval):
            failed = sum(event.errors.values())
            self._sent += event.queries + failed
            # Each failure is followed by a ROLLBACK that belongs to no transaction's count.
            self._around += failed + _PER_CONNECTION * event.reconnects
            self._around += _OWN_PER_SECOND * (event.end_ns - event.start_ns) / 1e9

    def doubt(self, before: Mapping[str, str], after: Mapping[str, str], rung: str) -> Doubted | None:
        """A doubt when the counts differ by more than `TOLERANCE` and what the lab itself asked."""
        counted = int(after["Questions"]) - int(before["Questions"])
        slack = self._sent * TOLERANCE
        if self._sent - slack <= counted <= self._sent + slack + self._around + _OWN:
            return None
        whose = "some were lost" if counted < self._sent else "somebody else uses this server"
        return Doubted(
            kind="conservation",
            message=f"the client sent {self._sent:,} statements, the server counted {counted:,}: {whose}",
            value=abs(counted - self._sent) / max(self._sent, 1),
            limit=TOLERANCE,
            rung=rung,
        )
