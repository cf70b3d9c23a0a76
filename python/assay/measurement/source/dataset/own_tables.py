"""Loads tables of one's own into a new data directory, and says what they hold once the server has
restarted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError, ServerError
from assay.base.format.event import ActionResult
from assay.base.format.job import Dump
from assay.design.data_profile import read_profile
from assay.design.folder import Event, Scalar
from assay.design.plan import OwnData
from assay.design.study import GENERATE
from assay.measurement.source.dataset.fingerprint import LoadedTable, loaded_tables
from assay.measurement.source.dataset.forms.form import Parts
from assay.measurement.source.dataset.forms.registry import parts_of
from assay.system.engine import Interrupts, jobs, run_job
from assay.system.host import own_limits
from assay.system.server import DATABASE, Build, Connection, Instance, quoted_name

LOAD_MODE: Mapping[str, Scalar] = {
    "innodb_doublewrite": "OFF",  # a load that is cut short is thrown away as a whole
    "sync_binlog": 0,
    "local_infile": "ON",
    "max_allowed_packet": 1 << 30,
    "event_scheduler": "OFF",  # events of the files would change what is loaded
}
"""Variables with which a server takes tables of one's own, beside those of every load."""

_REDO_CAN_STOP = (8, 0, 21)
"""The version from which MySQL loads without a redo log (manual, "Disabling Redo Logging")."""
_POOL_SHARE, _LARGEST_POOL = 4, 1 << 30
_COUNTING_S = 24 * 3600.0


def load_mode(variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns the variables of a load, with a buffer pool of a quarter of the memory that this process may
    have, at most 1 GiB, where the study names none: indexes that do not fit are read again and again.
    """
    pool = "innodb_buffer_pool_size"
    memory = own_limits().memory_bytes
    usual = {} if pool in variables else {pool: min(_LARGEST_POOL, memory // _POOL_SHARE) >> 20 << 20}
    return {**LOAD_MODE, **usual}


_ANY_TABLE = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s LIMIT 1"


def dump_of(own: OwnData, *, structure_only: bool = False) -> tuple[Dump, tuple[str, ...]]:
    """Returns a dump, or a profile of data, as a job has it, and what of its files is left out. Raises
    InputError.
    """
    profile, parts = None, Parts(())
    if own.use.startswith(GENERATE):
        profile = read_profile(Path(own.place)).at(own.scale, Path(own.place).name)
    else:
        parts = parts_of(own)
    dump = Dump(
        generated=profile,
        files=list(parts.files),
        database=own.database or parts.database,
        collations=dict(own.collations),
        indexes_after=own.indexes_after,
        structure_only=structure_only,
    )
    return dump, parts.left_out


def _no_table(own: OwnData) -> InputError:
    return InputError(
        f"{own.use} makes no table",
        hint='a file of queries is the workload: [workload] use = "sql:FILE", and the dump [dataset] use',
    )


@dataclass(frozen=True)
class Loading:
    """A load of a dump on a server of its own. `events_path`: where the engine's events are kept."""

    build: Build
    own: OwnData
    interrupts: Interrupts
    events_path: Path | None = None
    on_event: Callable[[Event], None] | None = None

    def carry_out(self, server: Instance, *, structure_only: bool = False) -> tuple[ActionResult, list[str]]:
        """Sends the files to a server; returns what the engine says, and what was left out or replaced.

        Raises `ServerError` with file, line and statement for what the server refuses.
        """
        dump, left_out = dump_of(self.own, structure_only=structure_only)
        with closing(server.connect()) as connection, connection.cursor() as cursor:
            without_redo = self._stops_redo(connection)
            if without_redo:
                cursor.execute("ALTER INSTANCE DISABLE INNODB REDO_LOG")
        target = jobs.target(server.address)
        job = jobs.job("prepare", target=target, workload=self.own.use, options={}, seed=0, dump=dump)
        outcome = run_job(
            job, interrupts=self.interrupts, events_path=self.events_path, on_event=self.on_event
        )
        self.interrupts.raise_if_requested()
        done = outcome.require().done
        assert done is not None
        with closing(server.connect()) as connection, connection.cursor() as cursor:
            if without_redo:
                cursor.execute("ALTER INSTANCE ENABLE INNODB REDO_LOG")
            cursor.execute(_ANY_TABLE, (done.database or DATABASE,))
            if cursor.fetchone() is None:
                raise _no_table(self.own)
        return done, [*left_out, *done.notes]

    def _stops_redo(self, connection: Connection) -> bool:
        return self.build.flavour_name != "mariadb" and self.build.version >= _REDO_CAN_STOP


@dataclass(frozen=True)
class Settled:
    """Tables after a restart, with the checksum of each (`CHECKSUM TABLE`); None where the server gives
    none.
    """

    tables: list[LoadedTable]
    checksums: dict[str, int | None]
    database: str = DATABASE


def settle(server: Instance, own: OwnData, done: ActionResult | None) -> Settled:
    """Has a server that has restarted count its tables, sum them up and measure their statistics anew. Raises
    ServerError where rows are not those that were sent.
    """
    database = (done.database if done is not None else own.database) or DATABASE
    checksums: dict[str, int | None] = {}
    with closing(server.connect(read_timeout_s=_COUNTING_S)) as connection:
        tables = loaded_tables(connection, database)
        if not tables:
            raise _no_table(own)
        for table in tables:
            name = quoted_name(database, table.name)
            connection.rows(f"ANALYZE TABLE {name}")
            found = connection.rows(f"CHECKSUM TABLE {name}")
            value = found[0][1] if found else None
            checksums[table.name] = None if value is None else int(value)
    for sentence in _differences(tables, done):
        raise ServerError(
            f"{own.use}: {sentence}",
            hint="a table in memory loses its rows with a restart; a key that the rows break, or a trigger,"
            " may have changed them",
        )
    return Settled(tables, checksums, database)


def _differences(tables: list[LoadedTable], done: ActionResult | None) -> Iterator[str]:
    have: dict[str, list[LoadedTable]] = defaultdict(list)  # a server may tell names apart by their case
    for table in tables:
        have[table.name.lower()].append(table)
    for name, sent in (done.rows_by_table if done else {}).items():
        alike = have.get(name, [])
        rows = sum(table.rows for table in alike)
        if not alike:
            yield f"{sent} rows were sent into {name}, which is no table after a restart"
        elif rows != sent:
            yield f"{name} ({alike[0].engine}) has {rows} rows after a restart, and {sent} were sent"
