"""The channel to an agent: its token, and frames that nobody may change."""

from __future__ import annotations

import hashlib
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_process import TOKEN
from assay.base.errors import InputError
from assay.measurement.fleet import make_token, read_token
from assay.measurement.fleet.agents.certificate import _certificate
from assay.measurement.fleet.agents.channel import Channel, ChannelClosed, Frame, WrongToken


def test_a_token_is_a_secret_file(tmp_path: Path) -> None:
    path = tmp_path / "fleet" / "token"
    token = make_token(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert make_token(path) == read_token(path) == token
    path.chmod(0o640)
    with pytest.raises(InputError, match="closed to others"):
        read_token(path)
    with pytest.raises(InputError, match="cannot read the token"):
        read_token(tmp_path / "none")


def _ends(near: socket.socket, far: socket.socket) -> tuple[Channel, Channel]:
    """Returns both ends of a channel: the caller's, and the one that is called."""
    ends: list[Channel] = []
    other = threading.Thread(target=lambda: ends.append(Channel(far, TOKEN, calls=False)))
    other.start()
    caller = Channel(near, TOKEN, calls=True)
    other.join()
    return caller, ends[0]


def test_frames_arrive_as_they_were_sent() -> None:
    caller, called = _ends(*socket.socketpair())
    caller.send({"a": 1})
    assert called.message() == {"a": 1}
    called.send_lines(b"x\n")
    assert caller.receive() == b"x\n"
    caller.socket.close()
    with pytest.raises(ChannelClosed):
        called.receive()


def test_both_ends_send_at_once_more_than_the_sockets_hold() -> None:
    """A channel that held its lock while a socket is full would stand still here."""
    ends = _ends(*socket.socketpair())
    lines = b"x" * (1 << 22)
    heard: list[Frame] = []
    work = [
        *(threading.Thread(target=one.send_lines, args=(lines,), daemon=True) for one in ends),
        *(threading.Thread(target=lambda one=one: heard.append(one.receive()), daemon=True) for one in ends),
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(20)
    assert heard == [lines, lines]


def _sealed(send: Channel, frame: dict[str, int]) -> bytes:
    """Returns the bytes by which an end sends a frame, without sending them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(send, "_flush", lambda: None)
        send.send(frame)
    return send._leaving.read()


def _receive_all(end: Channel, heard: list[Frame]) -> None:
    while True:
        heard.append(end.receive())


@pytest.mark.parametrize(
    "change",
    [
        lambda first, second: bytes([*first[:-1], first[-1] ^ 1]),
        lambda first, second: bytes([first[0], first[1], first[2] ^ 1, *first[3:]]),
        lambda first, second: second,  # the first is left out
        lambda first, second: first + first,  # a frame is sent again
        lambda first, second: second + first,
        lambda first, second: b"m{}" + first,
    ],
)
def test_frames_that_are_changed_break_the_connection(change: Callable[[bytes, bytes], bytes]) -> None:
    caller, called = _ends(*socket.socketpair())
    changed = change(_sealed(caller, {"a": 1}), _sealed(caller, {"a": 2}))
    caller.socket.sendall(changed)
    caller.close()
    heard: list[Frame] = []
    with pytest.raises(WrongToken, match="changed on its way"):
        _receive_all(called, heard)
    assert heard in ([], [{"a": 1}])


def test_the_certificate_of_a_token_is_the_same_on_every_host() -> None:
    certificate, _ = _certificate(TOKEN)
    der = ssl.PEM_cert_to_DER_cert(certificate.decode())
    assert (
        hashlib.sha256(der).hexdigest() == "b1b2339641c6cc6216642ac932a04c00e36d123895fcb556711ba9e010a888eb"
    )
