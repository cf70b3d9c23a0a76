"""Source and replicas: what each version wants set, said and read. What differs is data of the flavours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymysql.cursors import DictCursor

from assay.errors import HostError, InputError, ServerError
from assay.folder import Scalar
from assay.server.connection import Connection
from assay.server.flavour import Replication
from assay.server.process.port import LOOPBACK
from assay.server.release.build import Build
from assay.server.variables.catalogue import catalogue, plain
from assay.server.variables.reading import global_status
from assay.server.variables.translate import known_only, name_there

LABS_OWN = (
    *("server_id", "log_bin", "skip_log_bin", "disable_log_bin", "gtid_mode", "enforce_gtid_consistency"),
    *("relay_log_recovery", "slave_net_timeout", "replica_net_timeout"),
)
"""A study cannot set these: without them there is no replication, or another than its options ask for."""

Position = tuple[str, int]
"""A binary log of the source, and a byte in it. Later ones compare as greater."""


@dataclass(frozen=True)
class ReplicaState:
    """What a replica says of itself. `applied`: up to where it has carried the source's log out.

    `relay_log`: the number of the file that it reads what it received from.
    """

    receiving: bool
    applying: bool
    applied: Position
    relay_log: int
    error: str


def replication_of(build: Build) -> Replication:
    """How this build replicates."""
    for entry in build.flavour.replication:
        if entry.holds(build.version):
            return entry
    raise ServerError(
        f"cannot set up replication of {build}: its statements are unknown",
        hint="docs/adding/server.md says where to add it",
    )


def require_free(given: Iterable[str]) -> None:
    """InputError when one of these variables is the lab's to set."""
    for name in given:
        if plain(name) in LABS_OWN:
            raise InputError(
                f"server variable {name} is set by the replication experiment itself",
                hint="take it out; [experiment] has positions, relay_log_recovery, net_timeout_s",
            )


def replication_variables(
    build: Build, given: Mapping[str, Scalar], *, server_id: int, gtid: bool
) -> dict[str, Scalar]:
    """What a server needs on top of those that are `given`, by any name, to take part.

    InputError when those that are given would make it another topology.
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
    """Whether replicas find their place by GTID; `positions` is "gtid", "file", or "auto": where there is."""
    there = replication_of(build).by_gtid is not None
    if positions == "gtid" and not there:
        raise InputError(f"{build} has no GTIDs", hint='positions = "file" (or "auto")')
    return there and positions != "file"


def require_semi_sync(build: Build) -> None:
    """HostError when the plugins of this build are not beside it; nothing is started."""
    folder = Path(catalogue(build).defaults.get("plugin_dir", ""))
    for file in replication_of(build).semi_sync.plugins.values():
        if not (folder / file).is_file():
            raise HostError(
                f"{build} cannot replicate semi-synchronously: {file} is not in {folder}",
                hint='mode = "async", or a server that comes with its plugins: mariadb, mysql@9.7',
            )


class Replicating:
    """The statements of one build. Connections are to the server that is spoken of."""

    def __init__(self, build: Build, *, gtid: bool) -> None:
        self._known = replication_of(build)
        self._gtid = gtid

    def attach(self, replica: Connection, port: int, password: str, heartbeat_s: float) -> None:
        """The replica follows the source that listens on this port, from its first transaction on."""
        self._say(replica, self.change(port, password, heartbeat_s))

    def change(self, port: int, password: str, heartbeat_s: float) -> str:
        """The statement that names the source. `heartbeat_s`: between signs of life of an idle one; 0: none.

        Where the password goes encrypted, the key is the source's own: nobody is between on loopback.
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
        """`part`: only "IO_THREAD", which receives, or "SQL_THREAD", which applies."""
        self._say(replica, f"START {self._known.replica} {part}")

    def stop(self, replica: Connection, part: str = "") -> None:
        """Stops the replica's threads, or one `part` of them; names of parts as for `start`."""
        self._say(replica, f"STOP {self._known.replica} {part}")

    def source_position(self, source: Connection) -> Position:
        """The end of its binary log."""
        row = self._row(source, self._known.where)
        if row is None:
            raise ServerError("the source must write a binary log")
        return str(row["File"]), int(row["Position"])

    def state(self, replica: Connection) -> ReplicaState:
        """ServerError when it is no replica."""
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
        """Whether the replica has applied all that it has received."""
        with replica.cursor() as cursor:
            cursor.execute("SHOW PROCESSLIST")
            return "has read all relay log" in str(cursor.fetchall()).lower()

    def dismiss(self, source: Connection) -> None:
        """Ends the threads that send to replicas: at its shutdown MySQL waits for them, some ten seconds."""
        with source.cursor() as cursor:
            cursor.execute("SHOW PROCESSLIST")
            for row in cursor.fetchall():
                if str(row[4]).startswith("Binlog Dump"):
                    with suppress(ServerError):  # it has just ended
                        cursor.execute(f"KILL {int(row[0])}")

    def load_semi_sync(self, server: Connection) -> None:
        """Loads the plugins that are not there; nothing where it is built in."""
        with server.cursor() as cursor:
            cursor.execute("SHOW PLUGINS")
            there = {str(row[0]).lower() for row in cursor.fetchall()}
        for name, file in self._known.semi_sync.plugins.items():
            if name not in there:
                self._say(server, f"INSTALL PLUGIN {name} SONAME '{file}'")

    def semi_sync_source(self, source: Connection, timeout_ms: int) -> None:
        """Makes commits on the source wait for a replica, at most so long."""
        prefix = self._known.semi_sync.source
        self._say(source, f"SET GLOBAL {prefix}_timeout = {timeout_ms}")
        self._say(source, f"SET GLOBAL {prefix}_enabled = 1")

    def semi_sync_off(self, source: Connection) -> None:
        """No commit waits any more, those that do now included."""
        self._say(source, f"SET GLOBAL {self._known.semi_sync.source}_enabled = 0")

    def semi_sync_replica(self, replica: Connection) -> None:
        """Makes the replica acknowledge what it receives, from the next start of its receiver on."""
        self._say(replica, f"SET GLOBAL {self._known.semi_sync.replica}_enabled = 1")

    def semi_sync_in_force(self, source: Connection) -> tuple[bool, int]:
        """Whether commits wait now, and how many replicas acknowledge."""
        prefix = self._known.semi_sync.source.capitalize()
        values = global_status(source, f"{prefix}%")
        return values[f"{prefix}_status"] == "ON", int(values[f"{prefix}_clients"])

    def unacknowledged(self, source: Connection) -> int:
        """Commits so far that no replica acknowledged in time."""
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
