"""Ctrl-C and SIGTERM: the first asks the engine to end its window early, the second ends it at once."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from assay.errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Takes both signals over while it is entered (in the main thread; elsewhere it does nothing).

    With an engine at work the first signal is passed on to it: it closes its window, reports what it has and
    ends. Without one, `Interrupted` is raised where the program stands. A second signal kills the engine.
    Signals that arrive while the stack unwinds are swallowed, so that no server is left behind.
    """

    def __init__(self) -> None:
        self.count = 0
        self._engine: subprocess.Popen[bytes] | None = None
        self._previous: dict[signal.Signals, Any] = {}

    @property
    def requested(self) -> bool:
        """Whether somebody wants this to end."""
        return self.count > 0

    def raise_if_requested(self) -> None:
        """Raises `Interrupted` once a signal came."""
        if self.requested:
            raise Interrupted("Interrupted.")

    @contextmanager
    def forwarded_to(self, engine: subprocess.Popen[bytes]) -> Iterator[None]:
        """Signals go to this engine as long as the block lasts."""
        self._engine = engine
        try:
            yield
        finally:
            self._engine = None

    def end_window(self) -> None:
        """Asks the engine to close its window and report, as a first signal does; `requested` stays."""
        if self._engine is not None:
            self._engine.send_signal(signal.SIGINT)

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                self._previous[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous.clear()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        engine = self._engine
        if engine is not None:
            if self.count == 1:
                engine.send_signal(signal.SIGINT)
            else:
                engine.kill()
        elif self.count == 1:
            raise Interrupted("Interrupted.")
