"""The material of an audit, whatever it was read from: sheets of texts, and figures of result tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from assay.results.audit.figure import Figure
from assay.results.audit.metrics import role_of

Levels = tuple[tuple[str, str], ...]
Series = tuple[str, str, str, Levels, str]
"""The key of a series: study, table, metric, levels, axis."""
Severity = Literal["error", "warning", "note"]
Confidence = Literal["high", "medium", "low"]


DESCRIPTIONS = (
    ("quantity", "value", "unit"),
    ("claim", "hypothesis"),
    ("setting", "value"),
    ("param", "order", "value"),
    ("param", "recommended"),
    ("param", "command"),
    ("server", "variable", "value"),
    ("attribute", "value"),
    ("job", "option", "value"),
    ("x_axis", "x_ladder"),
)
"""The columns of tables that describe results instead of holding them."""


@dataclass(frozen=True)
class Sheet:
    """One table as texts: its rows, each with its line in the file."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str]], ...]
    title: str = ""  # what stands above the table
    heads: tuple[int, ...] = ()  # the lines that name the columns

    @property
    def is_known(self) -> bool:
        """Whether the columns say that this is the long form, or one of the tables that describe results."""
        return self.has("metric", "result") or any(self.has(*columns) for columns in DESCRIPTIONS)

    def has(self, *columns: str) -> bool:
        """Returns whether the sheet has all of these columns."""
        return set(columns) <= set(self.columns)

    @property
    def name(self) -> str:
        """The name of its file without the ending."""
        return self.file.rsplit(".", 1)[0]

    def finding(
        self,
        rule: str,
        severity: Severity,
        confidence: Confidence,
        row: str,
        column: str,
        line: int,
        printed: str,
        expected: str,
        sign: str,
        second: str,
    ) -> Finding:
        """Returns a finding at a line of the sheet."""
        return Finding(
            rule,
            severity,
            confidence,
            self.file,
            self.name,
            row,
            column,
            line,
            printed,
            expected,
            sign,
            second,
        )


@dataclass(frozen=True)
class Cell:
    """One printed figure of a result table, with everything that identifies it."""

    file: str
    line: int
    study: str
    table: str
    metric: str
    unit: str
    levels: Levels  # all that names the row, but for the load point
    axis: str  # threads, iodepth, sample …; empty where there is none
    rung: float | None
    figure: Figure

    @property
    def value(self) -> float:
        return self.figure.value

    @property
    def row(self) -> str:
        """The name of the row for a reader of the table."""
        rung = [f"{self.axis}={self.rung:g}"] if self.rung is not None else []
        return ", ".join(rung + [f"{name}={value}" for name, value in self.levels if value])

    @property
    def series(self) -> Series:
        """The key of the cell's series: what stays the same along a ladder."""
        return self.study, self.table, self.metric, self.levels, self.axis

    def level(self, name: str) -> str:
        """Returns the level of a factor, or an empty text."""
        return dict(self.levels).get(name, "")


class Curve(dict[float, Cell]):
    """One metric along a ladder: cells by rung. It is complete when it is read for the first time."""

    @cached_property
    def ladder(self) -> list[float]:
        return sorted(self)

    @cached_property
    def _places(self) -> dict[float, int]:
        return {rung: place for place, rung in enumerate(self.ladder)}

    @cached_property
    def first(self) -> Cell:
        return next(iter(self.values()))

    def beside(self, rung: float) -> tuple[float | None, float | None]:
        """Returns the rungs before and after a rung; None beyond the ends of the ladder."""
        place = self._places[rung]
        return (
            self.ladder[place - 1] if place else None,
            self.ladder[place + 1] if place + 1 < len(self.ladder) else None,
        )

    def around(self, rung: float, number: int) -> list[float]:
        """Returns up to `number` rungs on each side of a rung."""
        place = self._places[rung]
        return self.ladder[max(place - number, 0) : place] + self.ladder[place + 1 : place + 1 + number]

    def line(self, rung: float) -> float | None:
        """Returns the value that the neighbours on the ladder predict, on log scales; None at its ends."""
        return self._lines[rung]

    @cached_property
    def _lines(self) -> dict[float, float | None]:
        return {rung: self._between(*self.beside(rung), rung) for rung in self.ladder}

    def _between(self, left: float | None, right: float | None, rung: float) -> float | None:
        if left is None or right is None or min(self[left].value, self[right].value, left) <= 0:
            return None
        low, high = math.log(self[left].value), math.log(self[right].value)
        share = (math.log(rung) - math.log(left)) / (math.log(right) - math.log(left))
        return math.exp((1 - share) * low + share * high)


@dataclass(frozen=True)
class LeftOver:
    """A part of a file that was not read: a table, a column, a field (`cell`) or a line, with the reason."""

    file: str
    line: int
    part: Literal["table", "column", "cell", "line"]
    column: str
    text: str
    why: str


@dataclass(frozen=True)
class Finding:
    """One finding of the audit. Without a second sign it is a note."""

    rule: str
    severity: Severity
    confidence: Confidence
    file: str
    table: str
    row: str
    column: str
    line: int
    printed: str
    expected: str
    sign: str  # what the rule saw
    second_sign: str


@dataclass(frozen=True)
class Table:
    """Rows in which an identity may be checked: a printed table, or two that print metrics of the same rows
    apart.
    """

    study: str
    name: str
    rows: Mapping[tuple[Levels, float | None], Mapping[str, Cell]]

    @cached_property
    def metrics(self) -> frozenset[str]:
        return frozenset(metric for row in self.rows.values() for metric in row)


@dataclass(frozen=True)
class Material:
    """All sheets and figures of one audit."""

    sheets: tuple[Sheet, ...]
    cells: tuple[Cell, ...]
    repeats: Mapping[str, int] = field(default_factory=dict)  # study -> runs behind a figure, where known
    left: tuple[LeftOver, ...] = ()
    decoded: tuple[str, ...] = ()  # what was done to read the files as text
    unnamed: tuple[int, ...] = ()  # figures of each table without a known metric

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The result tables, with tables that print metrics of the same rows joined."""
        grouped: dict[tuple[str, str], dict[tuple[Levels, float | None], dict[str, Cell]]] = {}
        for cell in self.cells:
            rows = grouped.setdefault((cell.study, f"{cell.file}\0{cell.table}"), {})
            rows.setdefault((cell.levels, cell.rung), {}).setdefault(cell.metric, cell)
        return tuple(
            _joined(Table(study, name.split("\0")[1], rows) for (study, name), rows in grouped.items())
        )

    @cached_property
    def series(self) -> dict[Series, Curve]:
        """The series by key."""
        found: dict[Series, Curve] = defaultdict(Curve)
        for cell in self.cells:
            if cell.rung is not None:
                found[cell.series].setdefault(cell.rung, cell)
        return dict(found)

    @cached_property
    def families(self) -> Mapping[tuple[str, str, str], list[Curve]]:
        """The series of one metric and kind of load point, by study, metric and axis."""
        found: dict[tuple[str, str, str], list[Curve]] = defaultdict(list)
        for (study, _, metric, _, axis), curve in self.series.items():
            found[study, metric, axis].append(curve)
        return found

    @cached_property
    def of_rows(self) -> Mapping[tuple[str, Levels], list[Curve]]:
        """The series of all metrics of the same rows, by table and levels."""
        found: dict[tuple[str, Levels], list[Curve]] = defaultdict(list)
        for (_, table, _, levels, _), curve in self.series.items():
            found[table, levels].append(curve)
        return found

    def with_columns(self, *columns: str) -> Iterator[Sheet]:
        """Yields the sheets that have all of these columns."""
        return (sheet for sheet in self.sheets if sheet.has(*columns))


def at(
    cell: Cell,
    rule: str,
    severity: Severity,
    confidence: Confidence,
    *,
    expected: str,
    sign: str,
    second_sign: str = "",
) -> Finding:
    """Returns a finding about a cell; one without a second sign becomes a note."""
    return Finding(
        rule,
        severity if second_sign else "note",
        confidence if second_sign else "low",
        cell.file,
        cell.table,
        cell.row,
        cell.metric,
        cell.line,
        cell.figure.text,
        expected,
        sign,
        second_sign,
    )


_PAIRS = ({"tps", "qps"}, {"iops", "bandwidth"}, {"tps", "latency"}, {"qps", "latency"}, {"iops", "latency"})


def _belong(one: Table, other: Table) -> bool:
    """Returns whether two tables hold metrics that belong in one row."""
    first, second = (
        {role.kind for name in table.metrics if (role := role_of(name))} for table in (one, other)
    )
    return any(pair <= first | second and not pair <= first and not pair <= second for pair in _PAIRS)


def _joined(tables: Iterable[Table]) -> Iterator[Table]:
    """Yields the tables; two that have the same rows but no metric in common become one."""
    waiting = list(tables)
    while waiting:
        one = waiting.pop(0)
        for other in waiting:
            alike = one.rows.keys() & other.rows.keys()
            fits = one.study == other.study and not one.metrics & other.metrics and _belong(one, other)
            if fits and len(alike) >= 4 and 4 * len(alike) >= 3 * max(len(one.rows), len(other.rows)):
                waiting.remove(other)
                rows = {
                    key: {**one.rows.get(key, {}), **other.rows.get(key, {})}
                    for key in {**one.rows, **other.rows}
                }
                one = Table(one.study, f"{one.name} + {other.name}", rows)
                break
        yield one
