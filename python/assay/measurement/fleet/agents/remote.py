"""The coordinator's side of an agent: looks at its host, reads its clock, and generators that it runs."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import msgspec

from assay.base.errors import HostError
from assay.measurement.fleet.agents.agent import BEAT_S
from assay.measurement.fleet.agents.channel import Channel, ChannelClosed, OtherVersion, WrongToken
from assay.measurement.fleet.agents.facts import HostFacts
from assay.measurement.fleet.clock import ClockReading, read_clock
from assay.measurement.fleet.contract import Share

LEASE_S = 5.0
"""An agent that says nothing for so long is lost, and its generator with it."""
_CONNECTS_S = 5.0
ANSWERS_S = 20.0
"""How long an agent may take to answer: its host may be busy."""
_KILLED_S = 5.0


@dataclass(frozen=True)
class AgentAddress:
    """Where the agent of a host listens."""

    host: str
    address: str
    port: int

    def __str__(self) -> str:
        return f"{self.host} ({self.address}:{self.port})"


@contextmanager
def called(
    agent: AgentAddress, token: bytes, want: Mapping[str, Any], *, patience_s: float = ANSWERS_S
) -> Iterator[tuple[Channel, Any]]:
    """Opens a session with an agent; the block has the channel and the agent's first answer, which may take
    `patience_s`.

    Raises `HostError` where the agent cannot be reached, has another token, or refuses.
    """
    try:
        connection = socket.create_connection((agent.address, agent.port), timeout=_CONNECTS_S)
    except OSError as error:
        raise HostError(
            f"cannot reach the agent of {agent}: {error.strerror or error}",
            hint=f"start it on {agent.host}: assay fleet agent",
        ) from error
    with connection:
        try:
            channel = Channel(connection, token, calls=True)
            connection.settimeout(patience_s)
            channel.send(want)
            answer = channel.message()
        except OtherVersion as error:
            raise HostError(
                f"the agent of {agent} has another version of Assay",
                hint=f"install the same wheel on {agent.host}, and start its agent again",
            ) from error
        except (WrongToken, ChannelClosed, ConnectionResetError) as error:
            raise HostError(
                f"the agent of {agent} refuses this token",
                hint="every host of a fleet needs the same token file",
            ) from error
        except OSError as error:
            raise HostError(f"the agent of {agent} does not answer: {error.strerror or error}") from error
        if "refused" in answer:
            raise HostError(f"{agent.host}: {answer['refused']}")
        yield channel, answer


@dataclass(frozen=True)
class Met:
    """What an agent says of its host, and the addresses of this machine and of that host between which they
    spoke.
    """

    facts: HostFacts
    here: str
    there: str


def met(agent: AgentAddress, token: bytes) -> Met:
    """Asks an agent what its host is. Raises `HostError` as `called` does."""
    with called(agent, token, {"want": "facts"}) as (channel, answer):
        here, there = channel.socket.getsockname()[0], channel.socket.getpeername()[0]
        return Met(msgspec.convert(answer["facts"], HostFacts), here, there)


def facts_of(agent: AgentAddress, token: bytes) -> HostFacts:
    """Returns what the agent says of its host. Raises `HostError` as `called` does."""
    return met(agent, token).facts


def clock_of(agent: AgentAddress, token: bytes) -> ClockReading:
    """Reads the clock of an agent's host over a connection of its own. Raises `OSError` where the host cannot
    be reached.
    """
    try:
        with called(agent, token, {"want": "clock"}) as (channel, _):
            return read_clock(channel.socket)
    except HostError as error:
        raise OSError(error.message) from error


class RemoteGenerator:
    """An engine beside an agent."""

    pid: int | None = None

    def __init__(self, share: Share, agent: AgentAddress, token: bytes, channel: Channel) -> None:
        self.share = share
        self._agent, self._token, self._channel = agent, token, channel
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._over = threading.Event()
        self._code: int | None = None
        self._complaint = ""
        self._digest = hashlib.sha256()
        channel.socket.settimeout(LEASE_S)
        self._threads = [
            threading.Thread(target=work, name=f"{share.name}-{work.__name__}", daemon=True)
            for work in (self._listen, self._beat)
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        try:
            while True:
                frame = self._channel.receive()
                if isinstance(frame, bytes):
                    self._digest.update(frame)
                    self._lines.put(frame)
                elif "ended" in frame:
                    self._end(frame["ended"])
                    return
        except TimeoutError:
            self._complaint = f"nothing was heard of the agent of {self._agent} for {LEASE_S:g} s"
        except OSError as error:
            self._complaint = (
                f"the connection to the agent of {self._agent} is lost: {error.strerror or error}"
            )
        finally:
            self._over.set()
            self._lines.put(None)

    def _end(self, ended: Mapping[str, Any]) -> None:
        self._complaint = str(ended["complaint"])
        if ended["sha256"] == self._digest.hexdigest():
            self._code = ended["code"]
        else:
            self._complaint = f"its events did not come whole from {self._agent}; {self._complaint}"

    def _beat(self) -> None:
        while not self._over.wait(BEAT_S):
            self._send({"beat": time.monotonic_ns()})

    def _send(self, message: Mapping[str, Any]) -> None:
        with suppress(OSError):
            self._channel.send(message)

    def read_clock(self) -> ClockReading:
        return clock_of(self._agent, self._token)

    def say(self, command: Mapping[str, Any]) -> None:
        self._send({"say": dict(command)})

    def close(self) -> None:
        self._send({"close": True})

    def lines(self) -> Iterator[bytes]:
        while (line := self._lines.get()) is not None:
            yield line

    def send_signal(self, sig: int, /) -> None:
        self._send({"signal": int(sig)})

    def kill(self) -> None:
        self._send({"signal": 9})

    def gone(self, wait_s: float = 0.0) -> int | None:
        self._over.wait(wait_s)
        return self._code

    def complaint(self) -> str:
        return self._complaint

    def leave(self) -> None:
        """Kills the engine if it is there, and ends the session."""
        if not self._over.is_set():
            self.kill()
            self._over.wait(_KILLED_S)
        self._channel.close()
        for thread in self._threads:
            thread.join(_KILLED_S)
