"""Starts the replicas of an experiment on copies of the source's data, attaches them, and removes them with
the block.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen

from assay.base import clock
from assay.base.errors import AssayError, ConnectError, ServerError, ServerLost
from assay.design.folder import Scalar
from assay.measurement.run.experiments.stage import STATEMENT_S, Stage, said_of
from assay.measurement.source import SOURCE_ID
from assay.system.server import (
    Connection,
    Instance,
    ReplicaState,
    Replicating,
    finds_by_gtid,
    known_only,
    quoted_name,
)
from assay.system.server.process import first_line, launch

_ATTACH_S = 60.0
_CATCH_UP_S = 600.0
_QUIET_S = 1.0
_POLL_S = 0.05
_RELAY_S = 30.0
_RECOVERY_S = 1800.0


@dataclass(frozen=True)
class Replicas:
    """Replicas that follow the stage's server."""

    stage: Stage
    instances: Sequence[Instance]
    says: Replicating
    relay: Popen[bytes] | None = None

    @property
    def waits(self) -> bool:
        """Whether commits are to wait for a replica."""
        return self.stage.options["mode"] == "semi-sync"

    @contextmanager
    def talking(self, number: int) -> Iterator[Connection]:
        """Yields a connection to one replica, in the workload's database, whose errors are AssayErrors.

        ServerLost says how the replica ended when it did.
        """
        instance, name = self.instances[number], f"replica {number + 1}: "
        try:
            with closing(instance.connect(read_timeout_s=STATEMENT_S)) as connection, said_of(name):
                connection.select_db(self.stage.database)
                yield connection
        except (ConnectError, ServerLost) as error:
            if (end := instance.how_it_ended()) is None:
                raise
            raise ServerLost(name + end, detail=instance.log_tail(20) or None) from error

    def each(self) -> range:
        """The numbers of the replicas."""
        return range(len(self.instances))

    def receive(self, number: int, on: bool) -> None:
        """Starts or stops a replica's receiver; received events are applied in either case."""
        with self.talking(number) as connection:
            (self.says.start if on else self.says.stop)(connection, "IO_THREAD")

    def kill(self, number: int) -> None:
        """Kills a replica (SIGKILL), and returns when it has ended."""
        self.instances[number].kill()

    def restart(self, number: int) -> int:
        """Starts a killed replica on the same files; it continues from the position in its own records.

        Returns when its process was started, in nanoseconds since 1970: what the lab does before
        that is not part of the replica's recovery.
        """
        instance = self.instances[number]
        instance.stop()
        instance.start(ready_timeout_s=_RECOVERY_S)
        launched_ns = clock.wall_of(int(instance.launched_s * 1e9))
        instance.set_running(instance.dynamic)
        if self.waits:  # what was set at run time went with the process
            with self.talking(number) as connection:
                self.says.semi_sync_replica(connection)
                self.says.stop(connection, "IO_THREAD")
                self.says.start(connection, "IO_THREAD")
        return launched_ns

    def cut_off(self) -> None:
        """Ends the delay relay, so that events under way from the source are lost; without a delay there are
        never any.
        """
        if self.relay is not None:
            self.relay.kill()

    def state(self, number: int) -> ReplicaState:
        """Returns a replica's replication status now."""
        with self.talking(number) as connection:
            return self.says.state(connection)

    def broken(self, number: int) -> bool:
        """Returns whether a replica's applier has stopped, which here only an error does."""
        return not self.state(number).applying

    def catch_up(self) -> list[int]:
        """Waits until each replica has applied all of the source's log; returns the numbers of those that
        never will.
        """
        with self.stage.connection() as source:
            end = self.says.source_position(source)
        broken = []
        deadline = time.monotonic() + _CATCH_UP_S
        for number in self.each():
            while (state := self.state(number)).applied < end:
                if not state.applying:
                    broken.append(number)
                    break
                if time.monotonic() > deadline:
                    raise ServerError(
                        f"replica {number + 1} has not caught up within {_CATCH_UP_S:.0f} s",
                        detail=state.error or None,
                    )
                time.sleep(_POLL_S)
        return broken

    def apply_received(self, number: int, table: str) -> None:
        """Waits, after the source's end, until a replica has applied all that it had received.

        That is when it no longer receives, waits for more, and the rows of `table`, which every commit of the
        ledger adds to, have been the same for a second.
        """
        rows, since = -1, time.monotonic()
        deadline = since + _CATCH_UP_S
        with self.talking(number) as connection:
            while True:
                state, idle = self.says.state(connection), self.says.has_read_all(connection)
                with connection.cursor() as cursor:
                    cursor.execute(f"SELECT COUNT(*) FROM {table}")
                    ((now,),) = cursor.fetchall()
                if now != rows or state.receiving or not (idle or not state.applying):
                    rows, since = now, time.monotonic()
                elif time.monotonic() - since > _QUIET_S:
                    return
                if time.monotonic() > deadline:
                    raise ServerError(
                        f"replica {number + 1} is still applying events after {_CATCH_UP_S:.0f} s"
                    )
                time.sleep(_POLL_S)

    def column(self, number: int, sql: str) -> set[int]:
        """Returns the numbers that one statement selects on a replica."""
        with self.talking(number) as connection, connection.cursor() as cursor:
            cursor.execute(sql)
            return {int(row[0]) for row in cursor.fetchall()}

    def differing_tables(self) -> int:
        """Returns how many tables have another checksum on some replica than on the source. No transaction
        may be under way.
        """
        with self.stage.connection() as connection:
            right = checksums(connection)
        copies = []
        for number in self.each():
            with self.talking(number) as connection:
                copies.append(checksums(connection))
        return differing(right, copies)


def checksums(connection: Connection) -> dict[str, str]:
    """Returns CHECKSUM TABLE of all tables of the connection's database, by table."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW TABLES")
        found = {}
        for (table,) in cursor.fetchall():
            cursor.execute(f"CHECKSUM TABLE {quoted_name(table)}")
            found[str(table)] = str(cursor.fetchall()[0][1])
        return found


def differing(right: Mapping[str, str], copies: Sequence[Mapping[str, str]]) -> int:
    """Returns how many tables differ, or are missing, in one copy or more."""
    names = set(right).union(*copies)
    return sum(any(copy.get(name) != right.get(name) for copy in copies) for name in names)


@contextmanager
def following(stage: Stage) -> Iterator[Replicas]:
    """Starts the replicas that the options ask for, which follow the server from its first transaction on."""
    options, build = stage.options, stage.server.build
    says = Replicating(build, gtid=finds_by_gtid(build, str(options["positions"])))
    with ExitStack() as going:
        going.callback(_dismiss, stage, says)  # last of all, when the replicas have gone
        ((port,),) = stage.ask("SELECT @@port")
        relay = None
        if delay_ms := float(options["delay_ms"]):
            relay, port = going.enter_context(_delayed(delay_ms, port))
        instances = []
        for number in range(1, int(options["replicas"]) + 1):
            stage.step(f"starting replica {number}")
            variables: dict[str, Scalar] = {
                "server_id": SOURCE_ID + number,
                "relay_log_recovery": bool(options["relay_log_recovery"]),
                "slave_net_timeout": int(options["net_timeout_s"]),
            }
            copy = stage.server.another(f"replica-{number}", known_only(build, variables))
            instances.append(going.enter_context(copy))
        replicas = Replicas(stage, instances, says, relay)
        _attach(replicas, port)
        yield replicas


def _attach(replicas: Replicas, port: int) -> None:
    """Attaches the replicas, after enabling semi-synchronous replication: a source counts only replicas that
    join afterwards.
    """
    stage, says = replicas.stage, replicas.says
    if replicas.waits:
        with stage.connection() as source:
            says.load_semi_sync(source)
            says.semi_sync_source(source, int(stage.options["timeout_ms"]))
    for number in replicas.each():
        with replicas.talking(number) as connection:
            if replicas.waits:
                says.load_semi_sync(connection)
                says.semi_sync_replica(connection)
            says.attach(connection, port, stage.server.password or "", float(stage.options["heartbeat_s"]))
            says.start(connection)
    deadline = time.monotonic() + _ATTACH_S
    for number in replicas.each():
        while not ((state := replicas.state(number)).receiving and state.applying):
            if (state.error and not state.applying) or time.monotonic() > deadline:
                why = state.error or f"nothing within {_ATTACH_S:.0f} s"
                raise ServerError(f"replica {number + 1} does not follow the source: {why}")
            time.sleep(_POLL_S)
    with stage.connection() as source:
        while replicas.waits and says.semi_sync_in_force(source) != (True, len(replicas.instances)):
            if time.monotonic() > deadline:
                raise ServerError("the source does not wait for its replicas: it receives no acknowledgement")
            time.sleep(_POLL_S)


def _dismiss(stage: Stage, says: Replicating) -> None:
    with suppress(AssayError), stage.connection() as source:  # it may have gone first
        says.dismiss(source)


@contextmanager
def _delayed(delay_ms: float, port: int) -> Iterator[tuple[Popen[bytes], int]]:
    """Runs a delay relay to this port, which ends with the block or the lab; yields its process and port."""
    program = Path(__file__).with_name("delay_relay.py")
    relay = launch(
        [sys.executable, "-I", "-S", str(program), f"{delay_ms:g}", str(port)],
        stdout=PIPE,
        as_server=False,
    )
    try:
        assert relay.stdout is not None
        line = first_line(relay, _RELAY_S)
        if not line.strip().isdigit():
            raise ServerError("the delay relay did not start")
        yield relay, int(line)
    finally:
        relay.kill()  # it keeps nothing
        relay.wait(_RELAY_S)
        if relay.stdout is not None:
            relay.stdout.close()
