"""What every record, table and chart is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.report.numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from assay.folder import ResultsFolder
    from assay.report.words import Words
    from assay.study import Study
    from assay.verdict.results import Comparison, Estimate, Results


@dataclass(frozen=True)
class Material:
    """One study's results, the store they came from, and the language to speak of them in."""

    study: Study
    results: Results
    store: duckdb.DuckDBPyConnection
    folder: ResultsFolder
    words: Words

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Rows of the store as plain dictionaries. A cursor of its own.

        Tables may be built while another is read.
        """
        cursor = self.store.cursor().execute(sql, list(parameters))
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def estimate(self, treatment: str, load: float, measure: str) -> Estimate | None:
        """The estimate of one cell, or None where nothing was measured."""
        return next(
            (
                e
                for e in self.results.estimates
                if e.treatment == treatment and e.load == load and e.measure == measure
            ),
            None,
        )

    def comparison(self, other: str, load: float, measure: str) -> Comparison | None:
        """`other` against the study's baseline."""
        baseline = self.results.treatments[0]
        return next(
            (
                c
                for c in self.results.comparisons
                if c.baseline == baseline and c.other == other and c.load == load and c.measure == measure
            ),
            None,
        )

    def measures(self) -> dict[str, str]:
        """Measure -> unit, in the order in which the verdict estimated them."""
        return {e.measure: e.unit for e in self.results.estimates}

    def load_words(self, load: float) -> str:
        """`64 threads`, `500 per second`."""
        kind = self.results.load_kind
        key = "one-thread" if kind == "threads" and load == 1 else kind
        return self.words(f"load.at-{key}", load=number(load))

    @property
    def closed_loop(self) -> bool:
        """True when the load was a number of threads: then latency is service time."""
        return self.results.load_kind == "threads"
