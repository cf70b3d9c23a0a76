"""Holds a running server for one study: no other sets its variables meanwhile, and it gets back what it had.

Two locks are taken. A file in the lab's home is for the commands of this account, whichever address leads to
the server. GET_LOCK at the server itself is for labs elsewhere; it writes nothing, and ends with its
connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from assay.base.errors import AssayError, ConflictError, ServerError
from assay.base.locks import locked
from assay.design.folder import Scalar
from assay.measurement.source.kept_variables import (
    KeptVariables,
    exact,
    give_back,
    keep,
    kept_file,
    started_at,
)
from assay.system.server import Address, Connection
from assay.system.server.variables import (
    MOVING_VARIABLES,
    NotInForce,
    global_variables,
    name_there,
    server_identity,
    session_variables,
    set_running,
)

_NAME = "assay: one study at a time"
_IDLE_S = 31_536_000
"""The longest time that every server lets a connection be idle (MySQL manual, wait_timeout)."""
_STATED_BY_CLIENTS = frozenset(
    {
        "autocommit",
        "character_set_client",
        "character_set_connection",
        "character_set_results",
        "collation_connection",
    }
)
"""Variables of a session that a client states when it connects, the lab's own among them."""

_HELD: dict[Path, HeldServer] = {}
"""The servers that this process holds: two treatments may have two addresses of one."""


class HeldServer:
    """The right to set the variables of one running server; `held` gives it."""

    def __init__(self, address: Address, file: Path) -> None:
        self.address = address
        self.said: list[str] = []
        """What was left alone, or could not be made sure of, a line each."""
        self._file = file
        self._connection: Connection | None = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other studies away for the length of the block. What a killed study left is given back
        first.
        """
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            try:
                held.enter_context(locked(self._file.with_suffix(".lock"), wait=False))
            except BlockingIOError:
                raise self._other("of this machine") from None
            held.callback(self._let_go)
            self._take()
            give_back(self.address, self._file)
            yield

    @contextmanager
    def set(self, wanted: Mapping[str, Scalar]) -> Iterator[None]:
        """Sets global variables for the length of the block, reads them back, and gives back what the server
        had, also when the block raises.

        Raises ServerError, in the server's words, for a value that it refuses or changes; ServerError that
        says what to set by hand where the server cannot be given back what it had.
        """
        self._take()
        if not wanted:
            yield
            return
        try:
            with closing(self.address.connect()) as connection:
                self._set(connection, wanted)
            yield
        finally:
            self.said += give_back(self.address, self._file)

    def _set(self, connection: Connection, wanted: Mapping[str, Scalar]) -> None:
        flavour, before = server_identity(connection).flavour, global_variables(connection)
        there = (name_there(flavour, name, before.__contains__) for name in wanted)
        names = [name for name in there if name is not None]
        had = {name: exact(connection, name, before[name]) for name in names}
        record = KeptVariables.of(self.address, had, started_at(connection))
        # Killed before it is known what moves, only what is called alike is given back beside them.
        alike = {name: value for name, value in before.items() if _is_alike(name, names) and name not in had}
        keep(self._file, record.written({}, alike))
        try:
            set_running(flavour, connection, wanted, f"server at {self.address}")
        except BaseException:
            with suppress(AssayError):  # of a lost connection nothing more is known than the record has
                self._note(record, before, global_variables(connection))
            raise
        now = global_variables(connection)
        self._note(record, before, now)
        self._check_sessions({name: now[name] for name in names if name in now})

    def _note(self, record: KeptVariables, before: Mapping[str, str], now: Mapping[str, str]) -> None:
        """Adds to the record what the server shows now, and what has moved with it: a lower
        innodb_io_capacity_max lowers innodb_io_capacity.
        """
        moved = {
            name: value
            for name, value in before.items()
            if name not in record.had
            and now.get(name, value) != value
            and not name.startswith(MOVING_VARIABLES)
        }
        wrote = {name: now[name] for name in (*record.had, *moved) if name in now}
        keep(self._file, record.written(wrote, moved))

    def _check_sessions(self, now: Mapping[str, str]) -> None:
        """Raises NotInForce where connections that are opened now have other values: those of a proxy may be
        older than the values, and what `init_connect` sets goes before them.
        """
        with closing(self.address.connect()) as connection:
            theirs = session_variables(connection)
        for name, value in now.items():
            if name not in _STATED_BY_CLIENTS and theirs.get(name, value) != value:
                raise NotInForce(
                    f"server at {self.address}: {name} was set to {value}, and a connection that is opened"
                    f" now has {theirs[name]}",
                    hint="give the address of the server itself and not of a proxy, whose connections are"
                    " older; look at init_connect and at the limits of the account",
                )

    def _take(self) -> None:
        """Takes the lock at the server, or makes sure that it is still this study's."""
        if self._connection is not None:
            try:
                if self._connection.rows("SELECT IS_USED_LOCK(%s) = CONNECTION_ID()", (_NAME,)) == [(1,)]:
                    return
            except AssayError:
                pass  # the connection has ended, and its lock with it
            self._let_go()
        self._connection = self.address.connect()
        answer: list[tuple[object, ...]] = []
        with suppress(ServerError):
            self._connection.rows(f"SET SESSION wait_timeout = {_IDLE_S}", columns=0)
        with suppress(ServerError):
            answer = self._connection.rows("SELECT GET_LOCK(%s, 0)", (_NAME,))
        if answer == [(0,)]:
            raise self._other("of another machine or account")
        line = f"{self.address} gives no lock (GET_LOCK): a study of another machine would go unnoticed"
        if answer != [(1,)] and line not in self.said:
            self.said.append(line)

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _other(self, whose: str) -> ConflictError:
        return ConflictError(
            f"another study {whose} uses the server at {self.address}", hint="wait until it has ended"
        )


def _is_alike(name: str, others: Iterable[str]) -> bool:
    """Returns whether a variable has the first two words of another, as innodb_io_capacity_max has of
    innodb_io_capacity, and does not change by itself.
    """
    begins = {tuple(other.split("_")[:2]) for other in others}
    return tuple(name.split("_")[:2]) in begins and not name.startswith(MOVING_VARIABLES)


@contextmanager
def held(address: Address) -> Iterator[HeldServer]:
    """Yields the server, held for the length of the block; within the block this process may hold it again.

    Raises ConflictError while another study holds it, and ServerError where a server cannot be given back
    what a killed study has left.
    """
    with closing(address.connect()) as connection:
        file = kept_file(connection, address)
    if file in _HELD:
        yield _HELD[file]
        return
    server = HeldServer(address, file)
    with server.alone():
        _HELD[file] = server
        try:
            yield server
        finally:
            del _HELD[file]
