"""The relay: later, whole, in order; and closed when either side is."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.measurement.run.experiments import delay_relay

DELAY_S = 0.05


@contextmanager
def relay(port: int) -> Iterator[int]:
    program = [sys.executable, "-I", "-S", str(Path(delay_relay.__file__)), f"{DELAY_S * 1000:g}", str(port)]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


@contextmanager
def echo() -> Iterator[int]:
    """A server that sends back what it gets, until the other side is done."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                while data := client.recv(65_536):
                    client.sendall(data)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join(120)
        assert not thread.is_alive()


def test_each_way_takes_its_time() -> None:
    with echo() as there, relay(there) as port, socket.create_connection(("127.0.0.1", port)) as client:
        for _ in range(3):
            began = time.monotonic()
            client.sendall(b"x")
            assert client.recv(1) == b"x"
            assert time.monotonic() - began >= 2 * DELAY_S
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""


def test_everything_arrives_in_order_though_much_is_under_way() -> None:
    sent = b"".join(number.to_bytes(4, "big") for number in range(500_000))
    with echo() as there, relay(there) as port, socket.create_connection(("127.0.0.1", port)) as client:
        sender = threading.Thread(target=client.sendall, args=(sent,))
        sender.start()
        got = b""
        while len(got) < len(sent):
            got += client.recv(1 << 20)
        sender.join()
        assert got == sent
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""


def test_nobody_there_is_a_closed_connection() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))  # and does not listen; nor can anybody else at this port
        nobody = mute.getsockname()[1]
        with relay(nobody) as port, socket.create_connection(("127.0.0.1", port)) as client:
            assert client.recv(1) == b""
