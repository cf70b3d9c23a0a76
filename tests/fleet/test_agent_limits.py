"""What an agent takes from strangers, and from whoever knows the token."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from agent_process import TOKEN
from assay.errors import InputError
from assay.fleet import Agent
from assay.fleet.agents.channel import Channel, WrongToken
from assay.fleet.agents.job_check import checked_job, has_script
from assay.fleet.agents.strangers import MOST, MOST_OF_AN_ADDRESS, Strangers

_GREETING = b"assay-fleet-2\n" + bytes(32)


@pytest.fixture
def agent() -> Iterator[Agent]:
    agent = Agent("127.0.0.1", 0, TOKEN)
    threading.Thread(target=agent.serve, daemon=True).start()
    yield agent
    agent.close()


def _call(agent: Agent) -> Channel:
    return Channel(socket.create_connection(("127.0.0.1", agent.port), timeout=10), TOKEN, calls=True)


def _is_closed(stranger: socket.socket) -> bool:
    stranger.settimeout(5)
    try:
        while stranger.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    return True


def test_strangers_never_shut_out_who_knows_the_token(agent: Agent) -> None:
    strangers = [socket.create_connection(("127.0.0.1", agent.port)) for _ in range(MOST + 16)]
    for stranger in strangers[::2]:
        stranger.sendall(_GREETING + (4096).to_bytes(4, "big") + b"x")
    for _ in range(3):
        channel = _call(agent)
        channel.send({"want": "nothing"})
        assert "refused" in channel.message()
        channel.close()
    for stranger in strangers:
        stranger.close()


def test_a_greeting_has_one_time_limit_however_often_a_byte_comes(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.fleet.agents.agent._GREETS_S", 0.5)
    stranger = socket.create_connection(("127.0.0.1", agent.port))
    stranger.sendall(_GREETING + (4096).to_bytes(4, "big"))
    began = time.monotonic()
    with suppress(ConnectionError):
        while time.monotonic() < began + 5:
            stranger.sendall(b"x")
            time.sleep(0.1)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "sent",
    [
        _GREETING + (4097).to_bytes(4, "big"),
        _GREETING + b"\xff\xff\xff\xff",
        _GREETING + (16).to_bytes(4, "big") + bytes(16),
        _GREETING + bytes(4),
        b"GET / HTTP/1.1\r\n\r\n" + bytes(40),
        bytes(200),
    ],
)
def test_what_no_token_has_sealed_ends_the_connection(agent: Agent, sent: bytes) -> None:
    stranger = socket.create_connection(("127.0.0.1", agent.port))
    stranger.sendall(sent)
    assert _is_closed(stranger)


def test_another_token_is_refused_before_anything_is_asked() -> None:
    near, far = socket.socketpair()
    threading.Thread(target=lambda: Channel(near, os.urandom(32), calls=True), daemon=True).start()
    with pytest.raises(WrongToken, match="another token"):
        Channel(far, TOKEN, calls=False)


def test_the_oldest_stranger_of_the_address_with_most_makes_room() -> None:
    strangers, pairs = Strangers(), []

    def admit(address: str) -> socket.socket:
        near, far = socket.socketpair()
        pairs.append((near, far))
        strangers.admit(near, address)
        far.setblocking(False)
        return far

    def is_open(far: socket.socket) -> bool:
        try:
            return far.recv(1) != b""
        except BlockingIOError:
            return True

    ours = admit("198.51.100.1")
    many = [admit("192.0.2.1") for _ in range(MOST_OF_AN_ADDRESS + 1)]
    assert [is_open(one) for one in many] == [False] + [True] * MOST_OF_AN_ADDRESS
    for number in range(MOST - MOST_OF_AN_ADDRESS):
        admit(f"203.0.113.{number}")
    assert is_open(ours)
    for near, far in pairs:
        near.close()
        far.close()


_PLAIN = {"action": "run", "workload": {"name": "select"}, "target": {"password_env": "MINE"}}


@pytest.mark.parametrize(
    ("changed", "env", "words"),
    [
        ({}, {"LD_PRELOAD": "/x.so"}, "names no password in LD_PRELOAD"),
        ({}, {"MINE": "p", "PATH": "/tmp"}, "names no password in PATH"),
        ({"workload": {"name": "lua:x.lua"}}, {}, "runs no scripts"),
        ({"workload": {"name": "x", "script": {"source": "os.exit()"}}}, {}, "runs no scripts"),
        ({"more": [{"deep": {"workload": "lua:oltp_insert"}}]}, {}, "runs no scripts"),
    ],
)
def test_a_job_may_not_do_more_than_the_agent_allows(
    changed: dict[str, object], env: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        checked_job(json.dumps({**_PLAIN, **changed}), env, scripts=False)


@pytest.mark.parametrize("job", ["", "[]", "nonsense", "[" * 100_000])
def test_a_job_that_is_no_object_is_refused(job: str) -> None:
    with pytest.raises(InputError, match="no JSON object"):
        checked_job(job, {}, scripts=True)


def test_a_password_goes_by_a_name_of_the_agents_own() -> None:
    preload = {**_PLAIN, "target": {"password_env": "LD_PRELOAD"}}
    job, variables = checked_job(json.dumps(preload), {"LD_PRELOAD": "secret"}, scripts=False)
    (name,) = variables
    assert name.startswith("ASSAY_FLEET_PASSWORD_")
    assert variables[name] == "secret"
    assert json.loads(job)["target"]["password_env"] == name
    assert has_script({"order": [{"use": "lua:x"}]})
    assert not has_script(_PLAIN)


def test_a_script_is_refused_by_an_agent_without_them(agent: Agent) -> None:
    job = json.dumps({**_PLAIN, "workload": {"name": "lua:x.lua", "script": {"source": "os.exit()"}}})
    for want in (
        {"want": "generator", "load": "l", "name": "g", "job": job, "env": {}},
        {
            "want": "generator",
            "load": "l",
            "name": "g",
            "job": json.dumps(_PLAIN),
            "env": {"LD_PRELOAD": "x"},
        },
    ):
        channel = _call(agent)
        channel.send(want)
        assert "refused" in channel.message()
        channel.close()
