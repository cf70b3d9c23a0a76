"""Asks a server before any load whether it would refuse the statements of the load's own session."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from assay.base.errors import InputError, ServerError
from assay.design.plan import SCHEMA_OPTIONS, Treatment
from assay.design.study import Scalar, option_text
from assay.measurement.source.writing import writes_rows
from assay.system.server import Connection
from assay.system.server.variables import session_variables

_OFF = ("", "0", "off", "false", "no")
_SHORTEST_S = 1.0
"""The shortest limit of a statement's time that a load is measured under: a commit that waits for the disk
and a load's index may take as long.
"""
_TIMED_OUT = (1969, 3024)
"""Errors that say that a statement took longer than it may."""
_MAY_WRITE = re.compile(r"ALL PRIVILEGES ON \*\.\*|READ ONLY ADMIN|READ_ONLY ADMIN|CONNECTION_ADMIN")
_SUPER = re.compile(r"\bSUPER\b.* ON \*\.\*")
_SPLIT_SUPER = (10, 11)
"""The MariaDB from which SUPER no longer allows writes to a server that is read only."""


@dataclass(frozen=True)
class _Session:
    """The variables of a session by name in lower case, and whether its account writes where others may
    not.
    """

    values: Mapping[str, str]
    may_write: bool

    def on(self, name: str) -> bool:
        return self.values.get(name, "").lower() not in _OFF

    def number(self, name: str) -> float | None:
        with suppress(ValueError):
            return float(self.values[name]) if name in self.values else None
        return None


def check_session(
    connection: Connection,
    treatment: Treatment,
    where: str,
    *,
    connections: int = 0,
    make_tables: Callable[[str], None] | None = None,
) -> None:
    """Raises InputError where the server, by its variables and those that a run sets, would refuse statements
    of the load.

    The connection must be of the load's account. `make_tables` is called with the reason why no table can be
    made, where there is one.
    """
    try:
        session = _read(connection, treatment.dynamic)
    except ServerError as error:
        if error.code not in _TIMED_OUT:
            raise
        raise InputError(
            f"{where}: the server ends statements before it has answered one: {error.message}",
            hint="set max_statement_time to 0, of the server and by ALTER USER",
        ) from error
    _check(session, treatment, where, connections, make_tables)


def check_stated(variables: Mapping[str, Scalar], treatment: Treatment, where: str) -> None:
    """Raises InputError where a server that is started with these variables would refuse statements of the
    load, which the account of a private server makes.
    """
    values = {_plain(name): option_text(value) for name, value in variables.items()}
    _check(_Session(values, may_write=True), treatment, where, 0, None)


def _check(
    session: _Session,
    treatment: Treatment,
    where: str,
    connections: int,
    make_tables: Callable[[str], None] | None,
) -> None:
    for reason, hint in _of_any_load(session, connections, prepares=treatment.ps_mode != "disable"):
        raise InputError(f"{where}: {reason}", hint=hint)
    for reason, hint in _of_writes(session):
        if writes_rows(treatment):
            raise InputError(f"{where}: {reason}, and the load writes", hint=hint)
        if make_tables is not None:
            make_tables(reason)
    for reason in _of_new_tables(session, _engine(treatment)) if make_tables is not None else ():
        assert make_tables is not None
        make_tables(reason)


def asks_for_a_session(variables: Mapping[str, Scalar]) -> bool:
    """Returns whether a server with these variables may refuse statements, which only a session shows."""
    return any(_plain(name) in _NAMES for name in variables)


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")


def _read(connection: Connection, dynamic: Mapping[str, Scalar]) -> _Session:
    values = session_variables(connection)
    values |= {_plain(name): option_text(value) for name, value in dynamic.items()}
    granted = ""
    with suppress(ServerError):
        granted = "\n".join(str(row[0]) for row in connection.rows("SHOW GRANTS"))
    return _Session(values, bool(_MAY_WRITE.search(granted)) or _writes_by_super(values, granted))


def _writes_by_super(values: Mapping[str, str], granted: str) -> bool:
    version = values.get("version", "")
    numbers = tuple(int(part) for part in re.findall(r"\d{1,4}", version)[:2])
    is_split = "mariadb" in version.lower() and numbers >= _SPLIT_SUPER
    return bool(_SUPER.search(granted)) and not is_split


def _of_any_load(session: _Session, connections: int, *, prepares: bool) -> Iterator[tuple[str, str]]:
    for name, unit_s, of in (
        ("max_statement_time", 1.0, "each statement"),
        ("max_execution_time", 1e-3, "each SELECT"),
    ):
        limit = session.number(name)
        if limit and limit * unit_s < _SHORTEST_S:
            yield (
                f"{name} = {session.values[name]} ends {of} after {limit * unit_s:g} s, so that statements of"
                " the load or of its tables fail",
                f"set {name} to 0, or to a second and more, of the server and by ALTER USER",
            )
    most = session.number("max_user_connections")
    if most and most < connections:
        yield (
            f"the account may have {most:g} connections (max_user_connections), and the load has"
            f" {connections}",
            "raise max_user_connections, or use fewer threads",
        )
    prepared = session.number("max_prepared_stmt_count")
    if prepares and prepared is not None and prepared < max(connections, 1):
        yield (
            f"the server keeps {prepared:g} prepared statements (max_prepared_stmt_count), and each of"
            f" {max(connections, 1)} connections prepares some",
            'raise max_prepared_stmt_count, or set ps_mode = "disable" in [load]',
        )


def _of_writes(session: _Session) -> Iterator[tuple[str, str]]:
    for name in ("innodb_read_only", "super_read_only", "transaction_read_only", "tx_read_only"):
        if session.on(name):
            yield f"{name} = {session.values[name]} refuses every write", f"set {name} to OFF"
    if session.on("read_only") and not session.may_write:
        yield (
            f"read_only = {session.values['read_only']} refuses the account's writes",
            "set read_only to OFF, or measure where the server may be written",
        )


def _of_new_tables(session: _Session, engine: str) -> Iterator[str]:
    enforced = session.values.get("enforce_storage_engine", "")
    if enforced and enforced.lower() not in ("null", "none", engine.lower()):
        yield f"enforce_storage_engine = {enforced} refuses tables of {engine}"
    disabled = [name.strip() for name in session.values.get("disabled_storage_engines", "").split(",")]
    if engine.lower() in map(str.lower, disabled):
        yield f"disabled_storage_engines has {engine}"


def _engine(treatment: Treatment) -> str:
    return str(treatment.workload_options.get(SCHEMA_OPTIONS["schema.engine"], "") or "InnoDB")


_NAMES = frozenset(
    {
        "max_statement_time",
        "max_execution_time",
        "max_user_connections",
        "max_prepared_stmt_count",
        "innodb_read_only",
        "super_read_only",
        "transaction_read_only",
        "tx_read_only",
        "read_only",
        "enforce_storage_engine",
        "disabled_storage_engines",
    }
)
"""The variables that are asked for."""
