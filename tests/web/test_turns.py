"""The process that answers ends when it rests, and the next one answers whoever comes then."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from assay.front.web.turns import (
    GROWN_BYTES,
    IDLE_S,
    MOST_BYTES,
    REST_S,
    Rest,
    own_bytes,
)

PATIENCE_S = 60.0


class Planted:
    """A process as its rest sees it: busy or not, with requests, bytes of its own, and a clock."""

    def __init__(self) -> None:
        self.busy, self.answered, self.bytes, self.clock = False, 0, 0, 100.0

    def is_busy(self) -> bool:
        return self.busy

    def requests(self) -> int:
        return self.answered

    def rest(self) -> Rest:
        return Rest(self, lambda: self.bytes, lambda: self.clock)


@pytest.mark.parametrize(("own", "after_s"), [(0, IDLE_S), (GROWN_BYTES + 1, REST_S), (MOST_BYTES + 1, 1.0)])
def test_what_has_grown_ends_sooner_and_what_is_busy_never(own: int, after_s: float) -> None:
    one = Planted()
    one.bytes = own
    rest = one.rest()
    one.busy = True
    for _ in range(1000):  # a stream that is open for long
        one.clock += 1
        assert not rest.is_over()
    one.busy, one.answered = False, 1
    rest.is_over()
    begun = one.clock
    while not rest.is_over():
        one.clock += 0.1
        assert one.clock - begun <= after_s + 1.2
    assert one.clock - begun >= after_s - 1.2


def test_a_request_is_a_new_beginning() -> None:
    one = Planted()
    one.bytes = GROWN_BYTES + 1
    rest = one.rest()
    for _ in range(100):
        one.answered += 1
        one.clock += REST_S - 1
        assert not rest.is_over()
    one.clock += REST_S + 1
    assert rest.is_over()


def test_memory_of_its_own_is_known() -> None:
    before = own_bytes()
    assert before > 0
    held = bytearray(os.urandom(1)) * (32 << 20)
    assert own_bytes() - before > 24 << 20
    del held


PROGRAM = """
import os, socket, sys
from assay.front.web.turns import keep
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
def answer(keeper):
    connection, _ = listener.accept()
    said = connection.recv(9)
    if said == b"fail":
        raise ValueError("planted")
    connection.sendall(f"{os.getpid()} {os.getppid() == keeper}".encode())
keep(listener, answer)
print("ended", flush=True)
"""


@contextmanager
def kept() -> Iterator[tuple[subprocess.Popen[str], Callable[[bytes], str]]]:

    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())

        def ask(text: bytes) -> str:
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
                connection.sendall(text)
                return connection.recv(99).decode()

        try:
            yield process, ask
        finally:
            process.terminate()


def test_each_turn_is_a_process_and_none_is_refused() -> None:
    """Many connect at once to processes that answer one each, and one of them fails."""
    with kept() as (process, ask):
        found: list[str] = []
        threads = [threading.Thread(target=lambda: found.append(ask(b"hello"))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
        pids = {text.split()[0] for text in found}
        assert len(pids) == len(found) == 8
        assert all(text.endswith(" True") for text in found)
        assert ask(b"fail") == ""
        assert ask(b"hello")
        time.sleep(0.05)
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
        assert process.stdout is not None
        assert process.stdout.read() == "ended\n"
