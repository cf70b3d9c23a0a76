"""A study's results in Python: every number of its report, and the data it was computed from."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import duckdb

from assay.base.errors import InputError
from assay.experiments.lab import Judged, judged, results_folder
from assay.front.api.chart import Chart
from assay.front.api.latencies import Latencies
from assay.front.api.table import Table, of_answer, of_columns, of_rows
from assay.reporting.report import Table as ReportTable
from assay.reporting.report import (
    build_charts,
    build_tables,
    explained,
    load_words,
    material_in,
    merged,
    raw_rows,
)
from assay.results.store import WHOLE
from assay.results.verdict import Explanation, kinds_of_doubt

TEXT, WHOLE_NUMBER, REAL, FLAG = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"
TEXTS = f"{TEXT}[]"

_ESTIMATES = {
    "treatment": TEXT, "load": REAL, "measure": TEXT, "unit": TEXT,
    "value": REAL, "low": REAL, "high": REAL, "doubts": TEXTS, "at_least": FLAG,
}  # fmt: skip
_COMPARISONS = {
    "baseline": TEXT, "other": TEXT, "load": REAL, "measure": TEXT,
    "ratio": REAL, "low": REAL, "high": REAL, "word": TEXT, "p_value": REAL,
    "blocks": WHOLE_NUMBER, "margin": REAL, "more_blocks": WHOLE_NUMBER,
    "detectable": REAL, "beyond_p": REAL, "q_value": REAL, "doubts": TEXTS, "bound": TEXT,
}  # fmt: skip
_VERDICTS = {
    "hypothesis": WHOLE_NUMBER, "claim": TEXT, "outcome": TEXT, "explanation": TEXT, "source": TEXT,
    "more_blocks": WHOLE_NUMBER, "doubts": TEXTS, "named": TEXT, "named_after": WHOLE_NUMBER,
}  # fmt: skip
_PARTS = {
    "hypothesis": WHOLE_NUMBER, "claim": TEXT, "treatments": TEXTS, "load": REAL, "outcome": TEXT,
    "figure": TEXT, "value": REAL, "low": REAL, "high": REAL, "unit": TEXT,
    "blocks": WHOLE_NUMBER, "more_blocks": WHOLE_NUMBER, "doubts": TEXTS, "explanation": TEXT,
}  # fmt: skip
_DOUBTS = {
    "severity": TEXT, "kind": TEXT, "run_id": TEXT, "load": REAL, "message": TEXT,
    "facts": f"MAP({TEXT}, {TEXT})",
}  # fmt: skip

_KINDS = {
    "kind": TEXT, "severity": TEXT, "word": TEXT, "why": TEXT, "claims": f"{WHOLE_NUMBER}[]",
    "count": WHOLE_NUMBER, "runs": WHOLE_NUMBER, "complete": WHOLE_NUMBER, "of_machine": FLAG,
    "known": FLAG, "message": TEXT,
}  # fmt: skip


def load(results: str | PathLike[str]) -> StudyResults:
    """Returns the results in a folder that `assay run` made, judged; only finished runs count.

    Raises InputError for a folder without results, or with a file that cannot be read.
    """
    return StudyResults(Path(results))


class StudyResults:
    """Results of one study. `assay.load` makes it; `close`, or the end of a `with` block, releases its files.

    Every method answers from memory and changes nothing; the folder is only read, except its store, which is
    built where it is missing or outdated. Load again to see runs that finished meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self._open = ExitStack()
        self._judged: Judged = self._open.enter_context(judged(results_folder(folder)))
        found = self._judged
        self._material = material_in("en", found.study, found.results, found.store, found.advice)

    @property
    def name(self) -> str:
        """The study's name."""
        return self._judged.study.name

    @property
    def folder(self) -> Path:
        """The results folder."""
        return self._judged.folder.path

    @property
    def treatments(self) -> tuple[str, ...]:
        """Names of the treatments, in the study's order; the first is the baseline."""
        return self._judged.results.treatments

    @property
    def loads(self) -> tuple[float, ...]:
        """The load points: threads, operations a second, or depths, by `load_kind`."""
        return self._judged.results.loads

    @property
    def load_kind(self) -> str:
        """`threads`, `rate` (operations a second) or `iodepth`."""
        return self._judged.results.load_kind

    def runs(self) -> Table:
        """Returns one row a run: treatment, block, status, when (ns since 1970), why it failed, on what it
        ran.
        """
        return self.sql("SELECT * FROM runs ORDER BY block, position")

    def attempts(self) -> Table:
        """Returns one row a run that was set aside and done again: which, when, why; none of its figures
        count.

        `status` is failed or complete; `why` is failed, damaged, or superseded (with the rest of its block).
        """
        return self.sql("SELECT * FROM attempts ORDER BY started_ns")

    def measures(self, measure: str | None = None) -> Table:
        """Returns one row a run, load point and measure; `value` is in `unit`.

        `at_least` is true where operations never ended, so that the true value may be any above. `used` is
        false where an *invalid* doubt is about the value: no estimate or verdict counts it.
        `measure` selects one, such as `"p95_ms"`. Raises InputError for one that was not measured.
        """
        rows = self._material.rows(
            "SELECT run_id, treatment, block, rung, load, measure, unit, value, at_least FROM measures"
            " ORDER BY block, run_id, rung, measure"
        )
        schema = {
            "run_id": TEXT, "treatment": TEXT, "block": WHOLE_NUMBER, "rung": WHOLE_NUMBER, "load": REAL,
            "measure": TEXT, "unit": TEXT, "value": REAL, "at_least": FLAG, "used": FLAG,
        }  # fmt: skip
        used = [row | {"used": self._material.is_used(row["run_id"], row["load"])} for row in rows]
        return self._of_measure(of_rows(schema, used), measure)

    def estimates(self, measure: str | None = None) -> Table:
        """Returns one row a treatment, load point and measure: the value over blocks, in `unit`, and its
        interval.

        `low` and `high` are missing below two blocks. Raises InputError for a measure that was not estimated.
        """
        rows = (_known(one, _ESTIMATES) for one in self._judged.results.estimates)
        return self._of_measure(of_rows(_ESTIMATES, rows), measure)

    def comparisons(self, measure: str | None = None) -> Table:
        """Returns one row a pair of treatments, load point and measure: `ratio` = other / baseline, paired by
        block.

        Raises InputError for a measure that was not compared.
        """
        rows = (_known(one, _COMPARISONS) for one in self._judged.results.comparisons)
        return self._of_measure(of_rows(_COMPARISONS, rows), measure)

    def verdicts(self) -> Table:
        """Returns one row a hypothesis: `outcome` is supported, refuted or undecided, `explanation` says
        why.
        """
        rows = (
            _known(one, _VERDICTS)
            | {"hypothesis": number, "doubts": list(one.doubts), "explanation": _in_english(one.explanation)}
            for number, one in enumerate(self._judged.results.hypotheses, start=1)
        )
        return of_rows(_VERDICTS, rows)

    def verdict_parts(self) -> Table:
        """Returns one row a place where a hypothesis was judged: the figure that answers it, with its
        interval.

        `figure` says what `value` is: a `ratio` left / right, a `level` in `unit`, a `load`, an `order`, a
        `share` of runs. `load` is missing where the whole ladder is meant.
        """
        rows = []
        for number, one in enumerate(self._judged.results.hypotheses, start=1):
            for part in one.parts:
                answer = {} if part.figure is None else asdict(part.figure)
                kind = answer.pop("kind", None)
                about = {"treatments": list(part.treatments), "load": part.load, "figure": kind}
                rows.append(
                    _known(part, _PARTS)
                    | answer
                    | about
                    | {"hypothesis": number, "claim": one.claim}
                    | {"explanation": _in_english(part.explanation)}
                )
        return of_rows(_PARTS, rows)

    def doubts(self) -> Table:
        """Returns one row a doubt: its severity, its run and load point (all where missing), and its
        reason.
        """
        rows = (
            _known(one, _DOUBTS) | {"facts": [(key, str(value)) for key, value in one.facts.items()]}
            for one in self._judged.results.doubts
        )
        return of_rows(_DOUBTS, rows)

    def doubt_kinds(self) -> Table:
        """Returns one row a kind of doubt, with `runs` of `complete` ones that have it. `word` says what it
        can do to the verdicts: has-turned, could-turn (those on `claims`), cannot-turn, or not-weighed.
        """
        rows = (
            _known(one, _KINDS) | {"message": one.worst.message, "claims": list(one.claims)}
            for one in kinds_of_doubt(self._judged.results)
        )
        return of_rows(_KINDS, rows)

    def seconds(self, run_id: str | None = None) -> Table:
        """Returns one row an interval of a load point, of one run or all: throughput (1/s), latencies (ms),
        errors.

        `t_s` is where the interval begins, in seconds since the measured window began: negative in the
        warm-up.
        """
        if run_id is None:
            return self.sql("SELECT * FROM intervals ORDER BY block, run_id, rung, t_s")
        return self.sql("SELECT * FROM intervals WHERE run_id = ? ORDER BY rung, t_s", [run_id])

    def histogram(
        self,
        treatment: str,
        load: float,
        *,
        label: str = WHOLE,
        time: Literal["wait", "service", "response"] | None = None,
    ) -> Latencies:
        """Returns the times of operations of one treatment at one load point, merged over every block that
        counts.

        `label` is the kind of operation: the whole transaction, or `point_select` and so on. `time` is
        `service`, or `response` and `wait`, which an open loop has; by default the one that the report draws:
        response times of an open loop, service times of a closed one. Raises InputError where nothing was
        measured.
        """
        kind = time or ("service" if self._material.closed_loop else "response")
        found = merged(self._material, treatment, load, kind, label)
        if found is None:
            there = self._material.rows("SELECT DISTINCT treatment, load, label, kind FROM histograms")
            wanted = {"treatment": treatment, "load": float(load), "label": label, "kind": kind}
            raise InputError(
                f"no {kind} times of {label} in {treatment} at {load:g}",
                hint="; ".join(_there(there, name, value) for name, value in wanted.items()),
            )
        return Latencies(found[0])

    def sql(self, query: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Table:
        """Returns DuckDB's answer to a query of the store: of `runs`, `rungs`, `measures`, `rates` and
        others.

        `DESCRIBE runs` shows the columns of a table. Raises InputError when DuckDB refuses the query.
        """
        try:
            answer = self._material.cursor().sql(query, params=parameters or None)
            names, kinds, rows = answer.columns, list(map(str, answer.types)), answer.fetchall()
        except duckdb.Error as error:
            raise InputError(f"the query failed: {error}") from None
        return of_answer(names, kinds, rows)

    @property
    def charts(self) -> tuple[str, ...]:
        """Names of the report's charts."""
        return tuple(self._charts)

    def chart(self, name: str) -> Chart:
        """Returns one chart of the report: `chart("throughput")`. Raises InputError for a chart that the
        report does not have.
        """
        return Chart(_one(self._charts, name, "chart"))

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the report's tables."""
        return tuple(self._tables)

    def table(self, name: str) -> Table:
        """Returns one table of the report with the columns of its CSV file: `table("costs")`.

        A figure with an interval also has the columns `… low` and `… high`, a ratio also `… verdict`. Raises
        Raises InputError for a table that the report does not have.
        """
        headings, units, rows = raw_rows(_one(self._tables, name, "table"))
        return of_columns(headings, rows, dict(zip(headings, units, strict=True)))

    def close(self) -> None:
        """Releases the store. Tables that were returned remain usable."""
        self._open.close()

    def __enter__(self) -> StudyResults:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        found = self._judged.results
        return (
            f"<assay.StudyResults {self.name}: {len(self.treatments)} treatments,"
            f" {found.blocks_complete} of {found.blocks_planned} blocks>"
        )

    def _repr_html_(self) -> str:
        title = self._material.words.title(self._judged.study.title, self.name)
        found = self._judged.results
        return (
            f"<h3>{html.escape(title)}</h3>"
            f"<p>{found.blocks_complete} of {found.blocks_planned} blocks, {len(found.doubts)} doubts</p>"
            + self.verdicts()._repr_html_()
        )

    @cached_property
    def _charts(self) -> dict[str, Any]:
        return {chart.name: chart for chart in build_charts(self._material)}

    @cached_property
    def _tables(self) -> dict[str, ReportTable]:
        return {table.name: table for table in build_tables(self._material)}

    def _of_measure(self, table: Table, measure: str | None) -> Table:
        if measure is None:
            return table
        there = sorted(set(table["measure"]))
        if measure not in there:
            raise InputError(f"the results have no measure {measure}", hint=f"there are {', '.join(there)}")
        return table.where(measure=measure)


def _in_english(explanation: Explanation) -> str:
    return explained(load_words("en"), explanation)


def _known(record: Any, schema: Mapping[str, str]) -> dict[str, Any]:
    """Returns the fields of a dataclass for which a table has columns."""
    return {name: value for name in schema if (value := getattr(record, name, None)) is not None}


def _one(there: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in there:
        raise InputError(f"the report has no {what} {name}", hint=f"it has {', '.join(there)}")
    return there[name]


def _there(rows: Sequence[Mapping[str, Any]], name: str, wanted: Any) -> str:
    values = dict.fromkeys(row[name] for row in rows)
    shown = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
    return f"{name}: {shown}" if wanted not in values else f"{name} is right"
