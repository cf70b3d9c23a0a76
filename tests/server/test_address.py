"""Addresses of running servers, and servers used through them."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import ConnectError, InputError, ServerError
from assay.system.server import Address, Instance, RunningServer, parse_dsn
from assay.system.server.process.port import free_port


@pytest.fixture(autouse=True)
def _no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_PASSWORD", raising=False)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (
            "dsn:mysql://lab@db.example:3307/sbtest",
            Address(user="lab", host="db.example", port=3307, database="sbtest"),
        ),
        ("dsn:mysql://a%40b@localhost", Address(user="a@b")),
        (
            "dsn:mariadb://root@localhost/x?socket=/run/my.sock",
            Address(user="root", socket=Path("/run/my.sock"), database="x"),
        ),
        ("mysql://u@h?password_env=PW", Address(user="u", host="h", password_env="PW")),
    ],
)
def test_what_a_dsn_says(text: str, address: Address) -> None:
    assert parse_dsn(text) == address


def test_the_usual_variable_holds_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_PASSWORD", "s3cret")
    assert parse_dsn("dsn:mysql://u@h").password_env == "ASSAY_PASSWORD"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dsn:postgres://u@h/db", "does not start with mysql://"),
        ("dsn:mysql://u@[::1/db", "Invalid IPv6"),
        ("dsn:mysql://u@h/db?ssl_mode=always", "ssl_mode must be one of"),
        ("dsn:mysql://u@h/db?ssl_mode=VERIFY_CA", "needs ssl_ca"),
        ("dsn:mysql://u@h/db?ssl_cert=c.pem", "must be given together"),
        ("dsn:mysql://u@h/db?get_server_public_key=maybe", "true or false"),
        ("dsn:mysql://u:s3cret/x@h/db?no=1", "is not a server address"),
        ("dsn:mysql://h/db", "no user"),
        ("dsn:mysql://u@h:notaport/db", "port is not a number"),
        ("dsn:mysql://u@h/db?ssl=on", "unknown option 'ssl'"),
        ("dsn:mysql://u:s3cret@h/db", "the DSN of user u must not contain a password"),
    ],
)
def test_what_it_should_not_say(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        parse_dsn(text)
    assert "s3cret" not in caught.value.message


def test_nobody_there() -> None:
    address = Address(user="root", port=free_port())
    with pytest.raises(ConnectError, match=r"cannot connect to root@127\.0\.0\.1"):
        address.connect()
    assert not RunningServer(address, {}).alive()


@pytest.mark.live
def test_a_running_server_is_used_as_it_is(mariadb: Instance) -> None:
    by_port = Address(user="root", port=mariadb.port, password=mariadb.password)
    server = RunningServer(by_port, {"innodb_buffer_pool_size": "64M"})
    assert server.alive()
    assert server.verify() == {"innodb_buffer_pool_size": str(64 << 20)}
    other = RunningServer(by_port, {"innodb_buffer_pool_size": "1G", "no_such": 1})
    with pytest.raises(ServerError) as caught:
        other.verify()
    assert "asked for 1G, the server has 67108864" in caught.value.message
    assert "no_such: the server has no such variable" in (caught.value.detail or "")


@pytest.mark.live
def test_a_login_that_is_refused(mariadb: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PW", "wrong")
    with pytest.raises(ConnectError, match="Access denied") as caught:
        Address(user="root", socket=mariadb.socket, password_env="PW").connect()
    assert "$PW" in (caught.value.hint or "")
