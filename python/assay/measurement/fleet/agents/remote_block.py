"""The coordinator's side of a block that an agent carries out on its host."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path, PurePosixPath
from typing import Any

from assay.base.errors import HostError
from assay.measurement.fleet.agents.agent import BEAT_S
from assay.measurement.fleet.agents.channel import Channel
from assay.measurement.fleet.agents.remote import LEASE_S, AgentAddress, called

_STARTS_S = 30.0
_RUN = re.compile(r"(?P<run>\.?[^/]+?)(?:\.(?P<why>failed|damaged|superseded)-\d+)?")


@dataclass(frozen=True)
class ArrivedRun:
    """A run whose files have all come and have the digests that their host said, in a folder of this
    machine.

    `why` is the reason for which its host has set it aside; None for one that counts.
    """

    run_id: str
    why: str | None
    path: Path


class UnkeptFile(Exception):
    """This machine cannot write a file that came: its disk is full, or may not be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class RemoteBlock:
    """A lab process beside an agent, and the files of its runs as they come into `into`, which is empty.

    `take` gets each line of the process. Used from one thread; `send_signal` may be called from any.
    """

    def __init__(
        self,
        agent: AgentAddress,
        token: bytes,
        order: dict[str, Any],
        into: Path,
        take: Callable[[bytes], None],
    ) -> None:
        self._agent, self._token, self._order = agent, token, order
        self._into, self._take = into, take
        self._channel: Channel | None = None
        self._over = threading.Event()
        self._signals: list[int] = []

    def carry_out(self) -> list[ArrivedRun]:
        """Carries the block out, and returns its runs that are over.

        Raises `HostError` where the agent refuses, is lost, or sends files that it did not announce or that
        are not what it read, and `UnkeptFile` where this machine cannot write them.
        """
        with called(
            self._agent, self._token, {"want": "block", "order": self._order}, patience_s=_STARTS_S
        ) as (
            channel,
            _,
        ):
            channel.socket.settimeout(LEASE_S)
            self._channel = channel
            for number in list(self._signals):
                self.send_signal(number)
            beat = threading.Thread(target=self._beat, args=(channel,), daemon=True)
            beat.start()
            try:
                return self._listened(channel)
            except TimeoutError as error:
                raise HostError(
                    f"nothing was heard of the agent of {self._agent} for {LEASE_S:g} s"
                ) from error
            except OSError as error:
                raise HostError(
                    f"the connection to the agent of {self._agent} is lost: {error.strerror or error}"
                ) from error
            finally:
                self._over.set()
                self._channel = None
                beat.join()

    def send_signal(self, number: int) -> None:
        """Sends the lab process a signal, as soon as there is one."""
        channel = self._channel
        if channel is None:
            self._signals.append(number)
            return
        with suppress(OSError):
            channel.send({"signal": number})

    def _beat(self, channel: Channel) -> None:
        while not self._over.wait(BEAT_S):
            with suppress(OSError):
                channel.send({"beat": time.monotonic_ns()})

    def _listened(self, channel: Channel) -> list[ArrivedRun]:
        runs: dict[str, ArrivedRun] = {}
        while True:
            frame = channel.receive()
            if isinstance(frame, bytes):
                for line in frame.splitlines(keepends=True):
                    self._take(line)
            elif "file" in frame:
                name = self._receive(channel, str(frame["file"]), int(frame["bytes"]))
                if name.name == "run.json" and len(name.parts) == 2:
                    runs[name.parts[0]] = self._arrived(name.parts[0])
            elif "ended" in frame:
                code, complaint = frame["ended"]["code"], str(frame["ended"]["complaint"])
                if code != 0:
                    raise HostError(
                        f"the lab on {self._agent.host} ended with {_ending(code)}",
                        detail=complaint or None,
                    )
                return list(runs.values())

    def _arrived(self, name: str) -> ArrivedRun:
        parts = _RUN.fullmatch(name)
        assert parts is not None
        why = parts["why"]
        return ArrivedRun(parts["run"].removeprefix(".") if why else name, why, self._into / name)

    def _receive(self, channel: Channel, text: str, size: int) -> PurePosixPath:
        """Writes the file that comes next, and returns its name. It is written nowhere but in the folder."""
        name = PurePosixPath(text)
        if name.is_absolute() or len(name.parts) < 2 or ".." in name.parts or "\0" in text:
            raise HostError(f"the agent of {self._agent} sent a file of no run: {text!r}")
        path = self._into / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("xb", buffering=0)
        except OSError as error:
            raise UnkeptFile(error) from error
        with file:
            digest = self._copied(channel, file, size)
        end = channel.message()
        while "beat" in end:
            end = channel.message()
        if end.get("whole") != text or end.get("sha256") != digest:
            raise HostError(f"a file did not come whole from {self._agent}: {text}")
        return name

    def _copied(self, channel: Channel, file: FileIO, size: int) -> str:
        digest, left = hashlib.sha256(), size
        while left > 0:
            frame = channel.receive()
            if isinstance(frame, dict):
                continue  # a beat
            if len(frame) > left:
                raise HostError(f"the agent of {self._agent} sent more of a file than it announced")
            _write(file, frame)
            digest.update(frame)
            left -= len(frame)
        return digest.hexdigest()


def _write(file: FileIO, content: bytes) -> None:
    """Writes all of it. The file has no buffer, which would fail once more when it is left on a full disk."""
    left = memoryview(content)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:
        raise UnkeptFile(error) from error


def _ending(code: int | None) -> str:
    if code is None:
        return "no exit code"
    return f"signal {-code}" if code < 0 else f"exit code {code}"
