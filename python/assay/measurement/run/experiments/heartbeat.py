"""Measures how far replicas lag, by a row written at the source again and again and looked for at each
replica.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from statistics import fmean

from assay.base import clock
from assay.base.errors import AssayError, ServerError
from assay.design.folder import Trace
from assay.measurement.run.experiments.stage import Stage
from assay.system.server import Instance, quoted_name

TABLE = "assay_heartbeat"
BEAT_S = 0.1
LOOK_S = 0.01
"""Seconds between looks, which is the precision of a lag."""

_LATE_BEATS_S = 2.0


@dataclass
class Heartbeat:
    """Times of beats by number, in ns (`assay.base.clock`), which source and replicas share as they run
    on one machine.

    `sent` is taken just before the write is requested, `seen` (one for each replica) at the look that found
    it.
    """

    sent: dict[int, int] = field(default_factory=dict)
    seen: Sequence[dict[int, int]] = ()
    over: threading.Event = field(default_factory=threading.Event)
    writer: threading.Thread | None = None
    failure: BaseException | None = None

    def lags_ms(self, start_ns: int, end_ns: int) -> list[tuple[int, float]]:
        """Returns the lags of beats sent in this stretch: (when sent in ns, lag in ms).

        A lag lasts until the slowest replica shows the beat. A beat that some replica never showed is left
        out.
        """
        return [
            (sent, (max(seen[beat] for seen in self.seen) - sent) / 1e6)
            for beat, sent in sorted(self.sent.items())
            if start_ns <= sent < end_ns and all(beat in seen for seen in self.seen)
        ]

    def shown(self, replica: int, at_ns: int) -> int | None:
        """Returns when this replica had shown all beats sent until `at_ns`; None while it has not."""
        last = max((beat for beat, sent in list(self.sent.items()) if sent <= at_ns), default=None)
        return None if last is None else self.seen[replica].get(last)

    def stop(self) -> None:
        """Stops the beats; replicas are still read."""
        self.over.set()
        if self.writer is not None:
            self.writer.join()

    def require(self) -> None:
        """Raises the error that ended the beats early. It is not called where the source was killed on
        purpose.
        """
        if self.failure is not None:
            raise ServerError(f"the heartbeat at the source ended: {self.failure}") from self.failure

    def drain(self) -> None:
        """Waits a moment for the looks that find the last beats."""
        deadline = time.monotonic() + _LATE_BEATS_S
        while any(len(seen) < len(self.sent) for seen in self.seen) and time.monotonic() < deadline:
            time.sleep(LOOK_S)

    def trace(self, lags: Sequence[tuple[int, float]]) -> Trace:
        """Returns the lags as a trace for the time line."""
        return Trace(
            name="lag", unit="ms", at_wall_ns=[at for at, _ in lags], values=[value for _, value in lags]
        )


def seen_before(lags: Sequence[tuple[int, float]], at_ns: int) -> list[float]:
    """Returns the lags, in ms, of the beats that had arrived before `at_ns`; a beat sent just before a fault
    has the fault in its lag.
    """
    return [lag for sent, lag in lags if sent + lag * 1e6 < at_ns]


def note(seen: dict[int, int], newest: int, at_ns: int) -> None:
    """Records that a look found beat `newest`, and with it all earlier beats not seen yet."""
    beat = newest
    while beat > 0 and beat not in seen:
        seen[beat] = at_ns
        beat -= 1


@contextmanager
def beating(stage: Stage, replicas: Sequence[Instance]) -> Iterator[Heartbeat]:
    """Runs a writer at the source, and a reader at each replica that reconnects after a restart."""
    stage.ask(f"DROP TABLE IF EXISTS {TABLE}")
    stage.ask(
        f"CREATE TABLE {TABLE} (id INT NOT NULL PRIMARY KEY, beat BIGINT, sent_us BIGINT) ENGINE=InnoDB"
    )
    stage.ask(f"INSERT INTO {TABLE} VALUES (1, 0, 0)")
    heart = Heartbeat(seen=[{} for _ in replicas])
    away, place = threading.Event(), f"{quoted_name(stage.database)}.{TABLE}"

    def write() -> None:
        beat, due = 0, time.monotonic()
        try:
            with stage.connection() as connection:
                while not heart.over.is_set():
                    beat, due = beat + 1, max(due + BEAT_S, time.monotonic())
                    now = clock.wall_ns()
                    with connection.cursor() as cursor:
                        cursor.execute(
                            f"UPDATE {TABLE} SET beat = {beat}, sent_us = {now // 1000} WHERE id = 1"
                        )
                    heart.sent[beat] = now  # not before: one that the source refused was never sent
                    time.sleep(max(0.0, due - time.monotonic()))
        except AssayError as error:
            heart.failure = error

    def look(replica: Instance, seen: dict[int, int]) -> None:
        while not away.is_set():
            with suppress(AssayError), closing(replica.connect()) as connection:
                while not away.is_set():
                    with connection.cursor() as cursor:
                        cursor.execute(f"SELECT beat FROM {place}")
                        row = cursor.fetchone()
                    note(seen, int(row[0]) if row else 0, clock.wall_ns())
                    time.sleep(LOOK_S)
            time.sleep(LOOK_S)

    heart.writer = threading.Thread(target=write, name="heartbeat")
    readers = [
        threading.Thread(target=look, args=pair, name="lag")
        for pair in zip(replicas, heart.seen, strict=True)
    ]
    for thread in (heart.writer, *readers):
        thread.start()
    try:
        yield heart
    finally:
        away.set()
        heart.stop()
        for thread in readers:
            thread.join()


def lag_figures(steady: Sequence[float], whole: Sequence[float]) -> dict[str, float]:
    """Returns measures of the lags before the fault, and of all; a measure without lags is left out."""
    figures = {}
    if steady:
        figures["lag_mean_ms"] = fmean(steady)
    if whole:
        figures["lag_max_ms"] = max(whole)
    return figures
