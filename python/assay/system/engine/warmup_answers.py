"""Asks the engine, which has the rule of level throughput, whether the warm-up of a fleet's load is over."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

import msgspec

from assay.base.errors import HostError
from assay.base.format.job import Phases
from assay.base.printable import shortened
from assay.system.engine.binary import NAME, find_engine
from assay.system.engine.process import started

Rates = Sequence[tuple[int, float]]
"""Nanoseconds from the beginning of the load to the end of each interval, and its rate; oldest first."""


class WarmupAnswers:
    """The answers of an engine that hears the rates of one load."""

    def __init__(self, engine: subprocess.Popen[bytes], said: IO[bytes]) -> None:
        self.pid = engine.pid
        self._engine = engine
        self._said = said

    def outcome(self, passed_ns: int, more: Rates) -> bool | None:
        """Returns whether throughput is steady once the warm-up is over; None while it goes on.

        `more` are the rates since the last question. Raises HostError when the engine gives no answer.
        """
        question, answer = self._engine.stdin, self._engine.stdout
        assert question is not None
        assert answer is not None
        with suppress(OSError):  # it has ended: its last words say why
            question.write(json.dumps({"passed_ns": passed_ns, "rates": more}).encode() + b"\n")
            question.flush()
        try:
            return msgspec.json.decode(answer.readline(), type=bool | None)
        except msgspec.DecodeError:
            self._said.seek(0)
            complaint = shortened(self._said.read().decode(errors="replace").strip())
            raise HostError(
                f"{NAME} does not say whether the warm-up is over", detail=complaint or None
            ) from None


@contextmanager
def warmup_answers(phases: Phases) -> Iterator[WarmupAnswers]:
    """Starts an engine that answers for a load with these phases, whose warm-up waits for level throughput;
    it ends with the block.
    """
    asked = [str(find_engine()), "steady", msgspec.json.encode(phases).decode()]
    with tempfile.TemporaryFile() as said, started(asked, [f"death={signal.SIGKILL:d}"], said, {}) as engine:
        yield WarmupAnswers(engine, said)
