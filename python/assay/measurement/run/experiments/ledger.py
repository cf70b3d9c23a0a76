"""Writers that record which commits the server acknowledged (a ledger), and compare them after a crash."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from assay.base import clock
from assay.base.errors import AssayError
from assay.measurement.run.experiments.stage import Stage

TABLE = "assay_ledger"
_STRIDE = 10_000_000
"""Numbers reserved for one writer; the negative of each is written and never committed."""


@dataclass
class Ledger:
    """The commits of the writers. Those in `sent` may exist after a crash or not: their answer was cut off.

    `commits` has, of each acknowledged one, its time on the wall clock and the milliseconds that it took.
    """

    acknowledged: set[int] = field(default_factory=set)
    sent: set[int] = field(default_factory=set)
    commits: list[tuple[int, float]] = field(default_factory=list)

    def compare(self, there: set[int]) -> tuple[int, int]:
        """Returns how many commits are acknowledged and missing, and how many are there and were never
        committed.
        """
        ghosts = {number for number in there if number < 0 or number not in self.acknowledged | self.sent}
        return len(self.acknowledged - there), len(ghosts)

    def commit_ms(self, start_ns: int, end_ns: int) -> list[float]:
        """Returns the milliseconds of the commits acknowledged in this stretch, shortest first."""
        return sorted(took for at, took in self.commits if start_ns <= at < end_ns)


@contextmanager
def writing(stage: Stage, writers: int, engine: str = "innodb") -> Iterator[Ledger]:
    """Runs the writers until the block ends or the server dies. `engine` is that of their table."""
    stage.ask(f"DROP TABLE IF EXISTS {TABLE}")
    stage.ask(f"CREATE TABLE {TABLE} (id BIGINT NOT NULL PRIMARY KEY) ENGINE={engine}")
    ledger, stop, lock = Ledger(), threading.Event(), threading.Lock()

    def write(writer: int) -> None:
        with suppress(AssayError), stage.connection() as connection:
            number = writer * _STRIDE
            while not stop.is_set():
                number += 1
                with connection.cursor() as cursor:
                    cursor.execute("START TRANSACTION")
                    cursor.execute(f"INSERT INTO {TABLE} VALUES ({-number})")
                    cursor.execute("ROLLBACK")
                    cursor.execute("START TRANSACTION")
                    cursor.execute(f"INSERT INTO {TABLE} VALUES ({number})")
                    with lock:
                        ledger.sent.add(number)
                    began = time.perf_counter()
                    cursor.execute("COMMIT")
                    took_ms = (time.perf_counter() - began) * 1e3
                    with lock:
                        ledger.commits.append((clock.wall_ns(), took_ms))
                        ledger.acknowledged.add(number)
                        ledger.sent.discard(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(1, writers + 1)]
    for thread in threads:
        thread.start()
    try:
        yield ledger
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def numbers_there(stage: Stage) -> set[int]:
    """Returns the commits that the server has."""
    return {number for (number,) in stage.ask(f"SELECT id FROM {TABLE}")}
