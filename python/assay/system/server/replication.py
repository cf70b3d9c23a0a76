"""Replication between a source and replicas: variables, statements and status of each build, from the
flavours' data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymysql.cursors import DictCursor

from assay.base.errors import HostError, InputError, ServerError
from assay.design.folder import Scalar
from assay.system.server.connection import Connection
from assay.system.server.flavour import Replication
from assay.system.server.process.port import LOOPBACK
from assay.system.server.release.build import Build
from assay.system.server.variables.catalogue import catalogue, plain
from assay.system.server.variables.reading import global_status
from assay.system.server.variables.translate import known_only, name_there

LABS_OWN = (
    *("server_id", "log_bin", "skip_log_bin", "disable_log_bin", "gtid_mode", "enforce_gtid_consistency"),
    *("relay_log_recovery", "slave_net_timeout", "replica_net_timeout"),
)
"""Variables that a study cannot set: other values would prevent replication, or make it another than the
options ask for.
"""

Position = tuple[str, int]
"""A position in the source's binary log: file and byte. Later ones compare as greater."""


@dataclass(frozen=True)
class ReplicaState:
    """A replica's replication status. `applied` is the position in the source's log up to which it has
    applied.

    `relay_log` is the number of the relay log file that its applier reads.
    """

    receiving: bool
    applying: bool
    applied: Position
    relay_log: int
    error: str


def replication_of(build: Build) -> Replication:
    """Returns the replication data of this build. Raises ServerError when its flavour has none for the
    version.
    """
    for entry in build.flavour.replication:
        if entry.holds(build.version):
            return entry
    raise ServerError(
        f"cannot set up replication of {build}: its statements are unknown",
        hint="docs/adding/server.md says where to add it",
    )


def require_free(given: Iterable[str]) -> None:
    """Raises InputError when one of these variables is the lab's to set."""
    for name in given:
        if plain(name) in LABS_OWN:
            raise InputError(
                f"server variable {name} is set by the replication experiment itself",
                hint="take it out; [experiment] has positions, relay_log_recovery, net_timeout_s",
            )


def replication_variables(
    build: Build, given: Mapping[str, Scalar], *, server_id: int, gtid: bool
) -> dict[str, Scalar]:
    """Returns the variables that a server needs, on top of the `given` ones, to take part in replication.

    Raises InputError when the given ones would make it another topology.
    """
    require_free(given)
    known = replication_of(build)
    needed = {"server_id": server_id, **known.variables, **(known.gtid_variables if gtid else {})}
    knows = catalogue(build).knows
    said = {name_there(build.flavour, name, knows) for name in given}
    return {
        name: value
        for name, value in known_only(build, needed).items()
        if name_there(build.flavour, name, knows) not in said
    }


def finds_by_gtid(build: Build, positions: str) -> bool:
    """Returns whether replicas find their position by GTID; `positions` is "gtid", "file", or "auto" (GTID
    where the build has it). Raises InputError for "gtid" where it has none.
    """
    there = replication_of(build).by_gtid is not None
    if positions == "gtid" and not there:
        raise InputError(f"{build} has no GTIDs", hint='write positions = "file" or "auto"')
    return there and positions != "file"


def require_semi_sync(build: Build) -> None:
    """Raises HostError when this build's semi-synchronous plugins are not in its plugin directory; starts
    nothing.
    """
    folder = Path(catalogue(build).defaults.get("plugin_dir", ""))
    for file in replication_of(build).semi_sync.plugins.values():
        if not (folder / file).is_file():
            raise HostError(
                f"{build} cannot replicate semi-synchronously: {file} is not in {folder}",
                hint='write mode = "async", or use a server that comes with its plugins: mariadb, mysql@9.7',
            )


class Replicating:
    """Replication statements in the dialect of one build. Each method's connection is to the server it names:
    source or replica.
    """

    def __init__(self, build: Build, *, gtid: bool) -> None:
        self._known = replication_of(build)
        self._gtid = gtid

    def attach(self, replica: Connection, port: int, password: str, heartbeat_s: float) -> None:
        """Makes the replica follow the source that listens on this port, from its first transaction on."""
        self._say(replica, self.change(port, password, heartbeat_s))

    def change(self, port: int, password: str, heartbeat_s: float) -> str:
        """Returns the statement that names the source. `heartbeat_s` is the interval of heartbeats from an
        idle source; 0: none.

        The password is encrypted with the key that the source itself sends, since the connection stays on
        loopback.
        """
        known = self._known
        place = known.by_gtid if self._gtid else known.by_file
        options = [
            f"{known.source}_HOST = '{LOOPBACK}'",
            f"{known.source}_PORT = {port}",
            f"{known.source}_USER = 'root'",
            f"{known.source}_PASSWORD = '{password}'",
            f"{known.source}_CONNECT_RETRY = 1",
            f"{known.source}_HEARTBEAT_PERIOD = {heartbeat_s:g}",
            *known.options,
            *([place] if place else []),
        ]
        return f"{known.change} {', '.join(options)}"

    def start(self, replica: Connection, part: str = "") -> None:
        """Starts the replica's threads, or one `part`: "IO_THREAD", which receives, or "SQL_THREAD", which
        applies.
        """
        self._say(replica, f"START {self._known.replica} {part}")

    def stop(self, replica: Connection, part: str = "") -> None:
        """Stops the replica's threads, or one `part` of them; names of parts as for `start`."""
        self._say(replica, f"STOP {self._known.replica} {part}")

    def source_position(self, source: Connection) -> Position:
        """Returns the end of the source's binary log."""
        row = self._row(source, self._known.where)
        if row is None:
            raise ServerError("the source must write a binary log")
        return str(row["File"]), int(row["Position"])

    def state(self, replica: Connection) -> ReplicaState:
        """Returns a replica's replication status. Raises ServerError when the server is no replica."""
        row = self._row(replica, f"SHOW {self._known.replica} STATUS")
        if row is None:
            raise ServerError("the server is not a replica")
        side, source = self._known.replica.capitalize(), self._known.source.capitalize()
        return ReplicaState(
            receiving=row[f"{side}_IO_Running"] == "Yes",
            applying=row[f"{side}_SQL_Running"] == "Yes",
            applied=(str(row[f"Relay_{source}_Log_File"]), int(row[f"Exec_{source}_Log_Pos"])),
            relay_log=int(str(row["Relay_Log_File"]).rpartition(".")[2] or 0),
            error=str(row["Last_IO_Error"] or row["Last_SQL_Error"] or ""),
        )

    def has_read_all(self, replica: Connection) -> bool:
        """Returns whether the replica has applied all that it has received."""
        with replica.cursor() as cursor:
            cursor.execute("SHOW PROCESSLIST")
            return "has read all relay log" in str(cursor.fetchall()).lower()

    def dismiss(self, source: Connection) -> None:
        """Ends the source's threads that send to replicas, for which MySQL waits some ten seconds at its
        shutdown.
        """
        with source.cursor() as cursor:
            cursor.execute("SHOW PROCESSLIST")
            for row in cursor.fetchall():
                if str(row[4]).startswith("Binlog Dump"):
                    with suppress(ServerError):  # it has just ended
                        cursor.execute(f"KILL {int(row[0])}")

    def load_semi_sync(self, server: Connection) -> None:
        """Loads the semi-synchronous plugins that are missing; does nothing where they are built in."""
        with server.cursor() as cursor:
            cursor.execute("SHOW PLUGINS")
            there = {str(row[0]).lower() for row in cursor.fetchall()}
        for name, file in self._known.semi_sync.plugins.items():
            if name not in there:
                self._say(server, f"INSTALL PLUGIN {name} SONAME '{file}'")

    def semi_sync_source(self, source: Connection, timeout_ms: int) -> None:
        """Makes commits on the source wait for a replica, for at most `timeout_ms`."""
        prefix = self._known.semi_sync.source
        self._say(source, f"SET GLOBAL {prefix}_timeout = {timeout_ms}")
        self._say(source, f"SET GLOBAL {prefix}_enabled = 1")

    def semi_sync_off(self, source: Connection) -> None:
        """Turns semi-synchronous replication off, which also releases commits that wait."""
        self._say(source, f"SET GLOBAL {self._known.semi_sync.source}_enabled = 0")

    def semi_sync_replica(self, replica: Connection) -> None:
        """Makes the replica acknowledge what it receives, from the next start of its receiver on."""
        self._say(replica, f"SET GLOBAL {self._known.semi_sync.replica}_enabled = 1")

    def semi_sync_in_force(self, source: Connection) -> tuple[bool, int]:
        """Returns whether commits wait now, and how many replicas acknowledge."""
        prefix = self._known.semi_sync.source.capitalize()
        values = global_status(source, f"{prefix}%")
        return values[f"{prefix}_status"] == "ON", int(values[f"{prefix}_clients"])

    def unacknowledged(self, source: Connection) -> int:
        """Returns the number of commits so far that no replica acknowledged in time."""
        name = f"{self._known.semi_sync.source.capitalize()}_no_tx"
        return int(global_status(source, name)[name])

    @staticmethod
    def _say(server: Connection, statement: str) -> None:
        with server.cursor() as cursor:
            cursor.execute(statement)

    @staticmethod
    def _row(server: Connection, statement: str) -> dict[str, Any] | None:
        with server.cursor(DictCursor) as cursor:
            cursor.execute(statement)
            row: dict[str, Any] | None = cursor.fetchone()
            return row
