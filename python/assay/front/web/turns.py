"""Answers by a process of its own that ends when it has nothing to do, forked from one that has all code
loaded and reads no results: what results and tables took goes back to the machine, which measures servers.

The keeper holds the listening socket. A connection that comes while nobody answers waits in the kernel for
some milliseconds, until the next process is there; none is refused.
"""

from __future__ import annotations

import gc
import os
import re
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn, Protocol

IDLE_S = 60.0
"""Seconds without a request after which the process ends."""
REST_S = 20.0
"""Seconds without a request after which the process ends if it has grown."""
GROWN_BYTES = 24 << 20
"""Bytes of its own from which a process has grown; open results are read again in some tenths of a second."""
MOST_BYTES = 256 << 20
"""Bytes of its own with which it ends between two requests."""
LEAVING_S = 0.3
"""Seconds for which a process that listens no more answers whoever had connected."""
_LOOK_S = 1.0
_FAILED_S = 0.5
_PATIENCE_S = 8.0

_PRIVATE = re.compile(r"^Private_\w+:\s+(\d+) kB", re.MULTILINE)


class Load(Protocol):
    """What a process that answers does at present."""

    def is_busy(self) -> bool: ...
    def requests(self) -> int: ...


class Rest:
    """Decides when a process that answers has rested for long enough. `own`: bytes that only it has."""

    def __init__(self, load: Load, own: Callable[[], int], now: Callable[[], float] = time.monotonic) -> None:
        self._load, self._own, self._now = load, own, now
        self._seen, self._since, self._looked = 0, now(), now()

    def is_over(self) -> bool:
        """Returns whether the process may end now."""
        now, requests = self._now(), self._load.requests()
        if self._load.is_busy() or requests != self._seen:
            self._seen, self._since = requests, now
        if self._load.is_busy():
            return False
        rested = now - self._since
        if rested >= IDLE_S:
            return True
        if now - self._looked < _LOOK_S:
            return False
        self._looked = now
        own = self._own()
        return own > MOST_BYTES or (rested >= REST_S and own > GROWN_BYTES)


def own_bytes() -> int:
    """Returns the bytes of memory that this process shares with no other; 0 where the kernel does not say."""
    try:
        text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(found) << 10 for found in _PRIVATE.findall(text))


def keep(listener: socket.socket, answer: Callable[[int], None]) -> None:
    """Has `answer` answer in a process of its own whenever somebody connects, until SIGINT or SIGTERM.

    `answer` is told the id of this process, and returns when it has rested. It must be called in the main
    thread of a process without others, which reads nothing that a fork must not share.
    """
    gc.collect()
    gc.freeze()  # a collection would write to pages that all processes share
    before = signal.signal(signal.SIGTERM, _interrupt)
    process = 0
    try:
        while True:
            select.select([listener], [], [])
            sys.stdout.flush()
            sys.stderr.flush()
            keeper = os.getpid()
            process = os.fork()
            if process == 0:
                _answer(answer, keeper)
            _, status = os.waitpid(process, 0)
            process = 0
            if status != 0:
                time.sleep(_FAILED_S)  # what fails at once must not take a processor
    except KeyboardInterrupt:
        return  # that is how it is told to stop
    finally:
        signal.signal(signal.SIGTERM, before)
        if process:
            _end(process)
        gc.unfreeze()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _answer(answer: Callable[[int], None], keeper: int) -> NoReturn:
    """Never returns: what the keeper would do after a fork is not for this process."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        answer(keeper)
        code = 0
    except KeyboardInterrupt:
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _end(process: int) -> None:
    """Ends the process that answers: streams get a moment to end."""
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(process, signal.SIGTERM)
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            if os.waitpid(process, os.WNOHANG)[0]:
                return
            time.sleep(0.02)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
