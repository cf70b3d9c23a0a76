"""An engine that an agent runs: its process, and its events as a file beside the stream."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from assay.base.errors import HostError
from assay.measurement.fleet.agents.leftovers import engine_folder
from assay.system.engine import find_engine
from assay.system.server import home
from assay.system.server.process import start

_KILLED_S = 5.0
_KEPT_DAYS = 7
_FOLDER = "generators"
_SAID = 1 << 16


class HostedEngine:
    """An engine process of this agent; used as a context, at whose end the process is gone.

    Must be made in a thread that lives as long as the engine. `env` is added to the engine's environment.
    Raises `HostError` when it cannot be started.
    """

    def __init__(self, name: str, job: bytes, env: Mapping[str, str]) -> None:
        self.name = name
        self.was_heard = False
        """Whether the coordinator knows how the engine ended."""
        self._job = b" ".join(job.splitlines())  # one line of input
        self._folder = engine_folder()
        self._events = (self._folder / "events.jsonl").open("wb")
        self._said = (self._folder / "said").open("w+b")
        self._digest, self._bytes = hashlib.sha256(), 0
        self._input = threading.Lock()
        try:
            self._process = start(
                [str(find_engine()), "run", "--listen", "-"],
                [f"death={signal.SIGKILL:d}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env={**os.environ, **env},
            )
        except OSError as error:
            self._remove()
            raise HostError(f"cannot start generator {name}: {error}") from error
        except HostError:
            self._remove()
            raise
        self.pid = self._process.pid

    def begin(self) -> None:
        """Hands the job over."""
        self._write(self._job)

    def say(self, command: Mapping[str, Any]) -> None:
        """Sends a command of the engine's input; does nothing once it is gone."""
        self._write(json.dumps(command).encode())

    def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        with self._input, suppress(OSError, ValueError):
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()

    def close(self) -> None:
        """Ends its input."""
        assert self._process.stdin is not None
        with self._input, suppress(OSError):
            self._process.stdin.close()

    def send_signal(self, number: int) -> None:
        """Sends it a signal; does nothing once it is gone."""
        self._process.send_signal(number)

    def lines(self) -> Iterator[bytes]:
        """Yields its events, each with its line end, which are in the file by then."""
        assert self._process.stdout is not None
        with suppress(ValueError):
            for line in self._process.stdout:
                self._events.write(line)
                self._events.flush()
                self._digest.update(line)
                self._bytes += len(line)
                yield line

    def ended(self) -> dict[str, Any]:
        """Waits for its end; returns its exit code, the digest of its events, and what it said besides."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(60.0)
        complaint = os.pread(self._said.fileno(), _SAID, 0).decode(errors="replace").strip()
        return {
            "code": self._process.returncode,
            "sha256": self._digest.hexdigest(),
            "bytes": self._bytes,
            "complaint": complaint,
        }

    def end(self, patience_s: float) -> None:
        """Ends it in good order, and kills it after so many seconds."""
        self.close()
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def keep(self) -> Path:
        """Keeps its events beyond its end, for a week, and returns their file."""
        kept = home() / _FOLDER
        kept.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"\W", "_", self.name)
        path = kept / f"{name}-{self.pid}-{time.time_ns()}.jsonl"
        with suppress(OSError):
            shutil.copyfile(self._folder / "events.jsonl", path)
        _remove_old(kept)
        return path

    def _remove(self) -> None:
        self._events.close()
        self._said.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILLED_S)
        self._remove()


def _remove_old(folder: Path) -> None:
    oldest = time.time() - _KEPT_DAYS * 86_400
    for path in folder.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
