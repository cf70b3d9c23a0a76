"""The input of every record, table and chart: results, store and words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import duckdb

    from assay.design.study import Study
    from assay.reporting.report.words import Words
    from assay.results.advice import ServerAdvice
    from assay.results.verdict import Comparison, Estimate, Results

    Rows = list[dict[str, Any]]

Made = TypeVar("Made")
MAIN = "main"
FEW_KINDS = 6
"""Up to so many kinds of load have tables and charts of their own on the page."""
_MOST_KEPT = 1000
"""Most rows of an answer of the store that is kept for the report in another language."""
UNFIT = re.compile(r"[^A-Za-z0-9_.-]+")  # for the name of a file


@dataclass(frozen=True)
class Material:
    """One study's results, their store, and the words of the report's language."""

    study: Study
    results: Results
    store: duckdb.DuckDBPyConnection
    words: Words
    schema: str = MAIN  # of the store's views: those of one workload name its treatments as `results` does
    workload: str | None = None  # where this is one part of a study of several
    own: Mapping[str, str] = field(default_factory=dict)  # the study's name of a treatment with another here
    advice: tuple[ServerAdvice, ...] = ()  # about server variables, where a comparison has its word
    answers: dict[tuple[str, str, str], Rows] | None = None  # of the store, shared by languages of one report

    def once(self, make: Callable[[Material], Made]) -> Made:
        """Returns what a function makes of this material, and calls it once: a table and a chart often have
        the same records.
        """
        if make not in self._known:
            self._known[make] = make(self)
        made: Made = self._known[make]
        return made

    @cached_property
    def _known(self) -> dict[Callable[[Material], Any], Any]:
        return {}

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor on the store, independent of other readers."""
        cursor = self.store.cursor()
        if self.schema != MAIN:
            cursor.execute(f"SET search_path = '{self.schema},{MAIN}'")
        return cursor

    def parts(self) -> tuple[Material, ...]:
        """Returns one material for each workload, since treatments are compared within one; itself where
        there is only one.
        """
        return tuple(
            replace(
                self,
                results=self.results.part(part),
                schema=self._renamed(f"part_{number}", part.names),
                workload=part.workload,
                own={name: one for one, name in part.names.items()},
            )
            for number, part in enumerate(self.results.workloads)
        ) or (self,)

    @property
    def has_matrix(self) -> bool:
        """True where the study has several kinds of load, and several treatments to compare in one."""
        parts = self.results.workloads
        return len(parts) > 1 and any(len(part.names) > 1 for part in parts)

    @property
    def has_many_kinds(self) -> bool:
        """True where a matrix replaces the tables and charts of each kind of load: there are so many."""
        return self.has_matrix and len(self.results.workloads) > FEW_KINDS

    def few_parts(self) -> tuple[Material, ...]:
        """Returns the parts that have tables and charts of their own."""
        return () if self.has_many_kinds else self.parts()

    def name(self, name: str) -> str:
        """Returns a file's name, distinct from those of other workloads."""
        return name if self.workload is None else f"{name}-{UNFIT.sub('-', self.workload)}"

    def title(self, title: str) -> str:
        """Returns a heading, distinct from those of other workloads."""
        return title if self.workload is None else f"{self.workload}: {title}"

    def servers(self) -> Material:
        """Returns this material with treatments that differ only in the workload as one, for tables of the
        servers.

        Treatments are matched by their levels: names do not state all levels where one factor at a time is
        off its baseline.
        """
        if not self.results.workloads:
            return self
        levels: dict[str, set[tuple[str, str]]] = {}
        factors = {factor.name: factor for factor in self.study.factors}
        for row in self.rows("SELECT treatment, factor, level FROM levels"):
            factor = factors.get(row["factor"])
            keys = {row["factor"]: row["level"]} if factor is None else factor.settings_text(row["level"])
            of_server = {pair for pair in keys.items() if not pair[0].startswith("workload.")}
            levels.setdefault(row["treatment"], set()).update(of_server)
        first: dict[frozenset[tuple[str, str]], str] = {}
        names = {}
        for part in self.results.workloads:
            for one, name in part.names.items():
                server = frozenset(levels.get(one, ()))
                own = name if server else "default"
                # A kind of load with a server variable of its own has another server under the same name.
                own = one if own in first.values() and server not in first else own
                names[one] = first.setdefault(server, own)
        treatments = tuple(dict.fromkeys(names[one] for one in self.results.treatments))
        return replace(
            self,
            results=replace(self.results, treatments=treatments, workloads=()),
            schema=self._renamed("servers", names),
        )

    def _renamed(self, schema: str, names: Mapping[str, str]) -> str:
        """Makes views of the store with these treatments only, under other names, and returns their
        schema.
        """
        cursor = self.store.cursor()
        views = cursor.execute(
            "SELECT table_name FROM information_schema.columns"
            " WHERE table_schema = ? AND column_name = 'treatment'",
            [MAIN],
        ).fetchall()
        pairs = ", ".join(f"{_quoted(one)}: {_quoted(name)}" for one, name in names.items())
        cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        for (view,) in views:
            cursor.execute(
                f"CREATE OR REPLACE VIEW {schema}.{view} AS"
                f" SELECT * REPLACE (MAP {{{pairs}}}[treatment] AS treatment) FROM {MAIN}.{view}"
                f" WHERE treatment IN ({', '.join(map(_quoted, names))})"
            )
        return schema

    def rows(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Rows:
        """Returns rows of the store as dictionaries, through a cursor of its own.

        Tables may be built while another is read.
        """
        if self.answers is None:
            return self._asked(sql, parameters)
        question = (self.schema, sql, repr(parameters))
        if (kept := self.answers.get(question)) is None:
            kept = self._asked(sql, parameters)
            if len(kept) <= _MOST_KEPT:
                self.answers[question] = kept
        return [dict(row) for row in kept]

    def _asked(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any]) -> Rows:
        cursor = self.cursor().execute(sql, parameters)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def estimate(self, treatment: str, load: float, measure: str) -> Estimate | None:
        """Returns the estimate of one cell, or None where nothing was measured."""
        return self._estimates.get((treatment, load, measure))

    def comparison(
        self, other: str, load: float, measure: str, baseline: str | None = None
    ) -> Comparison | None:
        """Returns the comparison of `other` with a treatment; without one, with the study's baseline."""
        baseline = self.results.treatments[0] if baseline is None else baseline
        return self._comparisons.get((baseline, other, load, measure))

    @cached_property
    def _estimates(self) -> Mapping[tuple[str, float, str], Estimate]:
        return {(e.treatment, e.load, e.measure): e for e in reversed(self.results.estimates)}

    @cached_property
    def _comparisons(self) -> Mapping[tuple[str, str, float | None, str], Comparison]:
        return {(c.baseline, c.other, c.load, c.measure): c for c in reversed(self.results.comparisons)}

    def is_used(self, run_id: str, load: float) -> bool:
        """Returns False where an *invalid* doubt is about this load point of this run, whose figures then do
        not count.
        """
        return self._invalid.isdisjoint({(run_id, load), (run_id, None), (None, load)})

    @property
    def is_judged(self) -> bool:
        """Returns False where an *invalid* doubt is about the study as a whole."""
        return (None, None) not in self._invalid

    @cached_property
    def _invalid(self) -> frozenset[tuple[str | None, float | None]]:
        return frozenset(
            (note.run_id, note.load) for note in self.results.doubts if note.severity == "invalid"
        )

    def measures(self) -> dict[str, str]:
        """The unit of each measure, in the order in which the verdict estimated them."""
        return {e.measure: e.unit for e in self.results.estimates}

    def load_words(self, load: float | None) -> str:
        """Returns a load in words: `64 threads`, `500 per second`; None is the whole ladder."""
        if load is None:
            return self.words("load.whole-ladder")
        return self.words.load(load, self.results.load_kind)

    @property
    def closed_loop(self) -> bool:
        """True when the load was a number of threads, or a depth: latency is then service time."""
        return self.results.load_kind != "rate"

    @property
    def throughput(self) -> str:
        """The measure of throughput: `tps`, on storage `iops` or the load's own measure."""
        return self.study.subject.throughput


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
