"""Holds back signals that would end this process while a step must be completed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delays signals that arrive inside the block until it is left; each then takes effect once, in order of
    arrival.

    Blocking them would not do: the kernel gives a signal to any thread that does not block it, and Python
    runs the handler in the main thread all the same. Other threads are not interrupted by handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: dict[int, None] = {}
    before: dict[int, Any] = {}
    try:
        for number in _ENDING:
            before[number] = signal.signal(number, lambda got, _: came.setdefault(got))
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, signal.SIG_DFL if handler is None else handler)
        for ending in came:
            signal.raise_signal(ending)
