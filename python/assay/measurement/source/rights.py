"""Asks a running server, before any load, what the account of a study may do there, and says the GRANT that
is missing.

A statement is prepared and not carried out: MariaDB, and MySQL before 8.0, then check its rights, for a
variable each its own. Newer MySQL does so only when a statement is carried out, so there the account's grants
are read, with those of its roles in force.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from assay.base.errors import InputError, ServerError
from assay.system.server import Connection, quoted_name
from assay.system.server.variables import READ_ONLY, server_identity

DENIED = 1227
"""The server's error for a right that an account lacks."""
_DENIED = (1044, 1142, 1143, DENIED, 1370)
"""Errors that say that an account lacks a right."""
_SESSION_ALONE = 1228
_OF_ERROR = re.compile(r"one of\) the (.+?) privilege")
_GRANT = re.compile(
    r"(?P<verb>GRANT|REVOKE) (?P<what>.+?) ON (?:(?P<kind>TABLE|FUNCTION|PROCEDURE|PACKAGE(?: BODY)?) )?"
    r"(?P<database>\*|[`'\"]?.*?[`'\"]?)\.(?P<table>\*|[`'\"].*?[`'\"]|\w+) (?:TO|FROM) "
)
_COLUMNS = re.compile(r"\s*\([^)]*\)")
_ALL = ("ALL", "ALL PRIVILEGES")
_SETS = ("SYSTEM_VARIABLES_ADMIN", "SUPER")
_OF_TABLES = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "INDEX", "ALTER")
"""What a study needs that makes its own tables and writes to them, and drops them by `cleanup`."""
_READS = frozenset(
    {
        *("USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "SYSTEM_VARIABLES_ADMIN"),
        *(
            "SESSION_VARIABLES_ADMIN",
            "REPLICATION CLIENT",
            "BINLOG MONITOR",
            "SLAVE MONITOR",
            "REPLICA MONITOR",
        ),
        *("CONNECTION ADMIN", "BINLOG ADMIN"),
    }
)
"""Rights by which nothing can be made and no row changed."""


@dataclass(frozen=True)
class Lack:
    """A right that an account lacks: what it is for, the server's words, and the statement that gives it."""

    what: str
    said: str
    grant: str


@dataclass(frozen=True)
class Grants:
    """What an account was granted, as (right, database, table); "*" is each, and databases are patterns."""

    rights: frozenset[tuple[str, str, str]]
    revoked: frozenset[tuple[str, str]] = frozenset()
    unread: tuple[str, ...] = ()
    """Lines of grants in a form that nobody knows."""

    @classmethod
    def of(cls, lines: Iterable[str]) -> Grants:
        """Returns the grants in the lines of SHOW GRANTS."""
        rights: set[tuple[str, str, str]] = set()
        revoked: set[tuple[str, str]] = set()
        unread = []
        for line in lines:
            found = _GRANT.match(line)
            if found is None:
                if not re.match(r"GRANT (PROXY ON |[`'\"]?\S+[`'\"]? TO |.+@.+ TO )|SET DEFAULT ROLE ", line):
                    unread.append(line)
                continue
            database, table = (_bare(found[part]) for part in ("database", "table"))
            for one in _COLUMNS.sub("", found["what"]).split(","):
                right = one.strip().upper()
                if found["verb"] == "REVOKE":
                    revoked.add((right, database))
                else:
                    rights.add((right, database, table))
        return cls(frozenset(rights), frozenset(revoked), tuple(unread))

    def has_everywhere(self, *one_of: str) -> bool:
        """Returns whether the account has one of these rights at the whole server."""
        return any(
            right in (*_ALL, *one_of)
            for right, database, table in self.rights
            if (database, table) == ("*", "*")
        )

    def may(self, right: str, database: str) -> bool:
        """Returns whether the account has a right in a database, or for some table of it."""
        if any(of in (*_ALL, right) and name == database for of, name in self.revoked):
            return False
        return any(of in (*_ALL, right) and _matches(pattern, database) for of, pattern, _ in self.rights)

    def beyond_reading(self) -> list[str]:
        """Returns the rights by which something could be made or changed; with lines that nobody could
        read.
        """
        found = {
            f"{right} ON {database}.{table}" for right, database, table in self.rights if right not in _READS
        }
        return [*sorted(found), *self.unread]


def grants_of(connection: Connection) -> Grants:
    """Returns the grants of the connection's account, with those of its roles in force."""
    question = "SHOW GRANTS"
    if not _is_mariadb(connection):  # MariaDB shows those of the role beside the account's
        with suppress(ServerError):
            for roles, *_ in connection.rows("SELECT CURRENT_ROLE()"):
                if roles and str(roles) != "NONE":
                    question = f"SHOW GRANTS FOR CURRENT_USER() USING {roles}"
    return Grants.of(str(line) for line, *_ in connection.rows(question))


def lacking_for_variables(connection: Connection, names: Iterable[str]) -> Iterator[Lack]:
    """Yields what the account lacks to set these global variables, by the names that the server has; sets
    nothing.

    Raises InputError for a variable that no server sets while it runs, where the server says so.
    """
    identity = server_identity(connection)
    needs_grants = not _is_mariadb(connection) and identity.version[:1] >= (8,)
    grants = grants_of(connection) if needs_grants else None
    for name in names:
        error = _refusal(connection, f"SET GLOBAL {quoted_name(name)} = 1")
        if error is not None and error.code in (READ_ONLY, _SESSION_ALONE):
            raise InputError(
                f"server.dynamic.{name} cannot be set while a server runs: {error.message}",
                hint="it needs a restart, so only a server that the lab starts can have it"
                if error.code == READ_ONLY
                else "leave it out",
            )
        if error is not None and error.code in _DENIED:
            asked = _OF_ERROR.search(error.message)
            right = asked[1].split(",")[-1].strip() if asked else _SETS[0]
            yield Lack(f"set {name}", error.message, _statement(connection, right, "*.*"))
        elif grants is not None and not grants.has_everywhere(*_SETS):
            said = f"the account has neither {' nor '.join(_SETS)}"
            yield Lack(f"set {name}", said, _statement(connection, _SETS[0], "*.*"))


def lacking_for_tables(connection: Connection, database: str) -> Lack | None:
    """Returns the right to make tables in a database that the account lacks; None where it has all."""
    where = quoted_name(database)
    for statement in (
        f"CREATE TABLE {where}.`assay_right` (id INT)",
        f"INSERT INTO {where}.`assay_right` VALUES (1)",
    ):
        error = _refusal(connection, statement)
        if error is not None and error.code in _DENIED:
            grant = _statement(connection, ", ".join(_OF_TABLES), f"{where}.*")
            return Lack("make tables", error.message, grant)
    return None


def lacking_for_load(connection: Connection, database: str, *, writes: bool) -> Lack | None:
    """Returns the right that the account lacks in a database for a load; None where it has all, and where its
    grants cannot be read.
    """
    needed = ("SELECT", "INSERT", "UPDATE", "DELETE") if writes else ("SELECT",)
    try:
        grants = grants_of(connection)
    except ServerError:
        return None
    lacking = [] if grants.unread else [right for right in needed if not grants.may(right, database)]
    if not lacking:
        return None
    where = f"{quoted_name(database)}.*"
    return Lack(
        "carry out the load",
        f"it has no {', '.join(lacking)} in {database}",
        _statement(connection, ", ".join(lacking), where),
    )


def lacking_for_samples(connection: Connection) -> Lack | None:
    """Returns the right without which the counters of InnoDB are not recorded; None where there is nothing to
    grant.
    """
    try:
        connection.rows("SELECT COUNT(*) FROM information_schema.INNODB_METRICS")
    except ServerError as error:
        if error.code in _DENIED:
            return Lack("read InnoDB's counters", error.message, _statement(connection, "PROCESS", "*.*"))
    return None


def is_denied(error: ServerError) -> bool:
    """Returns whether an error says that the account lacks a right."""
    return error.code in _DENIED


def _refusal(connection: Connection, statement: str) -> ServerError | None:
    """Returns the error with which the server refuses to prepare a statement; None where it prepares it."""
    try:
        connection.rows("PREPARE assay_right FROM %s", (statement,), columns=0)
        connection.rows("DEALLOCATE PREPARE assay_right", columns=0)
    except ServerError as error:
        return error
    return None


def _statement(connection: Connection, rights: str, where: str) -> str:
    """Returns the GRANT for the connection's account, as the server knows it."""
    (account,) = connection.rows("SELECT CURRENT_USER()")[:1]
    user, _, host = str(account[0]).rpartition("@")
    return f"GRANT {rights} ON {where} TO '{user}'@'{host}'"


def _is_mariadb(connection: Connection) -> bool:
    return "mariadb" in server_identity(connection).version_text.lower()


def _bare(name: str) -> str:
    """Returns a name without its quotes."""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "`'\"":
        return name[1:-1].replace(name[0] * 2, name[0])
    return name


def _matches(pattern: str, database: str) -> bool:
    """Returns whether a grant's database, which may have the wildcards of LIKE, is this one."""
    if pattern in ("*", database):
        return True
    parts = re.findall(r"\\.|.", pattern)
    wild = {"%": ".*", "_": "."}
    expression = "".join(wild.get(part) or re.escape(part[-1]) for part in parts)
    return re.fullmatch(expression, database, re.DOTALL) is not None
