"""What an agent takes from strangers, and from whoever knows the token."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from agent_process import TOKEN
from assay.base.errors import HostError, InputError
from assay.measurement.fleet import Agent, AgentAddress, facts_of
from assay.measurement.fleet.agents.certificate import PROTOCOL, tls_context
from assay.measurement.fleet.agents.channel import Channel, OtherVersion, WrongToken
from assay.measurement.fleet.agents.job_check import checked_job, has_script
from assay.measurement.fleet.agents.strangers import MOST, MOST_OF_AN_ADDRESS, Strangers

_RECORD = b"\x16\x03\x01"
"""The first bytes of a TLS handshake; its length follows."""
_OLDER = b"assay-fleet-2\n" + bytes(32)
"""The greeting of both ends before the channel had TLS."""


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
        stranger.sendall(_RECORD + (4096).to_bytes(2, "big") + b"x")
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
    monkeypatch.setattr("assay.measurement.fleet.agents.agent._GREETS_S", 0.5)
    stranger = socket.create_connection(("127.0.0.1", agent.port))
    stranger.sendall(_RECORD + (4096).to_bytes(2, "big") + b"\x01\x00\x0f\xfc")
    began = time.monotonic()
    with suppress(ConnectionError):
        while time.monotonic() < began + 5:
            stranger.sendall(b"x")
            time.sleep(0.1)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "sent",
    [
        _OLDER + (4097).to_bytes(4, "big"),
        _OLDER[:5],
        _RECORD + b"\xff\xff",
        _RECORD + (16).to_bytes(2, "big") + bytes(16),
        b"GET / HTTP/1.1\r\n\r\n" + bytes(40),
        bytes(200),
    ],
)
def test_what_is_no_handshake_of_the_fleet_ends_the_connection(agent: Agent, sent: bytes) -> None:
    stranger = socket.create_connection(("127.0.0.1", agent.port))
    stranger.sendall(sent)
    assert _is_closed(stranger)


def test_a_handshake_has_a_length() -> None:
    """OpenSSL alone would keep a first message of 128 KiB."""
    near, far = socket.socketpair()
    first = b"\x01\x01\xff\x00"  # a ClientHello of 130,816 bytes
    for content in (first + bytes(4092), *[bytes(4096)] * 5):
        near.sendall(_RECORD + (4096).to_bytes(2, "big") + content)
    with pytest.raises(WrongToken, match="is no agent of a fleet"):
        Channel(far, TOKEN, calls=False, greets_s=2)


def test_another_token_is_refused_before_anything_is_asked() -> None:
    near, far = socket.socketpair()
    far.settimeout(10)

    def call() -> None:
        with suppress(WrongToken):
            Channel(near, os.urandom(32), calls=True)

    threading.Thread(target=call, daemon=True).start()
    with pytest.raises(WrongToken, match="another token"):
        Channel(far, TOKEN, calls=False)


def _without_certificate() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_alpn_protocols([PROTOCOL])
    return context


def _with_another_certificate() -> ssl.SSLContext:
    return tls_context(b"of somebody else in between", calls=True)


def _with_older_tls() -> ssl.SSLContext:
    context = tls_context.__wrapped__(TOKEN, calls=True)
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


@pytest.mark.parametrize("of", [_without_certificate, _with_another_certificate, _with_older_tls])
def test_a_tls_client_that_does_not_prove_the_token_hears_nothing(
    agent: Agent, of: Callable[[], ssl.SSLContext]
) -> None:
    context = of()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    heard = b""
    with (
        socket.create_connection(("127.0.0.1", agent.port), timeout=10) as stranger,
        suppress(OSError),
        context.wrap_socket(stranger) as client,
    ):
        content = b'm{"want":"facts"}'
        client.sendall(len(content).to_bytes(4, "big") + content)
        heard = client.recv(1)
    assert heard == b""


def test_an_agent_with_another_certificate_is_told_nothing() -> None:
    """Another end in its place has no certificate of the token, so the caller ends before its first frame."""
    near, far = socket.socketpair()
    far.settimeout(10)
    server = tls_context(b"of somebody else in between", calls=False)
    server.verify_mode = ssl.CERT_NONE
    caught: list[BaseException] = []

    def call() -> None:
        try:
            Channel(near, TOKEN, calls=True)
        except WrongToken as wrong:
            caught.append(wrong)

    caller = threading.Thread(target=call)
    caller.start()
    with (
        pytest.raises(ssl.SSLError, match=r"(?i)unknown ca"),
        server.wrap_socket(far, server_side=True) as end,
    ):
        end.recv(1)
    caller.join()
    assert "another token" in str(caught[0])


@pytest.mark.parametrize("calls", [True, False])
def test_an_end_of_an_older_version_is_named_as_such(calls: bool) -> None:
    near, far = socket.socketpair()
    far.sendall(_OLDER)
    with pytest.raises(OtherVersion, match="an older version of Assay"):
        Channel(near, TOKEN, calls=calls)


def test_an_agent_of_an_older_version_is_to_be_replaced() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(_OLDER)
                connection.recv(46)

        threading.Thread(target=serve, daemon=True).start()
        at = AgentAddress("h1", "127.0.0.1", listener.getsockname()[1])
        with pytest.raises(HostError, match=r"h1 .* has another version of Assay") as caught:
            facts_of(at, TOKEN)
    assert "install the same wheel on h1" in str(caught.value.hint)


def test_ends_whose_frames_have_another_form_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = socket.socketpair()
    newer = tls_context.__wrapped__(TOKEN, calls=True)
    newer.set_alpn_protocols(["assay-fleet-4"])

    def call() -> None:
        with suppress(OSError), newer.wrap_socket(near) as end:
            end.recv(1)

    threading.Thread(target=call, daemon=True).start()
    with pytest.raises(OtherVersion, match="another version of Assay"):
        Channel(far, TOKEN, calls=False)
    far.close()


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
