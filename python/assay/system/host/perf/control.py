"""Tells a running `perf record` when to record, by the two pipes of its option `--control`."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from select import select

from assay.base.errors import HostError
from assay.base.privileges import Lacking
from assay.system.host.perf.program import complaint, refusal, started

WAITING = "--delay=-1"
"""perf starts without recording: on a busy machine it reads for seconds what all processes have mapped."""
_BEGINS_S = 10.0


class ControlledRecord:
    """A `perf record` that begins to record at a known instant. `lacking` is the privilege that a refusal
    then names.
    """

    def __init__(self, lacking: Lacking | None) -> None:
        self._lacking = lacking
        self._told = self._answers = -1
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process of perf, once it was started."""
        assert self._process is not None, "begun"
        return self._process

    def start(self, command: tuple[str, ...], longest_s: float) -> None:
        """Starts perf with this command, which has `WAITING` in it, and does not wait for it. perf ends by
        itself after `longest_s`.
        """
        told, self._told = os.pipe()
        self._answers, answers = os.pipe()
        pipes = ("--control", f"fd:{told},{answers}", "--", "sleep", f"{longest_s:g}")
        try:
            self._process = started((*command, *pipes), pass_fds=(told, answers))
        finally:
            os.close(told)
            os.close(answers)

    def begin(self) -> None:
        """Has perf record, and returns once it does. Raises HostError when it does not."""
        try:
            # perf may be refused before it reads a word, and closes its end of the pipe.
            with suppress(BrokenPipeError):
                self.tell("enable")
            self._wait_for_answer()
        except BaseException:
            self.kill()
            raise

    def tell(self, word: str) -> None:
        """Sends perf a word: `enable` or `disable`."""
        os.write(self._told, f"{word}\n".encode())

    def kill(self) -> None:
        """Ends perf at once, if it still runs, and closes the pipes."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._told, self._answers):
            if pipe >= 0:
                os.close(pipe)
        self._told = self._answers = -1

    def _wait_for_answer(self) -> None:
        if select([self._answers], [], [], _BEGINS_S)[0] and os.read(self._answers, 64):
            return
        with suppress(subprocess.TimeoutExpired):  # it has closed its pipe and is about to end
            self.process.wait(1.0)
        if self.process.poll() is not None:
            raise refusal(complaint(self.process), self._lacking)
        raise HostError(f"perf record did not begin within {_BEGINS_S:g} s")
