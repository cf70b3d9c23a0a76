"""Results that are open: judged once, with tables and charts in each language once a page needs them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.experiments.gate import Gated, gate_of_judged, gate_tables
from assay.experiments.lab import Judged, figures_of, judged, results_folder, standing
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.not_found import NotFound
from assay.reporting.report import Chart, Material, Table, build_charts, build_tables, material_in, to_csv

_MOST = 6
Made = TypeVar("Made")


@dataclass(frozen=True)
class RunPlace:
    """A run that has a folder, with the numbers of its load points and where each one's events lie."""

    run_id: str
    rungs: dict[int, str]


class OpenResults:
    """The results in one folder. `is_interim`: runs are missing, so that there are estimates and no words:
    the pages take no look that the study has not planned.
    """

    def __init__(self, row: CatalogueRow, folder: ResultsFolder) -> None:
        self.row, self.folder = row, folder
        self._open = ExitStack()  # it ends when nothing refers to these results any more
        self._making = threading.RLock()
        self._materials: dict[str, Material] = {}
        self._tables: dict[str, list[Table]] = {}
        self._charts: dict[str, list[Chart]] = {}
        found = standing(results_folder(folder.path))
        if found.damaged is None and not found.complete:
            raise InputError(
                f"{folder.path}: no run has finished yet",
                hint="wait for the first run, or start it: assay run",
            )
        self.is_interim = found.complete + found.failed < found.planned
        way = figures_of if self.is_interim else judged
        self.judged: Judged = self._open.enter_context(way(folder))
        if self.is_interim:
            self.judged = replace(self.judged, results=replace(self.judged.results, hypotheses=()))

    @property
    def rid(self) -> str:
        return self.row.rid

    def material(self, language: str) -> Material:
        """Returns the input of tables and charts."""
        return self._once(self._materials, language, self._material)

    def tables(self, language: str) -> list[Table]:
        """Returns the tables of the report, also empty ones."""
        return self._once(self._tables, language, self._build_tables)

    def charts(self, language: str) -> list[Chart]:
        """Returns the charts of the report."""
        return self._once(self._charts, language, lambda asked: build_charts(self.material(asked)))

    def table(self, language: str, name: str) -> Table:
        """Returns one table. Raises NotFound for a name that the report does not have."""
        return _one(self.tables(language), name)

    def chart(self, language: str, name: str) -> Chart:
        """Returns one chart. Raises NotFound for a name that the report does not have."""
        return _one(self.charts(language), name)

    def run(self, run_id: str) -> RunPlace:
        """Returns a run. Raises NotFound for a name that no finished run has: addresses lead to files through
        this list only.
        """
        if run_id not in self.runs:
            raise NotFound("web.missing.run", run=run_id)
        return self.runs[run_id]

    @cached_property
    def runs(self) -> dict[str, RunPlace]:
        """Every finished run by its id, with its load points by number."""
        cursor = self.judged.store.cursor()
        found = {
            run_id: RunPlace(run_id, {})
            for (run_id,) in cursor.execute("SELECT run_id FROM runs ORDER BY started_ns, run_id").fetchall()
        }
        for run_id, rung, events in cursor.execute("SELECT run_id, rung, events FROM rungs").fetchall():
            found[run_id].rungs[rung] = events
        return found

    @cached_property
    def targets(self) -> dict[str, tuple[str, int | None]]:
        """The run, or the load point of a run, to which a link of the report leads, by the file it names."""
        found: dict[str, tuple[str, int | None]] = {}
        for one in self.runs.values():
            found[f"runs/{one.run_id}/run.json"] = (one.run_id, None)
            found |= {events: (one.run_id, rung) for rung, events in one.rungs.items()}
        return found

    @cached_property
    def report_on_disk(self) -> str:
        """`none`, `same` where the report's tables on disk have the records of this page, or `other`."""
        if not self.folder.report.is_file():
            return "none"
        for table in self.tables("en"):
            try:
                written = self.folder.inner("tables", f"{table.name}.csv").read_bytes()
            except OSError:
                return "other"
            if written != to_csv(table).encode():
                return "other"
        return "same"

    @cached_property
    def gated(self) -> Gated | None:
        """The outcome of the study's gates; None without gates, and where runs are missing."""
        return gate_of_judged(self.judged)

    def _material(self, language: str) -> Material:
        found = self.judged
        return material_in(language, found.study, found.results, found.store, found.advice)

    def _build_tables(self, language: str) -> list[Table]:
        material = self.material(language)
        tables = build_tables(material)
        if self.judged.study.gates:
            tables += gate_tables(self.gated, material)
        return [one for one in tables if one.section != "hypotheses"] if self.is_interim else tables

    def _once(self, made: dict[str, Made], language: str, make: Callable[[str], Made]) -> Made:
        """Returns what was made of these results in a language, and makes it for the first page that asks."""
        with self._making:
            if language not in made:
                made[language] = make(language)
            return made[language]


class OpenedResults:
    """The results that were opened last, until their files change. Several threads may ask at once."""

    def __init__(self) -> None:
        self._opened: OrderedDict[str, OpenResults] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._all = threading.Lock()

    def of(self, row: CatalogueRow, folder: ResultsFolder) -> OpenResults:
        """Returns the results of a row of the catalogue. Raises what `judged` raises for files that cannot be
        read.
        """
        with self._all:
            own = self._locks.setdefault(row.place, threading.Lock())
        with own:
            known = self._opened.get(row.place)
            if known is None or known.row != row:
                known = OpenResults(row, folder)
            with self._all:
                self._opened[row.place] = known
                self._opened.move_to_end(row.place)
                while len(self._opened) > _MOST:
                    self._opened.popitem(last=False)
            return known


T = TypeVar("T", Chart, Table)


def _one(there: list[T], name: str) -> T:
    found = next((one for one in there if one.name == name), None)
    if found is None:
        raise NotFound("web.missing.part", name=name)
    return found
