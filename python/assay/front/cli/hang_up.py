"""Handles SIGHUP, which comes when the terminal closes or a connection breaks: ends the work as SIGTERM
does.
"""

from __future__ import annotations

import contextlib
import signal
from types import FrameType, TracebackType

from assay.front.terminal import say

HUNG_UP = 129  # 128 + SIGHUP, as shells have it


class HangUp:
    """Handles the signal while it is entered, unless the parent process ignores it (nohup)."""

    def __init__(self) -> None:
        self.came = False
        self._taken = False

    def __enter__(self) -> HangUp:
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            signal.signal(signal.SIGHUP, self._handle)
            self._taken = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._taken:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def last_words(self) -> int:
        """Prints the reason, for a log; returns the exit code."""
        with contextlib.suppress(OSError, ValueError):
            say(
                "the terminal went away (SIGHUP): ended; finished runs are kept. For long studies: tmux, or"
                " nohup assay run … &",
                err=True,
            )
        return HUNG_UP

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        ending = signal.getsignal(signal.SIGTERM)  # of whoever has something to bring to its end
        if callable(ending):
            ending(number, frame)
        else:
            raise KeyboardInterrupt
