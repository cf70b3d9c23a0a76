"""The source `waits`: what a server itself counts of its waits, statements and InnoDB."""

from __future__ import annotations

from contextlib import closing

from assay.design.folder import CountedWaits, ProfileSource, write_packed
from assay.measurement.run.profile.watcher import Stage, Unprepared, Watched
from assay.measurement.source import OwnServer
from assay.system.server import Connection, WaitCounter

_READ_TIMEOUT_S = 15.0
_UNCHANGED = (
    "only what was switched on already was counted:"
    " Assay changes no setting of a server that it has not started"
)
_SCHEMA_OFF = "performance_schema is off at this server, and only a start can switch it on"
"""InnoDB's metrics are read all the same."""
_SCHEMA_ON = (
    'set performance_schema = "ON" under [server.variables], for all treatments alike, since it costs time'
)


class Waits(Unprepared):
    """Lets the server itself count waits, statements and InnoDB's metrics, with everything switched on that
    its version has.
    """

    source = "waits"
    stage: Stage = "counting"

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._counted: CountedWaits | None = None

    def begin(self, watched: Watched) -> None:
        self._connection = watched.server.connect(read_timeout_s=_READ_TIMEOUT_S)
        self._counter = WaitCounter(self._connection, may_change=isinstance(watched.server, OwnServer))
        try:
            self._counter.begin()
        except BaseException:
            self._connection.close()
            raise

    def end(self) -> None:
        assert self._connection is not None, "begun"
        with closing(self._connection):
            self._counted = self._counter.end()

    def read(self, watched: Watched) -> ProfileSource:
        assert self._counted is not None, "ended"
        found, counter = self._counted, self._counter
        write_packed(watched.folder, self.source, found)
        notes = list(dict.fromkeys(counter.notes))
        if not counter.may_change:
            notes.append(_UNCHANGED)
        read = {
            "waits": len(found.waits),
            "stages": len(found.stages),
            "statements": len(found.statements),
            "metrics": len(found.metrics),
            "switched": counter.switched,
        }
        return ProfileSource(
            read={name: float(count) for name, count in read.items()},
            missing=None if counter.has_schema else _SCHEMA_OFF,
            remedy=None if counter.has_schema else _SCHEMA_ON,
            notes=notes,
        )
