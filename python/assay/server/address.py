"""Where a server is and how to log in: `dsn:mysql://user@host:port/db?socket=/path&password_env=NAME`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import pymysql
from pymysql.cursors import Cursor

from assay.errors import ConnectError, InputError

PASSWORD_ENV = "ASSAY_PASSWORD"
if TYPE_CHECKING:
    Connection = pymysql.connections.Connection[Cursor]
else:
    Connection = pymysql.connections.Connection

_SHAPE = "dsn:mysql://user@host:3306/database, or dsn:mysql://user@localhost/database?socket=/path/to.sock"
_ACCESS_DENIED = {1044, 1045, 1130, 1524, 1698}  # server error codes


@dataclass(frozen=True)
class Address:
    """A socket wins over host and port. `password_env` names the variable that holds the password."""

    user: str
    socket: Path | None = None
    host: str = "127.0.0.1"
    port: int = 3306
    password_env: str | None = None
    database: str | None = None

    def __str__(self) -> str:
        return f"{self.user}@{self.socket or f'{self.host}:{self.port}'}"

    def connect(self, *, timeout_s: float = 10.0, read_timeout_s: float | None = None) -> Connection:
        """A connection with autocommit, no database chosen. ConnectError: no server, or no login."""
        try:
            return pymysql.connect(
                **self._arguments(), connect_timeout=timeout_s, read_timeout=read_timeout_s
            )
        except pymysql.err.OperationalError as error:
            code, text = error.args[0], str(error.args[-1])
            if code in _ACCESS_DENIED:
                variable = self.password_env or PASSWORD_ENV
                hint = f"check the user's name and host; its password is read from ${variable}"
            else:
                hint = "is the server running, and is the address right?"
            raise ConnectError(f"cannot log in at {self}: {text}", hint=hint) from error

    def _arguments(self) -> dict[str, Any]:
        password = os.environ.get(self.password_env, "") if self.password_env else ""
        where: dict[str, Any] = (
            {"unix_socket": str(self.socket)} if self.socket else {"host": self.host, "port": self.port}
        )
        return {**where, "user": self.user, "password": password, "autocommit": True, "charset": "utf8mb4"}


def parse_dsn(text: str) -> Address:
    """An address from `dsn:mysql://…`. InputError says what is wrong and the shape that is right."""
    parts = urlsplit(text.removeprefix("dsn:"))
    if parts.scheme not in ("mysql", "mariadb"):
        raise _wrong(text, f"it starts with {parts.scheme or 'no scheme'!r}, not with mysql://")
    if parts.password is not None:
        raise InputError(
            f"a password stands in the DSN of user {parts.username}: study files are shared",
            hint=f"take it out; put it in ${PASSWORD_ENV}, or name another variable with ?password_env=NAME",
        )
    if not parts.username:
        raise _wrong(text, "no user")
    options = parse_qs(parts.query, keep_blank_values=True)
    unknown = options.keys() - {"socket", "password_env"}
    if unknown:
        raise _wrong(text, f"unknown option {sorted(unknown)[0]!r} (known: socket, password_env)")
    try:
        port = parts.port or 3306
    except ValueError:
        raise _wrong(text, "the port is not a number from 1 to 65535") from None
    socket = options.get("socket", [None])[0]
    named = options.get("password_env", [None])[0]
    return Address(
        user=unquote(parts.username),
        socket=Path(socket) if socket else None,
        # A name would make clients look for a socket of their own; the loopback address says what is meant.
        host="127.0.0.1" if parts.hostname in (None, "localhost") else str(parts.hostname),
        port=port,
        password_env=named or (PASSWORD_ENV if PASSWORD_ENV in os.environ else None),
        database=unquote(parts.path.strip("/")) or None,
    )


def _wrong(text: str, why: str) -> InputError:
    return InputError(f"{text!r} is not a server address: {why}", hint=f"write {_SHAPE}")
