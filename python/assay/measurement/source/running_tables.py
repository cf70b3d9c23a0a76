"""Tables in a database that is not the lab's: made where they are missing, otherwise compared with the study.

Tables that the lab made carry a note; others are counted, and their engine and indexes compared. Tables that
differ from the study are refused: the report would describe other tables than were measured.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from assay.base.errors import AssayError, ConflictError, GeneratorLost, ServerError
from assay.base.format.job import Action
from assay.base.wording import counted
from assay.design.folder import ActionResult, CheckOutcome, Doubt, Doubted, Event, Scalar
from assay.design.plan import Treatment
from assay.measurement.fleet import Backend, load_with_fleet
from assay.measurement.source.account import missing_tables, rights_hint, table_names
from assay.measurement.source.dataset import DATA_SEED
from assay.measurement.source.rights import is_denied
from assay.measurement.source.sources import Listener, Step
from assay.measurement.source.table_notes import FoundTable, Note, found_tables, write_notes
from assay.system.engine import Interrupts, JobOutcome, jobs, run_job, shaping
from assay.system.server import Address, Connection

KIND = "not-fresh-data"
_NO_TABLE, _NO_DATABASE, _TABLE_EXISTS = 1146, 1049, 1050


@dataclass(frozen=True)
class Loaders:
    """Generators that load tables together, by their number and where they run."""

    generators: int
    backend: Backend


@dataclass(frozen=True)
class ExistingTables:
    """The tables of one treatment's workload in a database that is not the lab's.

    Missing tables are loaded by `loaders`, or by an engine of this machine if it is None.
    """

    address: Address
    treatment: Treatment
    interrupts: Interrupts
    loaders: Loaders | None = None
    read_only: bool = False  # nothing is made or written

    def ready(self, step: Step, listener: Listener) -> list[Doubted]:
        """Checks the tables, or makes missing ones, and returns the doubts that remain. Raises ConflictError
        when other tables have their names.
        """
        counted: list[Doubt] = []
        broken: list[CheckOutcome] = []

        def hear(event: Event) -> None:
            if isinstance(event, Doubt) and event.kind == "row-count":
                counted.append(event)
            elif isinstance(event, CheckOutcome) and event.violations:
                broken.append(event)

        step("checking the tables")
        checked = self._job("check", hear)
        if checked.error is not None:
            self._require_missing(checked.error, broken)
            if self.read_only:
                raise missing_tables("study", self.address)
            step("loading the tables")
            before = table_names(self.address)
            made = self._made(self._job("prepare", listener), before)
            self._write(list(made.rows_by_table), "lab")
            return []
        assert checked.done is not None
        names = list(checked.done.rows_by_table)
        with closing(self.address.connect()) as connection:
            tables = found_tables(connection, self._database, names)
        return [*self._of_ours(tables, counted), *self._of_others(tables, counted)]

    def require(self, lacking: str | None, *, hint: str | None = None) -> None:
        """Raises ServerError where the tables are missing and the account may not make them, for the reason
        in `lacking`; None: the study only reads.
        """
        checked = self._job("check", lambda _: None)
        if checked.error is not None:
            self._require_missing(checked.error, ())
            raise missing_tables("study", self.address, lacking, hint)

    def _of_ours(self, tables: Sequence[FoundTable], counted: Sequence[Doubt]) -> list[Doubted]:
        """Checks that tables with a note were made with the study's options, and returns doubts.

        Earlier runs may have changed rows.
        """
        noted = [table for table in tables if table.note is not None]
        for table in noted:
            assert table.note is not None
            for name, was, wanted in table.note.differences(self.treatment.workload, self._options):
                raise self._others(
                    f"{table.name} was made with {name} = {_text(was)}, the study says {_text(wanted)}",
                    table.note,
                )
        changed = [doubt.message for table in noted for doubt in _about(table, counted)]
        doubts = []
        if changed:
            message = f"{_some(changed, '; ')}: earlier load has changed the tables since they were made"
            doubts.append(Doubted(kind=KIND, message=message))
        if found := [table.name for table in noted if table.note is not None and table.note.by == "found"]:
            doubts.append(_not_ours(found))
        return doubts

    def _of_others(self, tables: Sequence[FoundTable], counted: Sequence[Doubt]) -> list[Doubted]:
        """Checks that tables without a note look as the study says, and returns doubts about the rest."""
        bare = [table for table in tables if table.note is None]
        if not bare:
            return []
        for table in bare:
            for doubt in _about(table, counted):
                raise self._others(
                    f"{table.name} holds {doubt.value:,.0f} rows, the study says {doubt.limit:,.0f}"
                )
            engine = str(self._options.get("mysql_storage_engine", table.engine))
            if engine.casefold() != table.engine.casefold():
                raise self._others(
                    f"{table.name} has the storage engine {table.engine}, the study says {engine}"
                )
        self._compare_indexes(bare)
        names = [table.name for table in bare]
        if not self.read_only:
            self._write(names, "found")
        return [_not_ours(names)]

    def _compare_indexes(self, tables: Sequence[FoundTable]) -> None:
        if (count := self._options.get("secondary_indexes")) is not None:
            for table in tables:
                if table.indexes != count:
                    has = f"{table.name} has {counted(table.indexes, 'secondary index', 'secondary indexes')}"
                    raise self._others(f"{has}, the study says secondary_indexes = {count}")
            return
        wanted = self._options.get("create_secondary")
        if wanted is None or self._options.get("secondary") or self._options.get("foreign_keys"):
            return  # the workload has no such choice, or other indexes beside it
        indexed = next((table.name for table in tables if table.indexes), None)
        if wanted and indexed is None:
            raise self._others(f"{tables[0].name} has no secondary index, the study says that there is one")
        if not wanted and indexed is not None:
            raise self._others(f"{indexed} has a secondary index, but the study says that there is none")

    def _require_missing(self, error: AssayError, broken: Sequence[CheckOutcome]) -> None:
        """Raises the error, unless it only says that the tables do not exist yet."""
        if not isinstance(error, ServerError) or error.code == _NO_DATABASE:
            raise error
        if broken or error.code not in (_NO_TABLE, None):  # None: the workload's own words for it
            raise ServerError(
                f"the tables in {self._database} are not fit for this study: {error.message}",
                hint=f"remove them, and the study makes its own: {self._cleanup(self._options)}",
                detail=error.detail,
                code=error.code,
            )

    def _made(self, prepared: JobOutcome, before: frozenset[str]) -> ActionResult:
        """Returns what was loaded. The hint of a failed load proposes to remove tables only where some have
        been made.
        """
        if isinstance(prepared.error, ServerError | GeneratorLost):
            error = prepared.error
            hint = error.hint
            # The engine's own words have no code: some of the tables are there already.
            is_there = isinstance(error, ServerError) and error.code in (None, _TABLE_EXISTS)
            if is_there or table_names(self.address) - before:
                hint = f"remove what an interrupted load left: {self._cleanup(self._options)}"
            elif isinstance(error, ServerError) and is_denied(error):
                hint = rights_hint(self.address)
            raise type(error)(
                error.message,
                hint=hint,
                detail=error.detail,
                code=error.code,
            )
        done = prepared.require().done
        assert done is not None
        return done

    def _write(self, names: Sequence[str], by: Any) -> None:
        note = Note(workload=self.treatment.workload, options=self._options, by=by)

        def write(connection: Connection) -> None:
            write_notes(connection, self._database, names, note)

        with closing(self.address.connect()) as connection:
            if by == "lab":
                write(connection)
                return
            try:
                write(connection)
            except ServerError as error:
                if error.code is None:
                    raise
                # This user may only read and write rows: the tables are looked at again next time.

    def _job(self, action: Action, listener: Callable[[Event], None]) -> JobOutcome:
        job = jobs.job(
            action,
            target=jobs.target(self.address),
            workload=self.treatment.workload,
            options=self.treatment.workload_options,
            seed=DATA_SEED,
        )
        env = self.address.environment()
        if action == "prepare" and self.loaders is not None:
            outcome = load_with_fleet(
                job,
                generators=self.loaders.generators,
                backend=self.loaders.backend,
                interrupts=self.interrupts,
                env=env,
                on_event=listener,
            )
        else:
            outcome = run_job(job, interrupts=self.interrupts, env=env, on_event=listener)
        self.interrupts.raise_if_requested()
        return outcome

    @property
    def _database(self) -> str:
        assert self.address.database is not None  # refused before
        return self.address.database

    @property
    def _options(self) -> dict[str, Scalar]:
        return shaping(self.treatment.workload, self.treatment.workload_options)

    def _others(self, what: str, note: Note | None = None) -> ConflictError:
        options = self._options if note is None else note.options
        workload = None if note is None else note.workload
        return ConflictError(
            f"the tables in {self._database} at {self.address} are not those of the study: {what}",
            hint=f"use another database, or remove them, and the study makes its own:"
            f" {self._cleanup(options, workload)}",
        )

    def _cleanup(self, options: dict[str, Scalar], workload: str | None = None) -> str:
        """Returns the command that drops tables made with these options."""
        name, address = workload or self.treatment.workload, self.address
        usual = shaping(name, {})
        told = [
            word
            for option, value in options.items()
            if option in usual and usual[option] != value and not isinstance(value, bool)
            for word in (f"--{option.replace('_', '-')}", _text(value))
        ]
        where = (
            ["--socket", str(address.socket)]
            if address.socket
            else ["--host", address.host, "--port", str(address.port)]
        )
        words = ["assay", "bench", name, "cleanup", *told, *where, "--user", address.user]
        return shlex.join([*words, "--db", self._database])


def _about(table: FoundTable, counted: Sequence[Doubt]) -> list[Doubt]:
    return [doubt for doubt in counted if doubt.message.split(" ", 1)[0] == table.name]


def _not_ours(names: Sequence[str]) -> Doubted:
    return Doubted(
        kind=KIND,
        message=f"{_some(names, ', ')} were not made by this lab: rows, engine and indexes were compared"
        " when they were found, how they were loaded is unknown",
    )


def _some(items: Sequence[str], between: str) -> str:
    """Returns the first few items as text, and how many more there are."""
    return between.join(items[:4]) + (f" and {len(items) - 4} more" if len(items) > 4 else "")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
