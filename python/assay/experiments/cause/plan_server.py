"""A private server with the data of a treatment, on which plans are asked for and statements timed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

from assay.base.decoding import whole_number
from assay.base.errors import InputError, ServerError
from assay.design.folder import RunFolder
from assay.design.plan import Treatment, make_plan
from assay.design.study import Study, option_text
from assay.experiments.cause.plan_changes import SWITCH, PlanChange, variables_of, with_indexes
from assay.measurement.run import RunProgress, sweep
from assay.measurement.source import PrivateServers, Sources, capacity_variables
from assay.results.stats import ConfidenceInterval, geometric_interval
from assay.results.verdict import Step
from assay.system.engine import Interrupts
from assay.system.server import (
    HAS_ROWS,
    Connection,
    PrivateDir,
    explained,
    find_build,
    quoted_name,
    used_key_parts,
)

_READ_TIMEOUT_S = 60.0
_ROUNDS = 8
_LONGEST_S = 40.0
_SELECT = re.compile(
    r"(?is)\s*\(*\s*(?:select|with)\b(?!.*\binto\s+(?:outfile|dumpfile|@))(?!.*\bfor\s+update\b)"
)


@dataclass(frozen=True)
class PlanServer:
    """A connection to the server, and the session's own values to which every question returns."""

    connection: Connection
    treatment: Treatment
    interrupts: Interrupts

    def refusal(self, statement: str) -> str | None:
        """Returns the server's words where it does not explain a statement as it is; None where it does."""
        try:
            explained(self.connection, statement)
        except ServerError as error:
            return error.message
        return None

    def plan(self, statement: str, changes: Sequence[PlanChange] = ()) -> tuple[Step, ...] | None:
        """Returns the plan of a statement with some changes; None where the server refuses one of them."""
        self.interrupts.raise_if_requested()
        text = with_indexes(statement, changes)
        if text is None:
            return None
        try:
            with self._set(changes):
                rows = explained(self.connection, text)
                parts = used_key_parts(self.connection, text) if any(row.get("key") for row in rows) else {}
        except ServerError:
            return None
        return tuple(
            Step(
                table=row.get("table") or "",
                access=row.get("type") or "",
                key=row.get("key") or "",
                rows=whole_number(row.get("rows") or ""),
                extra=row.get("extra") or "",
                key_length=whole_number(row.get("key_len") or ""),
                key_parts=parts.get((row.get("table") or "", row.get("key") or "")),
            )
            for row in rows
        )

    def tables(self) -> set[str]:
        """Returns the names of all tables that have rows of their own."""
        found = self.connection.rows(f"SHOW FULL TABLES WHERE {HAS_ROWS}", columns=2)
        return {str(name) for name, _ in found}

    def refresh_statistics(self, tables: Sequence[str]) -> None:
        """Has the server count the rows of tables anew."""
        for table in tables:
            self.connection.rows(f"ANALYZE TABLE {quoted_name(table)}", columns=0)

    def times_faster(self, statement: str, changes: Sequence[PlanChange]) -> ConfidenceInterval | None:
        """Returns how many times as fast a query is with some changes as without, from rounds of both in
        turns; None for a statement that changes data, or one that takes too long.
        """
        text = with_indexes(statement, changes)
        if text is None or not _SELECT.match(statement):
            return None
        began = time.monotonic()
        ratios: list[float] = []
        for number in range(_ROUNDS + 1):
            without = self._timed(statement, ())
            with_them = self._timed(text, changes)
            if number:  # the first round fills caches
                ratios.append(without / max(with_them, 1e-9))
            if time.monotonic() - began > _LONGEST_S:
                break
        return geometric_interval(ratios) if len(ratios) > 1 else None

    def _timed(self, statement: str, changes: Sequence[PlanChange]) -> float:
        self.interrupts.raise_if_requested()
        with self._set(changes):
            began = time.perf_counter()
            self.connection.rows(statement, columns=0)
            return time.perf_counter() - began

    @contextmanager
    def _set(self, changes: Sequence[PlanChange]) -> Iterator[None]:
        """Sets variables of the session for the length of the block."""
        values = variables_of(changes, {})
        try:
            for name, value in values.items():
                self.connection.rows(
                    f"SET SESSION {quoted_name(name)} = %s", [_as_sent(name, value)], columns=0
                )
            yield
        finally:
            for name in values:
                self.connection.rows(
                    f"SET SESSION {quoted_name(name)} = @@GLOBAL.{quoted_name(name)}", columns=0
                )


def _as_sent(name: str, value: object) -> object:
    if name == SWITCH or isinstance(value, int | float):
        return value
    return option_text(str(value))


@contextmanager
def plan_server(study: Study, treatment: Treatment, progress: RunProgress) -> Iterator[PlanServer]:
    """Starts a server on a copy of the treatment's dataset for the length of the block, as a run does. Raises
    InputError for a treatment whose server is not the lab's.
    """
    if treatment.server_use.startswith("dsn:"):
        raise InputError(
            f"{treatment.name}: runs on a server that was there already: no setting of it is changed",
            hint="measure a build of the same version that the lab starts, such as path:/opt/mysql",
        )
    plan = make_plan(study, seed=1)
    for line in sweep():
        progress.note(line)
    step: Callable[[str], None] = progress.step
    with Interrupts() as interrupts:
        servers = PrivateServers(
            find_build(treatment.server_use), partial(capacity_variables, study, plan), interrupts
        )
        sources = Sources({treatment.server_use: servers})
        sources.check([treatment])
        with (
            sources.loaded([treatment], step=step, note=progress.note, listener=progress.event),
            PrivateDir() as private,
            servers.started(treatment, RunFolder(private.path), step) as server,
            closing(server.connect(read_timeout_s=_READ_TIMEOUT_S)) as connection,
        ):
            connection.select_db(server.lab_address.database or "")
            try:
                yield PlanServer(connection, treatment, interrupts)
            finally:
                progress.end()
