"""Handles Ctrl-C and SIGTERM: the first signal ends a measurement in good order, the second at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Protocol

from assay.base.errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Signalled(Protocol):
    """An engine that takes signals: a process, or a generator of a fleet."""

    def send_signal(self, sig: int, /) -> None:
        """Sends it a signal."""

    def kill(self) -> None:
        """Ends it at once."""


class Interrupts:
    """Handles both signals while it is entered (in the main thread; elsewhere it does nothing).

    With an engine at work the first signal is passed on to it: it closes its window, reports what it has
    and ends; `first` is called, and may say so. A second kills it. Where the main thread does not wait for
    an engine (there is none, or another thread drives it), every signal raises `Interrupted` at the current
    point. Signals that arrive while the stack unwinds after that are ignored, so that no server is left
    behind.
    """

    def __init__(self, first: Callable[[], None] = lambda: None) -> None:
        self.count = 0
        self._first = first
        self._engines: list[Signalled] = []
        self._waited_for: list[Signalled] = []
        """Engines that the main thread waits for."""
        self._raised = False
        self._previous: dict[signal.Signals, Any] = {}

    @property
    def requested(self) -> bool:
        """Whether a signal has asked for the end."""
        return self.count > 0

    def raise_if_requested(self) -> None:
        """Raises `Interrupted` once a signal came."""
        if self.requested:
            self._raised |= _in_main_thread()
            raise Interrupted("Interrupted.")

    @contextmanager
    def forwarded_to(self, engine: Signalled) -> Iterator[None]:
        """Passes signals on to this engine for the length of the block.

        Raises `Interrupted` if a signal came before the block. Whoever called may not have seen the one that
        `_handle` raised: Python drops what is raised in a callback of its own, of an import for example.
        """
        kept = [self._engines, *([self._waited_for] if _in_main_thread() else [])]
        for engines in kept:
            engines.append(engine)
        try:
            self.raise_if_requested()
            yield
        finally:
            for engines in kept:
                engines.remove(engine)

    def end_window(self) -> None:
        """Asks the engine to close its window and report, as a first signal does, without setting
        `requested`.
        """
        for engine in self._engines:
            engine.send_signal(signal.SIGINT)

    def __enter__(self) -> Interrupts:
        if _in_main_thread():
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
        if self.count == 1 and self._engines:
            self._first()
        for engine in list(self._engines):
            if self.count == 1:
                engine.send_signal(signal.SIGINT)
            else:
                engine.kill()
        if not self._waited_for and not self._raised:
            self._raised = True
            raise Interrupted("Interrupted.")


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
