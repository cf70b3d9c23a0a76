"""Takes samples once a second at a fixed phase, each source in its own thread and into its own file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base import clock
from assay.base.errors import ServerLost
from assay.design.folder import Sample
from assay.system.host.sampler.source import Source

_SECOND_NS = 1_000_000_000
PHASE_NS = 250_000_000  # within the second of the wall clock: away from where cron and other samplers act
APART_NS = 10_000_000  # from one source to the next, so that they do not wait for each other
_JOIN_S = 10.0


@dataclass(frozen=True)
class SourceReport:
    """Statistics of one source: readings taken and missed, the cost of one, and the first error."""

    source: str
    readings: int
    missed: int
    mean_cost_us: float
    mean_cpu_us: float  # of it on a processor; what a reading makes others do is not in it
    error: str | None


class SamplerSet:
    """A set of samplers, each in a thread of its own, so that a stalled server does not stop the host's
    readings.

    `path_for` says where the lines of a source go; files are appended to and flushed line by line. A reading
    that fails or comes a second late is a gap. Nothing that a source does ends the run: see `reports()`.
    """

    def __init__(self, sources: Sequence[Source], path_for: Callable[[str], Path]) -> None:
        self._readers = [
            _Reader(source, path_for(source.name), PHASE_NS + number * APART_NS)
            for number, source in enumerate(sources)
        ]
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        for reader in self._readers:
            thread = threading.Thread(target=reader.run, name=f"sampler-{reader.source.name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Stops all samplers after the reading under way, waiting for at most 10 s."""
        for reader in self._readers:
            reader.over.set()
        deadline = time.monotonic() + _JOIN_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._threads.clear()

    def reports(self) -> list[SourceReport]:
        """Returns a report for each source, in the order given."""
        return [reader.report() for reader in self._readers]


class _Reader:
    def __init__(self, source: Source, path: Path, phase_ns: int) -> None:
        self.source = source
        self.over = threading.Event()
        self._path = path
        self._phase_ns = phase_ns
        self._readings = 0
        self._missed = 0
        self._cost_us = 0.0
        self._cpu_us = 0.0
        self._error: str | None = None

    def report(self) -> SourceReport:
        count = self._readings or 1
        cost_us, cpu_us = self._cost_us / count, self._cpu_us / count
        return SourceReport(self.source.name, self._readings, self._missed, cost_us, cpu_us, self._error)

    def run(self) -> None:
        """Takes readings until told to stop; a file that cannot be written, as on a full disk, ends the
        source.
        """
        try:
            self._read_and_write()
        except OSError as error:
            self._missed += 1
            self._error = self._error or f"{error.strerror or error} ({self._path.name})"

    def _read_and_write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        encoder = msgspec.json.Encoder()
        with self._path.open("ab") as out:
            due_ns = self._next_due_ns()
            while not self.over.wait(max(0, due_ns - clock.wall_ns()) / _SECOND_NS):
                try:
                    sample = self._sample(due_ns)
                except ServerLost:
                    return
                if sample is not None:
                    out.write(encoder.encode(sample) + b"\n")
                    out.flush()
                following = self._next_due_ns()
                self._missed += max(0, (following - due_ns) // _SECOND_NS - 1)
                due_ns = following

    def _sample(self, due_ns: int) -> Sample | None:
        started, on_cpu = time.perf_counter_ns(), time.thread_time_ns()
        wall_ns = clock.wall_ns()
        try:
            values = self.source.read()
        except ServerLost:
            raise
        except Exception as error:  # whatever a source does, the run goes on
            self._missed += 1
            self._error = self._error or f"{type(error).__name__}: {error}"
            return None
        cost_us = (time.perf_counter_ns() - started) / 1000
        self._readings += 1
        self._cost_us += cost_us
        self._cpu_us += (time.thread_time_ns() - on_cpu) / 1000
        # Values are of somewhere within the reading: its middle is the best guess at when.
        return Sample(
            wall_ns=wall_ns + int(cost_us * 500),
            values=values,
            cost_us=round(cost_us, 1),
            late_us=round((wall_ns - due_ns) / 1000, 1),
        )

    def _next_due_ns(self) -> int:
        """Returns the next moment of the phase that is later than now."""
        return ((clock.wall_ns() - self._phase_ns) // _SECOND_NS + 1) * _SECOND_NS + self._phase_ns
