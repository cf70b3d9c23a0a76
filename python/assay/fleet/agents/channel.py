"""A connection between coordinator and agent, sealed with the token of the fleet.

Both ends prove that they know the token without sending it, and every frame is encrypted and authenticated
with keys that only this connection has: HKDF (RFC 5869) of the token and of one random number of each end,
then ChaCha20-Poly1305 (RFC 8439) with the number of the frame as nonce. A frame that is changed, left out or
sent again breaks the connection. Whoever learns the token later can read what was recorded earlier.
"""

from __future__ import annotations

import json
import secrets
import socket
import struct
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_GREETING = b"assay-fleet-2\n"
_RANDOM = 32
_KEY = 32
_LENGTH = struct.Struct(">I")
_LONGEST = 1 << 26
_FIRST_LONGEST = 1 << 12
"""Bytes that a stranger can make an agent hold before its first frame proves that it knows the token."""
_MESSAGE, _LINES = b"m", b"l"

Frame = bytes | dict[str, Any]
"""Lines as they are, or a message."""


class ChannelClosed(ConnectionError):
    """The other end has closed the connection, or it broke."""


class WrongToken(ConnectionError):
    """The other end does not know the token of this fleet, or is no end of a fleet at all."""


class Channel:
    """One sealed connection. One thread may receive while others send.

    `calls`: whether this end has opened the connection; it then proves the token with an empty message, for
    which the other end waits no longer than `greets_s` in all. Raises `WrongToken` where the other end greets
    in another way or has another token, and `OSError` where the connection breaks; to the end that calls, a
    wrong token shows in the first frame.
    """

    def __init__(
        self, connection: socket.socket, token: bytes, *, calls: bool, greets_s: float | None = None
    ) -> None:
        self.socket = connection
        self._deadline = None if greets_s is None else time.monotonic() + greets_s
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        own = secrets.token_bytes(_RANDOM)
        connection.sendall(_GREETING + own)
        greeted = self._exactly(len(_GREETING) + _RANDOM)
        if not greeted.startswith(_GREETING):
            raise WrongToken("the other end is no agent of a fleet")
        other = greeted[len(_GREETING) :]
        caller, called = (own, other) if calls else (other, own)
        keys = HKDF(SHA256(), 2 * _KEY, salt=caller + called, info=b"assay fleet").derive(token)
        first, second = ChaCha20Poly1305(keys[:_KEY]), ChaCha20Poly1305(keys[_KEY:])
        self._seal, self._open = (first, second) if calls else (second, first)
        self._sent = self._received = 0
        self._sending = threading.Lock()
        if calls:
            self.send({})
        else:
            self.message()
        self._deadline = None

    def send(self, message: Mapping[str, Any]) -> None:
        """Sends a message. Raises `OSError` when the connection is gone."""
        self._send(_MESSAGE + json.dumps(message).encode())

    def send_lines(self, lines: bytes) -> None:
        """Sends lines of events. Raises `OSError` when the connection is gone."""
        self._send(_LINES + lines)

    def _send(self, content: bytes) -> None:
        with self._sending:
            sealed = self._seal.encrypt(self._sent.to_bytes(12, "big"), content, None)
            self._sent += 1
            self.socket.sendall(_LENGTH.pack(len(sealed)) + sealed)

    def receive(self) -> Frame:
        """Returns the next frame.

        Raises `ChannelClosed` at the end of the connection, `TimeoutError` after the socket's own time limit,
        and `WrongToken` for a frame that was not sealed with this token.
        """
        (size,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if size > (_LONGEST if self._received else _FIRST_LONGEST):
            raise WrongToken(f"the other end announces a frame of {size} bytes")
        sealed = self._exactly(size)
        try:
            content = self._open.decrypt(self._received.to_bytes(12, "big"), sealed, None)
        except InvalidTag:
            raise WrongToken("the other end has another token") from None
        self._received += 1
        if content[:1] == _LINES:
            return content[1:]
        message = json.loads(content[1:])
        assert isinstance(message, dict)
        return message

    def message(self) -> dict[str, Any]:
        """Returns the next frame, which must be a message. Raises as `receive` does."""
        frame = self.receive()
        if isinstance(frame, bytes):
            raise ChannelClosed("the other end sent lines where it owed an answer")
        return frame

    def close(self) -> None:
        """Ends the connection; a thread that receives hears of it."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def _exactly(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            if self._deadline is not None:
                left_s = self._deadline - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError("the other end did not prove the token in time")
                self.socket.settimeout(left_s)
            piece = self.socket.recv(min(size - len(content), 1 << 16))
            if not piece:
                raise ChannelClosed("the other end has closed the connection")
            content += piece
        return bytes(content)
