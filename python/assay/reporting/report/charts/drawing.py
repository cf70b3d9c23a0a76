"""Has charts drawn by processes of their own, which end when nothing is to be drawn: what draws takes 100 MB,
which a lab would keep beside the next measurement.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Literal

from assay.base.errors import HostError

IDLE_S = 5.0
"""Seconds without a chart after which the process ends."""
_PROGRAM = Path(__file__).with_name("drawing_process.py")
_ENDED = (OSError, EOFError)


class Drawings:
    """Two processes that draw, of which the second starts where two charts are wanted at once."""

    MOST = 2

    def __init__(self, version: str, scale: float) -> None:
        self._free: LifoQueue[Drawing] = LifoQueue()
        for _ in range(self.MOST):
            self._free.put(Drawing(version, scale))

    def draw(self, kind: Literal["svg", "png"], document: str) -> bytes:
        """Returns the picture of a Vega-Lite document, once a process is free. Raises what `Drawing.draw`
        raises.
        """
        one = self._free.get()
        try:
            return one.draw(kind, document)
        finally:
            self._free.put(one)


class Drawing:
    """A process that draws, started with the first chart and anew after it has ended."""

    def __init__(self, version: str, scale: float, idle_s: float = IDLE_S) -> None:
        self._words = (version, f"{scale:g}", f"{idle_s:g}")
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def draw(self, kind: Literal["svg", "png"], document: str) -> bytes:
        """Returns the picture of a Vega-Lite document. Raises ValueError for a document that cannot be drawn,
        HostError where the process was ended from outside.
        """
        request = json.dumps([kind, document]).encode() + b"\n"
        with self._lock:
            if self._process is not None:
                with suppress(*_ENDED):  # it was idle for too long
                    return self._ask(self._process, request)
                self._end()
            self._process = _started(self._words)
            try:
                return self._ask(self._process, request)
            except _ENDED as ended:
                code = self._end()
                raise HostError(
                    f"the process that draws charts ended with exit code {code}",
                    hint="check with dmesg whether the kernel ended it for want of memory",
                ) from ended

    def _ask(self, process: subprocess.Popen[bytes], request: bytes) -> bytes:
        """Returns the answer to a request. A process whose answer was not read to its end, as after a Ctrl-C,
        is ended: the next request would get the picture of this one.
        """
        try:
            return _answer(process, request)
        except (ValueError, *_ENDED):
            raise
        except BaseException:
            process.kill()
            self._end()
            raise

    def end(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            self._end()

    def _end(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        with process, suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        return process.returncode


def _started(words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", str(_PROGRAM), *words]  # -P: modules beside the program hide none
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _answer(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """Raises one of `_ENDED` when the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(request)
    process.stdin.flush()
    head = process.stdout.readline()
    if not head:
        raise EOFError
    drawn, size = json.loads(head)
    said = process.stdout.read(size)
    if len(said) < size:
        raise EOFError
    if not drawn:
        raise ValueError(said.decode())
    return said
