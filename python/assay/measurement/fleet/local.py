"""The backend `local`: generators are engine processes on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from assay.base.errors import HostError
from assay.design.folder import Doubt
from assay.measurement.fleet.clock import ClockOffset, ClockReading
from assay.measurement.fleet.contract import FleetHost, Share
from assay.system.engine import find_engine
from assay.system.host import own_limits
from assay.system.server.process import start

HERE = "this machine"

_KILLED_S = 5.0


class LocalGenerator:
    """An engine process on this machine, whose clock is the coordinator's."""

    def __init__(self, share: Share, process: subprocess.Popen[bytes], said: IO[bytes]) -> None:
        self.share = share
        self.pid: int | None = process.pid
        self._process = process
        self._said = said
        self._input = threading.Lock()

    def read_clock(self) -> ClockReading:
        return ClockReading(time.monotonic_ns(), ClockOffset(0, 0))  # the same clock

    def say(self, command: Mapping[str, Any]) -> None:
        self._write(json.dumps(command).encode())

    def _write(self, line: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with self._input, suppress(OSError, ValueError):  # it has ended, or its input has
            pipe.write(line + b"\n")
            pipe.flush()

    def begin(self) -> None:
        """Hands the job over, as the first line of its input."""
        self._write(msgspec.json.encode(self.share.job))

    def close(self) -> None:
        assert self._process.stdin is not None
        with self._input, suppress(OSError):
            self._process.stdin.close()

    def lines(self) -> Iterator[bytes]:
        assert self._process.stdout is not None
        with suppress(ValueError):  # closed when the fleet was given up
            yield from self._process.stdout

    def send_signal(self, sig: int, /) -> None:
        self._process.send_signal(sig)

    def kill(self) -> None:
        self._process.kill()

    def gone(self, wait_s: float = 0.0) -> int | None:
        try:
            return self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return None

    def complaint(self) -> str:
        return os.pread(self._said.fileno(), 1 << 16, 0).decode(errors="replace").strip()


class LocalBackend:
    """Generators beside the coordinator, which need nothing but the engine."""

    name = "local"
    lead_s = 0.5

    def __init__(self, namespace: Path | None = None) -> None:
        """`namespace` is the network namespace in which generators run."""
        self._namespace = namespace

    def join(self) -> Sequence[FleetHost]:
        processors = own_limits().processors
        # The server is on this machine too: half of the processors are for event loops, as with one engine.
        return [FleetHost(HERE, processors, max(1, processors // 2))]

    def placed_on(self) -> tuple[str, ...]:
        return ()

    def reach(self) -> None:
        return None

    def ceiling_qps(self, shares: Sequence[Share]) -> float | None:
        return None  # that of one engine with as many event loops, which `assay calibrate` keeps

    def doubts(self, shares: Sequence[Share]) -> Sequence[Doubt]:
        return []

    @contextmanager
    def place(self, shares: Sequence[Share], env: Mapping[str, str]) -> Iterator[Sequence[LocalGenerator]]:
        # An engine is killed when the thread that started it ends: here, the one that conducts the load.
        words = [f"death={signal.SIGKILL:d}"]
        if self._namespace is not None:
            words.append(f"namespace={self._namespace}")
        with ExitStack() as stack:
            generators = [stack.enter_context(_started(share, words, env)) for share in shares]
            for generator in generators:
                generator.begin()
            yield generators


@contextmanager
def _started(share: Share, words: Sequence[str], env: Mapping[str, str]) -> Iterator[LocalGenerator]:
    """Starts an engine, and kills it if it has not ended with the block."""
    with tempfile.TemporaryFile() as said:
        try:
            process = start(
                [str(find_engine()), "run", "--listen", "-"],
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                env={**os.environ, **env},
            )
        except OSError as error:
            raise HostError(f"cannot start generator {share.name}: {error}") from error
        try:
            yield LocalGenerator(share, process, said)
        finally:
            process.kill()  # does nothing to one that has ended
            with suppress(subprocess.TimeoutExpired):  # it waits in the kernel
                process.wait(_KILLED_S)
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
