"""Serves the page of a study while it runs, by a process beside this one."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from assay.design.folder import Event, Failure, ResultsFolder

if TYPE_CHECKING:
    from assay.measurement.run import RunProgress


class WatchedProgress:
    """A `RunProgress` that passes everything on, and starts the page when the study begins.

    A page that cannot be started is noted, and the study goes on. `close` lets the page end.
    """

    def __init__(self, shown: RunProgress, folder: ResultsFolder) -> None:
        self._shown, self._folder = shown, folder
        self._page: subprocess.Popen[str] | None = None

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        if self._page is None:
            self._start()
        self._shown.begin(runs=runs, done=done, loading_s=loading_s, run_s=run_s, judging_s=judging_s)

    def run_started(self, run_id: str, number: int) -> None:
        self._shown.run_started(run_id, number)

    def step(self, what: str) -> None:
        self._shown.step(what)

    def event(self, event: Event) -> None:
        self._shown.event(event)

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        self._shown.run_finished(run_id, headline=headline, failure=failure)

    def note(self, message: str) -> None:
        self._shown.note(message)

    def end(self) -> None:
        self._shown.end()

    def close(self) -> None:
        """Lets the page end; it stays for some seconds, so that a browser can turn to the results."""
        if self._page is not None and self._page.stdin is not None:
            with suppress(OSError):
                self._page.stdin.close()

    def _start(self) -> None:
        self._page = subprocess.Popen(
            [sys.executable, "-m", "assay.front.web.live.watching", str(self._folder.path.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            process_group=0,  # a terminal's Ctrl-C is for the study alone
        )
        assert self._page.stdout is not None
        address = self._page.stdout.readline().strip()
        if address:
            self._shown.note(f"watch it at {address}")
        else:
            self._shown.note("! the page of this study could not be started; the study goes on without it")
