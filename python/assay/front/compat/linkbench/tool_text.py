"""Prints the text of LinkBench's driver, for parsers that know it.

The form is that program's; its arithmetic is corrected: operations are those that succeeded in the window,
and percentiles are nearest ranks. Its lines for each thread are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from assay.design.folder import ActionResult, Event, Interval, KindTally, PhaseStart, RunResult
from assay.front.compat.linkbench.latencies import KINDS, PERCENTILES, decimal, latencies_of

REQUESTS, MAXTIME_S, PROGRESS = 500_000, 100_000, 10_000
"""Defaults of the original's files: requests of a requester, seconds, operations from line to line."""


@dataclass(frozen=True)
class TextSettings:
    """Settings that the text repeats. `events` and `time_s` 0: without that limit. `files`: the properties;
    `nodes`: the nodes that a load makes, maxid1 - startid1.
    """

    files: tuple[Path, ...]
    seed_key: str
    seed: int
    seed_chosen: bool
    connections: int
    events: int
    time_s: float
    progress: int
    nodes: int


class ToolText:
    """Passes lines of text to `write` as the engine's events come."""

    def __init__(
        self,
        settings: TextSettings,
        write: Callable[[str], object],
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._settings = settings
        self._write = write
        self._now = now
        self._told = False
        self._done = 0
        self._begun_ns = 0

    def __call__(self, event: Event) -> None:
        """Takes in one event; before the first one it writes the opening lines."""
        if not self._told:
            self._told = True
            self._begin()
        match event:
            case PhaseStart(phase="measure"):
                self._begun_ns = event.start_ns
            case Interval(phase="measure"):
                self._interval(event)
            case RunResult():
                self._end(event)
            case ActionResult(action="prepare"):
                self._loaded(event)
            case _:
                pass

    def _begin(self) -> None:
        settings = self._settings
        for title, path in zip(("Config file", "Workload config file"), settings.files, strict=False):
            self._say(f"{title}: {path}")
        self._say(
            f"Using configured random seed {settings.seed_key}={settings.seed}"
            if settings.seed_chosen
            else f"Using random seed {settings.seed} since {settings.seed_key} not specified"
        )

    def _interval(self, interval: Interval) -> None:
        """Writes a line when the operations have passed another multiple of the step, or their total."""
        before, self._done = self._done, self._done + interval.transactions
        total = self._settings.events or REQUESTS * self._settings.connections
        step = self._settings.progress
        if self._done // step == before // step and not (before < total <= self._done):
            return
        seconds = (interval.end_ns - self._begun_ns) / 1e9
        limit = round(self._settings.time_s) or MAXTIME_S
        rate = self._done / seconds if seconds > 0 else 0.0
        self._say(
            f"{self._done}/{total} requests finished: {100 * self._done / total:.1f}% complete"
            f" at {rate:.1f} ops/sec {seconds:.1f}/{limit} secs elapsed:"
            f" {100 * seconds / limit:.1f}% of time limit used"
        )

    def _end(self, result: RunResult) -> None:
        for name in KINDS:
            found = latencies_of(result.kinds.get(name, KindTally()))
            if found is None:
                continue
            bounds = "".join(
                f" p{percentile} = [{decimal(low, 2)},{decimal(high, 2)}]ms "
                for percentile, (low, high) in zip(PERCENTILES, found.bounds, strict=True)
            )
            tail = f" max = {decimal(found.max_ms, 3)}ms  mean = {decimal(found.mean_ms, 3)}ms"
            self._say(f"{name.upper()} count = {found.count} {bounds}{tail}")
        done, seconds = result.transactions, result.elapsed_s
        rate = int(done / seconds) if seconds > 0 else 0
        self._say(
            f"REQUEST PHASE COMPLETED. {done} requests done in {int(seconds)} seconds."
            f" Requests/second = {rate}"
        )

    def _loaded(self, done: ActionResult) -> None:
        nodes, links = (done.rows_by_table.get(table, 0) for table in ("nodetable", "linktable"))
        per_node = links / nodes if nodes else 0.0
        rate = round(links / done.elapsed_s) if done.elapsed_s > 0 else 0
        self._say(
            f"LOAD PHASE COMPLETED.  Loaded {nodes} nodes (Expected {self._settings.nodes})."
            f" Loaded {links} links ({per_node:.2f} links per node). "
            f" Took {done.elapsed_s:.1f} seconds.  Links/second = {rate}"
        )

    def _say(self, text: str) -> None:
        now = self._now()
        self._write(f"INFO {now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d} [main]: {text}\n")
