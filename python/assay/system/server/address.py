"""Reads a server's address and login from a DSN:
`dsn:mysql://user@host:port/db?socket=/path&ssl_mode=verify-ca&…`.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from assay.base.errors import InputError
from assay.design.study import masked

if TYPE_CHECKING:
    from assay.system.server.connection import Connection

__all__ = ["PASSWORD_ENV", "SECRETS", "Address", "Tls", "is_loopback", "parse_dsn", "password_variable"]

PASSWORD_ENV = "ASSAY_PASSWORD"

SECRETS = {PASSWORD_ENV, "MYSQL_PWD"}
"""Variables of the environment that hold passwords; no server of the lab inherits them."""

TLS_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")

_SHAPE = "dsn:mysql://user@host:3306/database, or dsn:mysql://user@localhost/database?socket=/path/to.sock"
_YES = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}


@dataclass(frozen=True)
class Tls:
    """TLS settings of a connection, under the names of the MySQL clients' options.

    `mode` None means TLS where the server offers it over a network, and none on this machine.

    `server_public_key` and `get_server_public_key` say how a password is encrypted where there is no TLS.
    """

    mode: str | None = None
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    server_public_key: str | None = None
    get_server_public_key: bool = False

    def given(self) -> dict[str, Any]:
        """Returns the settings that differ from their defaults, by name."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name)) != one.default}


@dataclass(frozen=True)
class Address:
    """The address of a server; a socket takes precedence over host and port. `password_env` names the
    variable that holds the password.

    `password` is for servers that the lab has started, whose password is in no environment variable.
    """

    user: str
    socket: Path | None = None
    host: str = "127.0.0.1"
    port: int = 3306
    password_env: str | None = None
    database: str | None = None
    tls: Tls = Tls()
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.user}@{self.socket or f'{self.host}:{self.port}'}"

    @property
    def on_this_machine(self) -> bool:
        """Whether the connection stays on this machine: a unix socket, or the loopback interface."""
        return self.socket is not None or is_loopback(self.host)

    def connect(self, *, timeout_s: float = 10.0, read_timeout_s: float | None = None) -> Connection:
        """Opens a connection with autocommit and no database. Raises ConnectError when there is no server, or
        it refuses the login.

        `read_timeout_s` limits each answer; the default is READ_S.
        """
        from assay.system.server.connection import (  # a driver, for who connects
            READ_S,
            Connection,
            tls_context,
        )

        tls = self.tls
        mode = tls.mode or ("disabled" if self.on_this_machine else "preferred")
        try:
            context = tls_context(mode, tls.ca, tls.cert, tls.key)
            key = Path(tls.server_public_key).read_bytes() if tls.server_public_key else None
        except OSError as error:  # SSLError is one
            raise InputError(
                f"the files that the DSN of {self} names for TLS or keys cannot be used: {error}",
                hint="ssl_ca, ssl_cert, ssl_key and server_public_key are PEM files",
            ) from error
        where: dict[str, Any] = (
            {"unix_socket": str(self.socket)} if self.socket else {"host": self.host, "port": self.port}
        )
        return Connection(
            where=str(self),
            password_from=f"${self.password_env or PASSWORD_ENV}",
            login_s=timeout_s,
            answer_s=read_timeout_s or READ_S,
            public_key=key,
            key_from_server=self.socket is not None or tls.get_server_public_key,
            tls=context,
            tls_required=mode not in ("disabled", "preferred"),
            user=self.user,
            password=self._password().encode(),
            **where,
        )

    def environment(self) -> dict[str, str]:
        """Returns the environment variable with the password that the engine needs to log in; empty without a
        password.
        """
        return {self.password_env or PASSWORD_ENV: self._password()} if self._password() else {}

    def _password(self) -> str:
        if self.password is not None:
            return self.password
        return os.environ.get(self.password_env, "") if self.password_env else ""


def parse_dsn(text: str) -> Address:
    """Returns the address in `dsn:mysql://…`. Raises InputError, which names the fault and the correct
    form.
    """
    try:
        parts = urlsplit(text.removeprefix("dsn:"))
        password, options = parts.password, parse_qs(parts.query, keep_blank_values=True)
    except ValueError as error:
        raise _wrong(text, str(error)) from None
    if password is not None:
        raise InputError(
            f"the DSN of user {parts.username} must not contain a password: study files are shared",
            hint=f"remove it; put it in ${PASSWORD_ENV}, or name another variable with ?password_env=NAME",
        )
    if parts.scheme not in ("mysql", "mariadb"):
        raise _wrong(text, "it does not start with mysql://")
    if not parts.username:
        raise _wrong(text, "no user")
    unknown = sorted(options.keys() - _OPTIONS)
    if unknown:
        raise _wrong(text, f"unknown option {unknown[0]!r} (known: {', '.join(_OPTIONS)})")
    said = {name: values[-1] for name, values in options.items() if values[-1]}
    try:
        port = parts.port or 3306
    except ValueError:
        raise _wrong(text, "the port is not a number from 1 to 65535") from None
    named = said.get("password_env")
    if named:
        SECRETS.add(named)
    return Address(
        user=unquote(parts.username),
        socket=Path(said["socket"]) if "socket" in said else None,
        # A name would make clients look for a socket of their own; the loopback address says what is meant.
        host="127.0.0.1" if parts.hostname in (None, "localhost") else str(parts.hostname),
        port=port,
        password_env=named or password_variable(),
        database=unquote(parts.path.strip("/")) or None,
        tls=_tls(text, said),
    )


def password_variable() -> str | None:
    """Returns the name of the environment variable with the password where nobody has named one; None where
    there is none.
    """
    return PASSWORD_ENV if PASSWORD_ENV in os.environ else None


_OPTIONS = (
    *("socket", "password_env", "ssl_mode", "ssl_ca", "ssl_cert", "ssl_key"),
    *("server_public_key", "get_server_public_key"),
)


def is_loopback(host: str) -> bool:
    """Returns whether a host name or address is that of this machine to itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _tls(text: str, said: dict[str, str]) -> Tls:
    mode = said["ssl_mode"].lower().replace("_", "-") if "ssl_mode" in said else None
    if mode is not None and mode not in TLS_MODES:
        raise _wrong(text, f"ssl_mode must be one of {', '.join(TLS_MODES)}")
    if mode is None and "ssl_ca" in said:
        mode = "verify-ca"  # as the MySQL clients take it
    if mode in ("verify-ca", "verify-identity") and "ssl_ca" not in said:
        raise _wrong(text, f"ssl_mode={mode} needs ssl_ca, the certificates that are trusted")
    if ("ssl_cert" in said) != ("ssl_key" in said):
        raise _wrong(text, "ssl_cert and ssl_key must be given together")
    asked = said.get("get_server_public_key", "false").lower()
    if asked not in _YES:
        raise _wrong(text, "get_server_public_key must be true or false")
    return Tls(
        mode=mode,
        ca=said.get("ssl_ca"),
        cert=said.get("ssl_cert"),
        key=said.get("ssl_key"),
        server_public_key=said.get("server_public_key"),
        get_server_public_key=_YES[asked],
    )


def new_password() -> str:
    """Returns a random password that every server's password rules accept."""
    return f"{secrets.token_urlsafe(18)}-Aa1"


def _wrong(text: str, why: str) -> InputError:
    return InputError(f"{masked(text)!r} is not a server address: {why}", hint=f"write {_SHAPE}")
