"""A connection between coordinator and agent: TLS 1.3 with the certificate of the fleet's token at both ends.

Each end proves in the handshake that it knows the token, and no frame passes before. A frame that is changed,
left out or sent again breaks the connection.
"""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from assay.measurement.fleet.agents.certificate import PROTOCOL, tls_context

_OLDER_GREETING = b"assay-fleet-"
"""The first bytes of both ends before version 3 of the channel, which had no TLS."""
_HANDSHAKE_LONGEST = 1 << 14
_PIECE = 1 << 12
"""Bytes that a stranger can make an agent hold before the token is proved: the handshake, and a piece."""
_LENGTH = struct.Struct(">I")
_LONGEST = 1 << 26
_MESSAGE, _LINES = b"m", b"l"
_REFUSED = ("UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN")
"""Parts of the alerts by which the other end refuses a certificate."""

Frame = bytes | dict[str, Any]
"""Lines as they are, or a message."""


class ChannelClosed(ConnectionError):
    """The other end has closed the connection, or it broke."""


class WrongToken(ConnectionError):
    """The other end does not know the token of this fleet, or is no end of a fleet at all."""


class OtherVersion(ConnectionError):
    """The other end is an agent or a coordinator of a version of Assay that speaks another protocol."""


class Channel:
    """One encrypted connection. One thread may receive while others send.

    `calls`: whether this end has opened the connection. The handshake takes no longer than `greets_s` in all.
    Raises `WrongToken` where the other end has another token or speaks no TLS, `OtherVersion` where it speaks
    another protocol of Assay, and `OSError` where the connection breaks.
    """

    def __init__(
        self, connection: socket.socket, token: bytes, *, calls: bool, greets_s: float | None = None
    ) -> None:
        context = tls_context(token, calls=calls)
        self.socket = connection
        self._deadline = None if greets_s is None else time.monotonic() + greets_s
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # OpenSSL's state is for one thread at a time. A lock around a blocking read would keep others from
        # sending, so that TLS works in memory, and the socket is read and written outside of `_turn`.
        self._arrived, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._arrived, self._leaving, server_side=not calls)
        self._turn, self._sending = threading.Lock(), threading.Lock()
        self._shake_hands()
        self._deadline = None

    def send(self, message: Mapping[str, Any]) -> None:
        """Sends a message. Raises `OSError` when the connection is gone."""
        self._send(_MESSAGE + json.dumps(message).encode())

    def send_lines(self, lines: bytes) -> None:
        """Sends lines of events. Raises `OSError` when the connection is gone."""
        self._send(_LINES + lines)

    def _send(self, content: bytes) -> None:
        with self._sending:
            with self._turn:
                left = memoryview(_LENGTH.pack(len(content)) + content)
                while left:
                    left = left[self._tls.write(left) :]
            self._flush()

    def receive(self) -> Frame:
        """Returns the next frame.

        Raises `ChannelClosed` at the end of the connection, `TimeoutError` after the socket's own time limit,
        and `WrongToken` for what the other end cannot have sent so.
        """
        (size,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if size > _LONGEST:
            raise WrongToken(f"the other end announces a frame of {size} bytes")
        content = self._exactly(size)
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

    def _shake_hands(self) -> None:
        heard = 0
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self._flush()
            except ssl.SSLError as error:
                with suppress(OSError):
                    self._flush()  # the alert, by which the other end learns why
                raise WrongToken(_refusal(error)) from None
            if heard >= _HANDSHAKE_LONGEST:
                raise WrongToken("the other end is no agent of a fleet")
            piece = self._piece(_PIECE)
            if not heard and piece[: len(_OLDER_GREETING)] == _OLDER_GREETING[: len(piece)]:
                raise OtherVersion("the other end has an older version of Assay")
            heard += len(piece)
            self._arrived.write(piece)
        self._flush()
        if self._tls.selected_alpn_protocol() != PROTOCOL:
            raise OtherVersion("the other end has another version of Assay")

    def _exactly(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            content += self._opened(size - len(content))
        return bytes(content)

    def _opened(self, most: int) -> bytes:
        """Returns the next bytes inside TLS, at least one."""
        while True:
            try:
                with self._turn:
                    opened = self._tls.read(most)
            except ssl.SSLWantReadError:
                piece = self._piece(1 << 16)
                with self._turn:
                    self._arrived.write(piece)
                continue
            except ssl.SSLZeroReturnError:
                opened = b""
            except ssl.SSLError:
                raise WrongToken("what the other end sent was changed on its way") from None
            if not opened:
                raise ChannelClosed("the other end has closed the connection")
            return opened

    def _flush(self) -> None:
        with self._turn:
            leaving = self._leaving.read()
        if leaving:
            self.socket.sendall(leaving)

    def _piece(self, most: int) -> bytes:
        """Returns the next bytes of the socket, at least one."""
        if self._deadline is not None:
            left_s = self._deadline - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("the other end did not prove the token in time")
            self.socket.settimeout(left_s)
        piece = self.socket.recv(most)
        if not piece:
            raise ChannelClosed("the other end has closed the connection")
        return piece


def _refusal(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError) or any(
        word in (error.reason or "") for word in _REFUSED
    ):
        return "the other end has another token"
    return "the other end is no agent of a fleet"
