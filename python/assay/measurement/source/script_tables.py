"""Tables of a script in a database that is not the lab's: made where there are none, else recognised.

What tables a script works on, only the script knows. So tables are those of the study where the lab has made
them with the same script and options; nothing about others can be compared.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from assay.base.errors import ConflictError
from assay.design.folder import Doubted, Scalar
from assay.design.plan import Script, Treatment
from assay.measurement.source.account import missing_tables
from assay.measurement.source.dataset import DATA_SEED, contents, first_changed
from assay.measurement.source.sources import Listener, Step
from assay.measurement.source.table_notes import NOTES, FoundTable, Note, found_tables, write_notes
from assay.system.engine import Interrupts, jobs, run_job, script_listing, script_shaping
from assay.system.server import Address, Connection

KIND = "not-fresh-data"
_SHOWN = 4


@dataclass(frozen=True)
class ScriptTables:
    """The tables of a treatment whose workload is `script`, in a database that is not the lab's."""

    address: Address
    treatment: Treatment
    script: Script
    interrupts: Interrupts
    read_only: bool = False  # nothing is made or written

    def ready(self, step: Step, listener: Listener) -> list[Doubted]:
        """Makes the tables in an empty database, and returns the doubts about tables that are there. Raises
        ConflictError for tables that the lab has made otherwise.
        """
        if not self._prepares():
            return []
        options = script_shaping(self.treatment.workload, self.script, self.treatment.workload_options)
        step("checking the tables")
        with closing(self.address.connect()) as connection:
            tables = self._tables(connection)
        if tables:
            return self._doubts(tables, options)
        if self.read_only:
            raise missing_tables("script", self.address)
        step("loading the tables")
        read = self._prepare(listener)
        with closing(self.address.connect()) as connection:
            made = [table.name for table in self._tables(connection)]
            note = Note(workload=self.treatment.workload, options=options, files_read=contents(read))
            write_notes(connection, self._database, made, note)
        return []

    def require(self, lacking: str | None, *, hint: str | None = None) -> None:
        """Raises ServerError where the script makes tables, the database has none, and the account may not
        make them, for the reason in `lacking`; None: the study only reads.
        """
        if not self._prepares():
            return
        with closing(self.address.connect()) as connection:
            if self._tables(connection):
                return
        raise missing_tables("script", self.address, lacking, hint)

    def _prepares(self) -> bool:
        one = self.treatment
        return bool(script_listing(one.workload, self.script, one.workload_options)["prepares"])

    def _tables(self, connection: Connection) -> list[FoundTable]:
        names = connection.rows(
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME <> %s",
            (self._database, NOTES),
        )
        return found_tables(connection, self._database, {str(name) for name, *_ in names})

    def _doubts(self, tables: list[FoundTable], options: dict[str, Scalar]) -> list[Doubted]:
        for table in tables:
            if table.note is not None and table.note.options != options:
                raise ConflictError(
                    f"the tables in {self._database} at {self.address} are not those of the study:"
                    f" {table.name} was made by another script, or with other options",
                    hint="use another database, or drop the tables, and the study makes its own",
                )
            if table.note is not None and (changed := first_changed(table.note.files_read)) is not None:
                raise ConflictError(
                    f"the tables in {self._database} at {self.address} are not those of the study:"
                    f" {table.name} was made from {changed}, which has changed",
                    hint="drop the tables, and the study makes its own",
                )
        found = [table.name for table in tables if table.note is None]
        ours = [table.name for table in tables if table.note is not None]
        doubts = []
        if ours:
            message = f"{_some(ours)}: earlier load may have changed the tables since they were made"
            doubts.append(Doubted(kind=KIND, message=message))
        if found:
            message = f"{_some(found)}: not made by this lab; whether the script has made them is unknown"
            doubts.append(Doubted(kind=KIND, message=message))
        return doubts

    def _prepare(self, listener: Listener) -> list[str]:
        """Makes the tables; returns the files that the script read."""
        job = jobs.job(
            "prepare",
            target=jobs.target(self.address),
            workload=self.treatment.workload,
            options=self.treatment.workload_options,
            seed=DATA_SEED,
            load=jobs.closed_loop(self.script.threads),
            script=self.script,
        )
        outcome = run_job(job, interrupts=self.interrupts, env=self.address.environment(), on_event=listener)
        self.interrupts.raise_if_requested()
        done = outcome.require().done
        return [] if done is None else done.files_read

    @property
    def _database(self) -> str:
        assert self.address.database is not None  # refused before
        return self.address.database


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
