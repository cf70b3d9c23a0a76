"""The agent: our process on a host of a fleet, which runs engines for a coordinator elsewhere.

It waits at an address. Each connection to it is one session: a look at the host, a reading of its clock,
an engine with its share of a load, or a block of a study, whose lab starts servers. Engine and lab end with
their session, whatever ends that: a coordinator that is gone or silent, a killed agent (the kernel then kills
the engine, and asks the lab to end), a host that was asleep.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from assay.base.errors import AssayError, HostError
from assay.base.privileges import PrivilegeError, refused
from assay.measurement.fleet.agents.ceiling import ceiling
from assay.measurement.fleet.agents.certificate import tls_context
from assay.measurement.fleet.agents.channel import Channel, OtherVersion, WrongToken
from assay.measurement.fleet.agents.facts import own_facts
from assay.measurement.fleet.agents.hosted import HostedEngine
from assay.measurement.fleet.agents.hosted_block import HostedBlock
from assay.measurement.fleet.agents.job_check import checked_job, has_script
from assay.measurement.fleet.agents.leftovers import sweep_generators
from assay.measurement.fleet.agents.strangers import Strangers
from assay.measurement.fleet.clock import answer_clock

LEASE_S = 10.0
"""An agent that has heard nothing of its coordinator for so long ends its engine."""
BEAT_S = 1.0
"""Both ends say at least every so often that they are there."""
_GREETS_S = 5.0
_ENDS_S = 8.0
"""How long an engine may take to end in good order once its coordinator is gone."""
FREE_S = 20.0
"""How long a block or a load waits for the end of the one before: its lab may still stop its server, its
coordinator may be lost.
"""
_SLEPT_NS = 10**8


class Agent:
    """Serves sessions at an address.

    `address` and `port`: where it listens; 0 takes any free port. `lab` is the command of the process that
    carries blocks out; None: the agent starts no servers. `scripts`: whether loads may be scripts, which are
    programs. `say`: takes a line on what happens.
    """

    def __init__(
        self,
        address: str,
        port: int,
        token: bytes,
        *,
        lab: Sequence[str] | None = None,
        scripts: bool = False,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._lab, self._scripts = lab, scripts
        self._block = threading.Lock()
        self._turn = threading.Condition()
        self._load, self._parts = "", 0
        self._token = token
        tls_context(token, calls=False)  # derives the key: not while a coordinator waits
        self._say = say
        with suppress(AssayError):  # whoever asks is told
            own_facts()  # reads every file of the package: not while a coordinator waits
        self._listener = socket.create_server((address, port), backlog=128)
        self._strangers = Strangers()
        self.port: int = self._listener.getsockname()[1]

    def serve(self) -> None:
        """Serves until `close` is called, each session in a thread of its own."""
        while True:
            try:
                connection, peer = self._listener.accept()
            except OSError:
                return
            self._strangers.admit(connection, peer[0])
            threading.Thread(target=self._session, args=(connection, peer[0]), daemon=True).start()

    def close(self) -> None:
        """Takes no more sessions."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _session(self, connection: socket.socket, peer: str) -> None:
        with connection:
            connection.settimeout(_GREETS_S)
            try:
                try:
                    channel = Channel(connection, self._token, calls=False, greets_s=_GREETS_S)
                finally:
                    self._strangers.leave(connection)
                connection.settimeout(LEASE_S)
                self._serve(channel, channel.message())
            except (WrongToken, OtherVersion) as wrong:
                self._say(f"refused a connection from {peer}: {wrong}")
            except (OSError, ValueError) as error:
                self._say(f"lost a connection from {peer}: {error}")

    def _serve(self, channel: Channel, asked: dict[str, object]) -> None:
        match asked.get("want"):
            case "facts":
                try:
                    channel.send({"facts": msgspec.to_builtins(own_facts())})
                except AssayError as error:
                    channel.send({"refused": error.message})
            case "clock":
                channel.send({"clock": "monotonic"})
                answer_clock(channel.socket)
            case "ceiling":
                with self._part_of("ceiling", channel) as is_free:
                    if is_free:
                        reached = ceiling(int(str(asked["loops"])), float(str(asked["seconds"])))
                        channel.send({"ceiling": reached})
            case "generator":
                with self._part_of(str(asked["load"]), channel) as is_free:
                    if is_free:
                        _Session(channel, asked, self._say, scripts=self._scripts).serve()
            case "block":
                self._carry_out(channel, dict(asked["order"]))  # type: ignore[call-overload]
            case other:
                channel.send({"refused": f"this agent does not know the session {other!r}"})

    @contextmanager
    def _part_of(self, load: str, channel: Channel) -> Iterator[bool]:
        """Yields whether this session may take part in a load. A host carries one out at a time: two would
        disturb each other.
        """
        with self._turn:
            is_free = self._turn.wait_for(lambda: not self._parts or self._load == load, FREE_S)
            if is_free:
                self._load, self._parts = load, self._parts + 1
        if not is_free:
            channel.send({"refused": "this agent carries out another load"})
            yield False
            return
        try:
            yield True
        finally:
            with self._turn:
                self._parts -= 1
                self._turn.notify_all()

    def _carry_out(self, channel: Channel, order: dict[str, object]) -> None:
        """Carries a block out, one at a time."""
        if self._lab is None:
            channel.send({"refused": "this agent starts no servers; start it with --servers"})
            return
        named_in_study = re.search(r"""["']lua:""", str(order.get("text", "")))
        if not self._scripts and (named_in_study or has_script(order)):
            channel.send({"refused": "this agent runs no scripts; start it with --scripts"})
            return
        if not self._block.acquire(timeout=FREE_S):
            channel.send({"refused": "this agent carries out another block"})
            return
        if order.get("generators"):  # their agents are called from here
            order = {**order, "token": self._token.hex()}
        try:
            try:
                block = HostedBlock(self._lab, order, channel)
            except AssayError as error:
                channel.send({"refused": error.message})
                return
            channel.send({"pid": block.pid})
            self._say(f"lab {block.pid} started")
            block.serve()
            self._say(f"lab {block.pid} ended")
        finally:
            self._block.release()


class _Session:
    """An engine, and the connection to its coordinator, in the thread that starts the engine: the kernel
    kills the engine when that thread ends.
    """

    def __init__(
        self, channel: Channel, asked: dict[str, object], say: Callable[[str], None], *, scripts: bool
    ) -> None:
        self._channel, self._scripts = channel, scripts
        self._asked = msgspec.convert(asked, Order)
        self._say = say
        self._over = threading.Event()
        self._complaint = ""

    def serve(self) -> None:
        """Starts the engine, and returns once it has ended and its coordinator knows or is gone."""
        name = self._asked.name
        try:
            job, variables = checked_job(self._asked.job, self._asked.env, scripts=self._scripts)
            engine = HostedEngine(name, job, variables)
        except AssayError as error:
            self._channel.send({"refused": error.message})
            return
        with engine:
            self._say(f"{name}: engine {engine.pid} started")
            self._channel.send({"pid": engine.pid})
            engine.begin()
            threads = [
                threading.Thread(target=work, args=(engine,), daemon=True)
                for work in (self._forward, self._beat)
            ]
            for thread in threads:
                thread.start()
            self._obey(engine)
            threads[0].join(_ENDS_S)
            kept = "" if engine.was_heard else f"; its events are kept in {engine.keep()}"
            self._say(f"{name}: engine {engine.pid} ended{kept}")

    def _obey(self, engine: HostedEngine) -> None:
        """Passes commands on, until the coordinator closes the connection or its lease is over."""
        try:
            while True:
                command = self._channel.message()
                if "say" in command:
                    engine.say(command["say"])
                elif "close" in command:
                    engine.close()
                elif "signal" in command:
                    engine.send_signal(int(command["signal"]))
        except TimeoutError:
            self._say(f"{engine.name}: nothing was heard of the coordinator for {LEASE_S:g} s")
        except OSError:
            pass
        self._over.set()
        if not engine.was_heard:
            engine.end(_ENDS_S)

    def _forward(self, engine: HostedEngine) -> None:
        """Passes events on until the engine ends, then says how it ended."""
        for line in engine.lines():
            with suppress(OSError):  # the file has it
                self._channel.send_lines(line)
        ended = engine.ended()
        if self._complaint:
            ended["complaint"] = self._complaint
        with suppress(OSError):
            self._channel.send({"ended": ended})
            engine.was_heard = not self._over.is_set()

    def _beat(self, engine: HostedEngine) -> None:
        asleep = _asleep_ns()
        while not self._over.wait(BEAT_S):
            slept_ns = _asleep_ns() - asleep
            if slept_ns > _SLEPT_NS and not self._complaint:
                self._complaint = f"its host was asleep for {slept_ns / 1e9:.1f} s"
                engine.send_signal(9)
            with suppress(OSError):
                self._channel.send({"beat": time.monotonic_ns()})


class Order(msgspec.Struct, frozen=True):
    """What a coordinator asks for: the engine's job as JSON, and the passwords that it names."""

    name: str
    job: str
    env: dict[str, str]


def _asleep_ns() -> int:
    """Returns how long this machine has been suspended since it was started."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()


def serve_agent(
    address: str,
    port: int,
    token: bytes,
    *,
    lab: Sequence[str] | None,
    scripts: bool,
    say: Callable[[str], None],
) -> None:
    """Serves as the agent of this machine until SIGTERM or SIGINT; `lab` and `scripts` are as of `Agent`.

    Must be called in the main thread. Raises `HostError` where the address cannot be had.
    """
    try:
        agent = Agent(address, port, token, lab=lab, scripts=scripts, say=say)
    except OSError as error:
        if error.errno == errno.EACCES and error.filename is None:
            raise PrivilegeError(f"port {port}", refused("ports", "this process may not take it")) from None
        raise HostError(
            f"cannot listen at {address}:{port}: {error.strerror or error}",
            hint="give --address one of this machine's addresses, and --port a free port",
        ) from error
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: agent.close())
    say(f"agent of {socket.gethostname()} at {address}:{agent.port}")
    agent.serve()


def main() -> None:
    """Serves as the child of another process, whose standard input pipe ends it.

    Arguments: the address, and those of this Python with which it carries blocks out; none: it starts no
    servers. The first line of the input is the token, the first line of the output the port.
    """
    sweep_generators()
    token = sys.stdin.buffer.readline().strip()
    address, *lab = sys.argv[1:]
    agent = Agent(address, 0, token, lab=[sys.executable, *lab] if lab else None, scripts=True)
    sys.stdout.buffer.write(b"%d\n" % agent.port)
    sys.stdout.buffer.flush()
    threading.Thread(target=agent.serve, daemon=True).start()
    while sys.stdin.buffer.read(1 << 16):
        pass
    os._exit(0)  # engines are killed by the kernel with the threads that started them


if __name__ == "__main__":
    main()
