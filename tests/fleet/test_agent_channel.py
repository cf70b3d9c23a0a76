"""The channel to an agent: its token, and frames that nobody may change."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from agent_process import TOKEN
from assay.errors import InputError
from assay.fleet import make_token, read_token
from assay.fleet.agents.channel import Channel, ChannelClosed, WrongToken


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


def test_frames_that_are_changed_break_the_connection() -> None:
    near, far = socket.socketpair()
    ends: list[Channel] = []
    other = threading.Thread(target=lambda: ends.append(Channel(far, TOKEN, calls=False)))
    other.start()
    caller = Channel(near, TOKEN, calls=True)
    other.join()
    (called,) = ends
    caller.send({"a": 1})
    assert called.message() == {"a": 1}
    called.send_lines(b"x\n")
    assert caller.receive() == b"x\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caller, "_sent", 0)  # a frame once more
        caller.send({"a": 1})
    with pytest.raises(WrongToken):
        called.receive()
    near.close()
    with pytest.raises((WrongToken, ChannelClosed)):
        called.receive()
