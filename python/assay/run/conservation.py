"""Does the server count what the client counts? Statements are neither lost nor counted twice."""

from __future__ import annotations

from collections.abc import Mapping

from assay.folder import Counts, Event, Interval
from assay.folder.manifest import Doubted

TOLERANCE = 0.001
_OWN_PER_SECOND = 4  # statements of the status sampler, rounded up
_OWN = 20  # looking around before and after


class Conservation:
    """Adds up what one rung's client sent; compares it with the server's `Questions`."""

    def __init__(self) -> None:
        self._sent = 0
        self._rollbacks = 0
        self._seconds = 0.0

    def heard(self, event: Event) -> None:
        """Counts the intervals of every phase: the server counts warm-up and drain too."""
        if isinstance(event, Interval):
            self._sent += event.queries + sum(event.errors.values())
            self._rollbacks += _rollbacks(event)
            self._seconds += (event.end_ns - event.start_ns) / 1e9

    def doubt(self, before: Mapping[str, str], after: Mapping[str, str], rung: str) -> Doubted | None:
        """A doubt when the counts differ by more than `TOLERANCE` and what the lab itself asked."""
        counted = int(after["Questions"]) - int(before["Questions"])
        slack = self._sent * TOLERANCE
        most = self._sent + self._rollbacks + _OWN + _OWN_PER_SECOND * self._seconds + slack
        if self._sent - slack <= counted <= most:
            return None
        whose = "some were lost" if counted < self._sent else "somebody else uses this server"
        return Doubted(
            kind="conservation",
            message=f"the client sent {self._sent:,} statements, the server counted {counted:,}: {whose}",
            value=abs(counted - self._sent) / max(self._sent, 1),
            limit=TOLERANCE,
            rung=rung,
        )


def _rollbacks(counts: Counts) -> int:
    """After an error the engine sends a ROLLBACK that belongs to no transaction's count."""
    return sum(counts.errors.values())
