"""A limit of time for a command that should complain, and begins to work instead."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TookTooLong(BaseException):
    """No error of the command's: it must not be taken for one."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """TookTooLong after so many seconds."""

    def stop(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
