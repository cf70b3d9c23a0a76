"""The lab's connections to servers that misbehave: typed errors, within limits, and no password revealed."""

from __future__ import annotations

import sys
from pathlib import Path

import hostile_server as bad
import pytest
from assay.base.errors import AssayError, ConnectError, HostError, ServerError, ServerLost
from assay.front.cli import exit_code_of
from assay.system.server import Address, StatusSource, server_facts
from assay.system.server.address import Tls, parse_dsn
from assay.system.server.connection import Connection
from assay.system.server.variables.reading import global_variables, server_version, version_numbers

PASSWORD = "Canary-pw-7391"


def greeting_of(version: bytes) -> bad.Misbehave:
    return lambda talk: talk.greet(version)


def refusing(talk: bad.Talk) -> None:
    talk.error(1045, b"Access denied")


def full(talk: bad.Talk) -> None:
    talk.error(1040, b"Too many connections")


LITTLE_S, MUCH_S = 0.5, 60.0
"""Limits: where the server is to exceed it, and where the test machine may be slow."""

WITHOUT_END = {bad.silence, bad.dribble, bad.noise, bad.file_request}
"""After these a login may wait for more."""


def connected(port: int, *, login_s: float = MUCH_S, answer_s: float = LITTLE_S) -> Connection:
    address = Address(user="u", port=port, password=PASSWORD)
    return address.connect(timeout_s=login_s, read_timeout_s=answer_s)


@pytest.mark.parametrize(
    ("greeting", "login", "words"),
    [
        (bad.noise, None, "cannot log in at u@127"),
        (bad.close, None, "connection lost"),
        (bad.silence, None, "no whole answer within 0.5 s"),
        (bad.dribble, None, "no whole answer within 0.5 s"),
        (full, None, "Too many connections"),
        (bad.Talk.greet, bad.silence, "no whole answer within 0.5 s"),
        (bad.Talk.greet, bad.noise, "cannot log in"),
        (bad.Talk.greet, bad.close, "connection lost"),
        (bad.Talk.greet, refusing, "Access denied"),
        (bad.Talk.greet, bad.file_request, "cannot log in"),
    ],
)
def test_a_bad_login(greeting: bad.Misbehave, login: bad.Misbehave | None, words: str) -> None:
    limit_s = MUCH_S if WITHOUT_END.isdisjoint((greeting, login)) else LITTLE_S
    with bad.hostile(greeting=greeting, login=login) as port, pytest.raises(ConnectError, match=words):
        connected(port, login_s=limit_s)


@pytest.mark.parametrize(
    "version", [b"words", b"x.y.z", b"\xff\xfe\xfd", "²³.1".encode("latin-1", "replace"), b"9" * 5000]
)
def test_a_version_is_any_text_as_for_the_engine(version: bytes) -> None:
    with bad.hostile(greeting=greeting_of(version)) as port:
        connected(port).close()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("10.11.6-MariaDB-log", (10, 11, 6)),
        ("²³.1", (1,)),
        ("words", ()),
        ("8." + "9" * 5000, (8,)),
        ("", ()),
    ],
)
def test_the_numbers_of_a_version(text: str, numbers: tuple[int, ...]) -> None:
    assert version_numbers(text) == numbers


ANSWERS = [
    (bad.noise, ServerError),
    (bad.close, ServerLost),
    (bad.silence, ServerLost),
    (bad.dribble, ServerLost),
    (bad.file_request, ServerError),
    (bad.short_row, ServerError),
    (bad.one_column, ServerError),
    (bad.no_columns, ServerError),
    (bad.cut_definition, ServerError),
    (bad.error, ServerError),
    (bad.torrent, AssayError),
]


@pytest.mark.parametrize(("answer", "kind"), ANSWERS)
def test_a_bad_answer(answer: bad.Misbehave, kind: type[AssayError]) -> None:
    limit_s = MUCH_S if kind is ServerError else LITTLE_S
    with bad.hostile(answer=answer) as port, pytest.raises(kind):
        global_variables(connected(port, answer_s=limit_s))


@pytest.mark.parametrize("answer", [answer for answer, _ in ANSWERS])
def test_facts_and_counters_of_a_bad_server(answer: bad.Misbehave) -> None:
    with bad.hostile(answer=answer) as port:
        with pytest.raises(AssayError):
            server_facts(connected(port))
        with pytest.raises(AssayError):
            StatusSource(connected(port)).read()


def test_the_servers_own_number_is_kept() -> None:
    with bad.hostile(answer=bad.error) as port, pytest.raises(ServerError, match="out of order") as caught:
        global_variables(connected(port, answer_s=MUCH_S))
    assert caught.value.code == 1105


def test_a_version_that_is_words() -> None:
    with bad.hostile(answer=lambda talk: talk.rows((b"a proxy of ours",))) as port:
        assert server_version(connected(port, answer_s=MUCH_S)) == ("a proxy of ours", ())


@pytest.mark.parametrize(
    "plugin", [b"mysql_clear_password", b"dialog", b"caching_sha2_password", b"sha256_password"]
)
def test_a_password_does_not_go_to_whoever_asks(plugin: bytes) -> None:
    bad.HEARD.clear()
    with bad.hostile(login=bad.needs_a_password(plugin)) as port:
        # To this spelling of the loopback address the lab does not look closely: it takes it for a network.
        address = Address(user="u", host="127.1", port=port, password=PASSWORD)
        with pytest.raises(ConnectError, match=r"key that comes over|in clear text"):
            address.connect(timeout_s=MUCH_S)
    assert not any(PASSWORD.encode() in heard or heard == b"\x02" for heard in bad.HEARD)


@pytest.mark.parametrize(
    ("plugin", "package"), [(b"caching_sha2_password", "cryptography"), (b"client_ed25519", "pynacl")]
)
def test_a_package_that_a_login_needs_is_named_with_its_extra(
    plugin: bytes, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (key := tmp_path / "key.pem").write_text("a key that nobody comes to read")
    monkeypatch.setattr("pymysql._auth._have_cryptography", False)
    monkeypatch.setattr("pymysql._auth._nacl_bindings", False)
    monkeypatch.setitem(sys.modules, "nacl", None)
    with bad.hostile(login=bad.needs_a_password(plugin)) as port:
        address = Address(user="u", port=port, password=PASSWORD, tls=Tls(server_public_key=str(key)))
        lacks = f"cannot log in at u@127.*needs the Python package {package}"
        with pytest.raises(HostError, match=lacks) as caught:
            address.connect(timeout_s=MUCH_S)
    assert caught.value.hint == "run pip install 'assay[auth]'"


def test_tls_that_is_required_is_not_done_without() -> None:
    with bad.hostile() as port:
        address = parse_dsn(f"dsn:mysql://u@127.0.0.1:{port}/db?ssl_mode=required")
        with pytest.raises(ConnectError, match="SSL is required"):
            address.connect(timeout_s=MUCH_S)


STUDY = """\
[study]
name = "hostile"
[server]
use = "dsn:mysql://u@127.0.0.1:{port}/db"
[workload]
use = "oltp_read_write"
[load]
threads = [1]
"""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("verb", ["plan", "run"])
@pytest.mark.parametrize(
    "fault",
    [
        {"greeting": bad.noise},
        {"greeting": bad.close},
        {"greeting": greeting_of(b"words")},
        {"login": bad.noise},
        {"login": bad.close},
        *({"answer": answer} for answer, _ in ANSWERS),
    ],
)
def test_a_study_on_a_bad_server_ends_with_a_reason(
    fault: dict[str, bad.Misbehave],
    verb: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.system.server.connection.READ_S", 0.5)
    study = tmp_path / "hostile.toml"
    with bad.hostile(**fault) as port:
        study.write_text(STUDY.format(port=port))
        code = exit_code_of([verb, str(study), "--results", str(tmp_path / "results")])
    said = capsys.readouterr()
    assert code in (3, 4, 5)
    assert "error: " in said.err
    assert "Traceback" not in said.out + said.err
    assert not (tmp_path / "results").exists()
