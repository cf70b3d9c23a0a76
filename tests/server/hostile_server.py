"""A server that speaks the protocol well up to one point, and then misbehaves in one way."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PLUGIN_AUTH, SECURE, PROTOCOL_41 = 1 << 19, 1 << 15, 1 << 9
OK = b"\0\0\0\2\0\0\0"
EOF = b"\xfe\0\0\2\0"

Misbehave = Callable[["Talk"], None]


class Talk:
    """One connection, packet by packet."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket, self.number = connection, 0

    def send(self, payload: bytes) -> None:
        self.raw(struct.pack("<I", len(payload))[:3] + bytes([self.number]) + payload)
        self.number = (self.number + 1) % 256

    def raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def receive(self) -> bytes:
        head = self._exactly(4)
        self.number = (head[3] + 1) % 256
        return self._exactly(int.from_bytes(head[:3], "little"))

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def greet(self, version: bytes = b"8.0.0-hostile", plugin: bytes = b"mysql_native_password") -> None:
        flags = PLUGIN_AUTH | SECURE | PROTOCOL_41
        salt = b"abcdefghijklmnopqrst"
        self.send(
            b"\x0a" + version + b"\0" + struct.pack("<I", 7) + salt[:8] + b"\0"
            + struct.pack("<HBHH", flags & 0xFFFF, 45, 2, flags >> 16) + bytes([21]) + bytes(10)
            + salt[8:] + b"\0" + plugin + b"\0"
        )  # fmt: skip

    def error(self, code: int, words: bytes) -> None:
        self.send(b"\xff" + struct.pack("<H", code) + b"#HY000" + words)

    def columns(self, count: int) -> None:
        self.send(bytes([count]))
        for number in range(count):
            name = b"c%d" % number
            texts = (b"def", b"", b"", b"", name, name)
            fixed = b"\x0c" + struct.pack("<HIBHB", 45, 255, 253, 0, 0) + b"\0\0"
            self.send(b"".join(bytes([len(text)]) + text for text in texts) + fixed)
        self.send(EOF)

    def rows(self, *rows: tuple[bytes, ...]) -> None:
        self.columns(len(rows[0]))
        for row in rows:
            self.send(b"".join(bytes([len(value)]) + value for value in row))
        self.send(EOF)


def silence(talk: Talk) -> None:
    """Nothing, until the other side has had enough."""
    talk.socket.recv(1)


def close(talk: Talk) -> None:
    raise ConnectionError


def noise(talk: Talk) -> None:
    talk.raw(bytes(range(1, 200)))


def dribble(talk: Talk) -> None:
    """A byte now and then of an answer that never ends."""
    talk.raw(b"\xff\xff\x00" + bytes([talk.number]))
    while True:
        talk.raw(b"x")
        threading.Event().wait(0.05)


def file_request(talk: Talk) -> None:
    talk.send(b"\xfb/etc/hostname")


def short_row(talk: Talk) -> None:
    talk.columns(2)
    talk.send(b"\x09abc")
    talk.send(EOF)


def one_column(talk: Talk) -> None:
    talk.rows((b"alone",))


def no_columns(talk: Talk) -> None:
    talk.send(OK)


def cut_definition(talk: Talk) -> None:
    talk.send(b"\x02")
    talk.send(b"\x03de")
    talk.send(EOF)


def error(talk: Talk) -> None:
    talk.error(1105, b"out of order today")


def torrent(talk: Talk) -> None:
    """Rows without an end."""
    talk.columns(2)
    row = bytes([250]) + b"n" * 250 + bytes([250]) + b"v" * 250
    while True:
        for _ in range(100):
            talk.send(row)


@contextmanager
def hostile(
    *,
    greeting: Misbehave = Talk.greet,
    login: Misbehave | None = None,
    answer: Misbehave = no_columns,
    only: bytes = b"",
) -> Iterator[int]:
    """Its port. `answer` to each query that has the bytes `only` in it; OK to the others."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        over = threading.Event()

        def serve(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):
                talk = Talk(connection)
                greeting(talk)
                talk.receive()
                (login or (lambda talk: talk.send(OK)))(talk)
                while (query := talk.receive())[:1] != b"\x01":
                    plain = query.startswith((b"\x03SET NAMES", b"\x03SET AUTOCOMMIT")) or only not in query
                    (no_columns if plain else answer)(talk)

        def accept() -> None:
            while not over.is_set():
                with contextlib.suppress(OSError):
                    connection, _ = listening.accept()
                    threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield listening.getsockname()[1]
        finally:
            over.set()
            with contextlib.suppress(OSError), socket.create_connection(listening.getsockname(), 1):
                pass


def needs_a_password(plugin: bytes) -> Misbehave:
    """A login that switches to this plugin and writes down what comes then."""

    def switch(talk: Talk) -> None:
        talk.send(b"\xfe" + plugin + b"\0" + os.urandom(20).replace(b"\0", b"x") + b"\0")
        HEARD.append(talk.receive())
        talk.send(b"\x01\x04")
        HEARD.append(talk.receive())

    return switch


HEARD: list[bytes] = []
"""What clients answered to `needs_a_password`."""
