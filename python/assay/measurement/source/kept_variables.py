"""Keeps on disk what a running server had before a study set its variables, and gives it back.

The record is written before anything is set, and removed when the server has its values again. So the next
command can give them back after a kill of the lab. The record holds no password, but the name of the variable
of the environment that has it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Self

import msgspec

from assay.base.durable import write_whole
from assay.base.errors import AssayError, HostError, ServerError
from assay.base.locks import locked
from assay.design.study import number
from assay.system.server import SECRETS, Address, Connection, Tls, home, password_variable, quoted_name
from assay.system.server.variables import (
    READ_ONLY,
    global_status,
    global_variables,
    server_identity,
    set_running,
)

_FOLDER = "set"
_CUT = 1000
"""SHOW VARIABLES cuts values at a length that depends on the version, 1024 characters at least."""
_SAME_START_S = 2
_LOGIN_S = 3.0
"""How long a command waits for a server that a killed study has left, and that may be gone for good."""


class KeptVariables(msgspec.Struct, frozen=True, kw_only=True):
    """What a server had: values by name, None for NULL, in the order in which they were set.

    `wrote`: what the server showed once they were set; nothing until then. `moved`: what other variables had
    that changed with them. `started`: when the server started, in
    seconds since 1970; a server that was started since has its own values again.
    """

    user: str
    socket: str | None
    host: str
    port: int
    password_env: str | None
    tls: dict[str, str | bool]
    started: int
    had: dict[str, str | None]
    wrote: dict[str, str] = {}
    moved: dict[str, str] = {}

    @classmethod
    def of(cls, address: Address, had: dict[str, str | None], started: int) -> Self:
        return cls(
            user=address.user,
            socket=None if address.socket is None else str(address.socket),
            host=address.host,
            port=address.port,
            password_env=address.password_env,
            tls=address.tls.given(),
            started=started,
            had=had,
        )

    def written(self, wrote: dict[str, str], moved: dict[str, str]) -> Self:
        """Returns the record with what the server shows now, and what moved with it."""
        return msgspec.structs.replace(self, wrote=wrote, moved=moved)

    @property
    def address(self) -> Address:
        if self.password_env is not None:
            SECRETS.add(self.password_env)
        return Address(
            user=self.user,
            socket=None if self.socket is None else Path(self.socket),
            host=self.host,
            port=self.port,
            password_env=self.password_env or password_variable(),
            tls=replace(Tls(), **self.tls),  # type: ignore[arg-type]
        )

    @property
    def by_hand(self) -> str:
        """The statements that give the server back what it had."""
        moved = self.moved.items() if self.wrote else ()  # until then nobody knows what has moved
        values = (*reversed(self.had.items()), *moved)
        return "; ".join(f"SET GLOBAL {name} = {_as_sql(value)}" for name, value in values)


def kept_file(connection: Connection, address: Address) -> Path:
    """Returns where the values of a server are kept, whichever address leads to it, as far as it says what it
    is.
    """
    try:
        variables = global_variables(connection)
    except ServerError as error:
        if error.code is None:  # not the server's own refusal
            raise
        variables = {}
    known = [variables.get(name, "") for name in ("hostname", "port", "socket", "datadir")]
    own = "|".join(known) if any(known) else f"{address.socket or address.host}:{address.port}"
    return home() / _FOLDER / f"{hashlib.sha256(own.encode()).hexdigest()[:16]}.json"


def keep(file: Path, record: KeptVariables) -> None:
    write_whole(file, msgspec.json.encode(record))


def exact(connection: Connection, name: str, shown: str) -> str | None:
    """Returns the value of a global variable; SHOW VARIABLES shows NULL as nothing, and cuts long ones."""
    if 0 < len(shown) < _CUT:
        return shown
    ((value, *_),) = connection.rows(f"SELECT @@GLOBAL.{quoted_name(name)}")
    return None if value is None else str(value)


def started_at(connection: Connection) -> int:
    """Returns when the server started, in seconds since 1970 by its own clock, however that was set since."""
    ((now, *_),) = connection.rows("SELECT UNIX_TIMESTAMP()")
    uptime = global_status(connection, "Uptime").get("Uptime")
    if uptime is None:
        raise ServerError("the server does not say since when it runs: SHOW GLOBAL STATUS has no Uptime")
    return int(now) - int(uptime)


def _as_sql(value: str | None) -> str:
    """Returns a value as SET GLOBAL takes it: numbers without quotes, which servers refuse for them."""
    if value is None:
        return "NULL"
    return value if number(value) is not None else "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def give_back(address: Address, file: Path) -> list[str]:
    """Gives a server back what is kept of it, and forgets it; returns a line for each value that somebody
    else has changed since, which is left alone.

    The caller has the lock of the file. Raises ServerError, with the statements to carry out by hand, where
    the server cannot be given back what it had; the record stays.
    """
    if not file.is_file():
        return []
    record = _read(file)
    try:
        with closing(address.connect()) as connection:
            lines = _give_back(connection, record, address)
    except AssayError as error:
        raise ServerError(
            f"the server at {address} was not given back what it had: {error.message}",
            hint=f"the next command tries again; by hand: {record.by_hand}",
        ) from error
    file.unlink()
    return lines


def sweep_variables() -> list[str]:
    """Gives servers back what killed studies have left set; returns a line for each. Servers of living
    studies are left alone.
    """
    return [line for file in _records() for line in _alone(file, _swept)]


def left_variables() -> list[str]:
    """Returns a line for each server on which a killed study has left variables set; changes nothing."""
    return [line for file in _records() for line in _alone(file, _left)]


def _records() -> list[Path]:
    return sorted((home() / _FOLDER).glob("*.json"))


def _alone(file: Path, what: Callable[[Path], list[str]]) -> list[str]:
    """Returns what is to be said of a record, unless its study lives."""
    try:
        with locked(file.with_suffix(".lock"), wait=False):
            return what(file) if file.is_file() else []
    except BlockingIOError:
        return []
    except AssayError as error:
        return [error.message]


def _left(file: Path) -> list[str]:
    record = _read(file)
    names = ", ".join(record.had)
    return [f"a killed study has left {names} set at {record.address}; `assay run` gives back what was there"]


def _swept(file: Path) -> list[str]:
    record = _read(file)
    address = record.address
    try:
        with closing(address.connect(timeout_s=_LOGIN_S)) as connection:
            if kept_file(connection, address) != file:
                raise ServerError("another server answers at this address")
            lines = _give_back(connection, record, address)
    except AssayError as error:
        return [
            f"the server at {address} has values that a killed study set, and was not given back its own:"
            f" {error.message}{f' ({error.hint})' if error.hint else ''}; by hand: {record.by_hand}"
        ]
    file.unlink()
    return lines or [f"gave the server at {address} back what it had: {', '.join(record.had)}"]


def _read(file: Path) -> KeptVariables:
    """Returns a record. Raises HostError for a file that somebody else may have written: it says where a
    password is sent.
    """
    if file.lstat().st_uid != os.geteuid() or not stat.S_ISREG(file.lstat().st_mode):
        raise HostError(f"{file} is not a file of this account, and is not read", hint="remove it")
    try:
        return msgspec.json.decode(file.read_bytes(), type=KeptVariables)
    except msgspec.MsgspecError as error:
        raise HostError(
            f"{file} cannot be read: {error}",
            hint="it says what a server had before a study: compare the server's variables, then remove it",
        ) from error


def _give_back(connection: Connection, record: KeptVariables, address: Address) -> list[str]:
    if abs(started_at(connection) - record.started) > _SAME_START_S:
        return [f"the server at {address} was started since a study set its variables: it has its own again"]
    lines = []
    # Of two of which one limits the other, the last first: so they were accepted before. What moved with them
    # may have moved back.
    for name, value in (*reversed(record.had.items()), *record.moved.items()):
        now = global_variables(connection)
        shown = now.get(name, "")
        if value == (exact(connection, name, shown) if name in record.had else shown):
            continue
        if name in record.wrote and record.wrote[name] != shown:
            lines.append(
                f"{name} at {address} is left at {shown}: it was changed since the study set it to"
                f" {record.wrote[name]} (and {value} was there before)"
            )
            continue
        try:
            _restore(connection, name, value, address)
        except ServerError as error:
            if name in record.had or error.code != READ_ONLY:
                raise
            lines.append(f"{name} at {address} is left at {shown}: it moved with what the study set")
    return lines


def _restore(connection: Connection, name: str, value: str | None, address: Address) -> None:
    if value is not None and len(value) < _CUT:
        flavour = server_identity(connection).flavour
        set_running(flavour, connection, {name: value}, f"server at {address}")
        return
    try:
        connection.rows(f"SET GLOBAL {quoted_name(name)} = %s", (value,), columns=0)
    except ServerError:
        if value is not None:
            raise
        connection.rows(f"SET GLOBAL {quoted_name(name)} = DEFAULT", columns=0)
    if (current := exact(connection, name, "")) != value:
        raise ServerError(f"{name} is {current} after it was set to {value}")
