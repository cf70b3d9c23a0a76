"""Shows how many bytes of files have been handled: a bar on a terminal, a line at every tenth elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

_QUICK_S = 2.0


class ByteDisplay:
    """Shows counts of bytes: enter it, call `add` with counts, leave it. It prints no line within the first
    two seconds.
    """

    def __init__(self, console: Console, what: str, total: int | None) -> None:
        self._console, self._what, self._total = console, what, total
        self._done = 0
        self._tenth = 0
        self._began = time.monotonic()
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bars.add_task(what, total=total)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def add(self, count: int) -> None:
        """Adds bytes that were handled since the last call."""
        self._done += count
        if self._console.is_terminal:
            self._bars.advance(self._task, count)
        elif self._total and time.monotonic() - self._began > _QUICK_S:
            tenth = 10 * self._done // self._total
            if tenth > self._tenth:
                self._tenth = tenth
                self._console.print(f"{self._what}: {10 * tenth} % of {self._total:,} bytes")
