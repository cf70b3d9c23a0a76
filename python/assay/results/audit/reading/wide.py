"""Reads sheets in wide form: a load point a row or a column, a metric or a series a column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Levels, Sheet
from assay.results.audit.reading.cell_text import NOTHING, CellText, read_cell
from assay.results.audit.reading.heads import is_metric, metric_of, metric_of_title, parts_of, split_rung
from assay.results.audit.reading.words import axis_of, in_english

_LEVELS = re.compile(
    r"(?:.* )?(?:version|release|run|repeat|iteration|block|scale|warehouses?|tables?|table[ _]size|rows?"
    r"|cores?|v?cpus?|nodes?|shards?|replicas?|buffer[ _]pool.*|instances?|test|case|no\.?|id|#|year|port"
    r"|partitions?)"
)
"""Heads of columns of numbers that name a row instead of measuring it."""

ROW = "row"
"""The level that distinguishes a row from another with the same name: its line."""


@dataclass(frozen=True)
class Head:
    """What a column of figures is of; `rung` where its head is a load point."""

    metric: str
    unit: str
    series: str
    axis: str = ""
    rung: float | None = None


@dataclass
class WideSheet:
    """A sheet with its reading: the columns by what they are, and the fields that were taken."""

    sheet: Sheet
    texts: dict[str, list[CellText]] = field(init=False)
    taken: set[tuple[int, str]] = field(default_factory=set)
    partly: dict[tuple[int, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.texts = {
            name: [read_cell(row[name]) for _, row in self.sheet.rows] for name in self.sheet.columns
        }

    def cells(self) -> Iterator[Cell]:
        """Yields the figures; none of a sheet in which no column is a load or a known metric."""
        columns = self.sheet.columns
        axis, load = next(((one, load) for one in columns if (load := self._axis(one))), ("", ""))
        across = [] if axis else [one for one in columns if self._is_rung(one)]
        if axis and load != "sample" and len(self.sheet.rows) < 2:
            return
        names = [one for one in columns if one != axis and one not in across and self._is_level(one, axis)]
        heads = {
            one: self._heads(one, across)
            for one in columns
            if one != axis and one not in names and (one in across or not across)
        }
        rows = "" if axis else self._metrics(names)
        names = [one for one in names if one != rows]
        if not axis and not across and not rows:
            known = [one for one, of in heads.items() if role_of(of[0].metric, of[0].unit)]
            heads = {one: heads[one] for one in known}
        if not heads or (across and len(across) < 2):
            return
        last: dict[str, str] = {}
        seen: set[tuple[Levels, float | None]] = set()
        for number, (line, _row) in enumerate(self.sheet.rows):
            rung = self._rung(number, axis)
            if axis and rung is None:
                continue
            levels = self._levels(number, names, last, next(iter(heads)))
            said = metric_of(self.sheet.rows[number][1][rows]) if rows else None
            if rows:
                self._take(number, rows)
            if said is None and (levels, rung) in seen:
                levels += ((ROW, str(line)),)
            seen.add((levels, rung))
            for column, of in heads.items():
                text = self.texts[column][number]
                if text.figures:
                    self._take(number, column, text.rest)
                for head, one in zip(of, text.figures, strict=False):
                    series = (("series", head.series),) if head.series and not across else ()
                    if said is not None and not across:
                        series = (("series", column),)
                    yield Cell(
                        self.sheet.file,
                        line,
                        "",
                        self.sheet.file,
                        said[0] if said else head.metric,
                        (said[1] if said else head.unit) or one.unit,
                        levels + series,
                        head.axis if across else load,
                        head.rung if across else rung,
                        one.figure,
                    )

    def _axis(self, column: str) -> str:
        """Returns the load that a column of figures is: by its head, as also in `threads / server`, or by the
        unit in its fields.
        """
        if not column or not self._is_of_figures(column):
            return ""
        units = {one.unit for text in self.texts[column] for one in text.figures}
        corner = re.split(r"\s*[\\/|]\s*", column)[0]
        return axis_of(column) or axis_of(corner) or ("threads" if units == {"threads"} else "")

    def _metrics(self, names: Sequence[str]) -> str:
        """Returns the column of words that names a metric in each row; an empty text where there is none."""
        for name in names:
            known = [is_metric(row[name]) for _, row in self.sheet.rows if row[name]]
            if known and 3 * sum(known) >= 2 * len(known):
                return name
        return ""

    def _take(self, number: int, column: str, rest: str = "") -> None:
        self.taken.add((number, column))
        if rest:
            self.partly[number, column] = rest

    def _rung(self, number: int, axis: str) -> float | None:
        if not axis or not (figures := self.texts[axis][number].figures):
            return None
        self._take(number, axis)
        return figures[0].figure.value

    def _levels(self, number: int, names: Sequence[str], last: dict[str, str], first: str) -> Levels:
        """Returns the names of a row; a gap left of the figures stands for the name above it."""
        row = self.sheet.rows[number][1]
        found = []
        places = self.sheet.columns.index
        for name in names:
            text = row[name]
            if text:
                self._take(number, name)
            elif places(name) < places(first):
                text = last.get(name, "")
            last[name] = text
            found.append((name, text))
        return tuple(found)

    def _is_of_figures(self, column: str) -> bool:
        return 2 * sum(bool(one.figures) for one in self.texts[column]) > len(self.sheet.rows)

    def _is_rung(self, column: str) -> bool:
        """Returns whether the head of a column of figures is a load point; a bare number must be whole."""
        return split_rung(column) is not None and self._is_of_figures(column)

    def _is_level(self, column: str, axis: str) -> bool:
        """Returns whether a column names rows: it has words, or numbers that nothing measures."""
        metric, unit, _ = metric_of(column)
        if role_of(metric, unit) is not None and any(one.figures for one in self.texts[column]):
            return False
        if not self._is_of_figures(column):
            return any(row[column] and not NOTHING.fullmatch(row[column]) for _, row in self.sheet.rows)
        places = self.sheet.columns.index
        first = places(column) == 0 if not axis else places(column) < places(axis)
        return first or bool(axis_of(column)) or _LEVELS.fullmatch(in_english(column)) is not None

    def _heads(self, column: str, across: Sequence[str]) -> list[Head]:
        """Returns what the figures in each cell of a column are of; most have one."""
        units = Counter(one.unit for text in self.texts[column] for one in text.figures if one.unit)
        unit = units.most_common(1)[0][0] if units else ""
        most = max((len(text.figures) for text in self.texts[column]), default=0)
        if column in across:
            said = split_rung(column)
            assert said is not None
            metric, title_unit = (
                metric_of(said[2], unit)[:2] if said[2] else metric_of_title(self.sheet.title)
            )
            corner = next(
                (name for one in (*self.sheet.columns, *self.sheet.title.split()) if (name := axis_of(one))),
                "",
            )
            axis = said[0] or corner or _axis_in(self.sheet)
            return [
                Head(metric, title_unit or unit, "" if most == 1 else str(part), axis, said[1])
                for part in range(1, most + 1)
            ]
        parts = parts_of(column, most)
        title, title_unit = metric_of_title(self.sheet.title)
        heads = [Head(*metric_of(part, unit)) for part in parts]
        return [
            Head(title, one.unit or title_unit, one.series) if one.metric == "value" else one for one in heads
        ]


def _axis_in(sheet: Sheet) -> str:
    """Returns the axis that the title or the corner of a sheet names among other words."""
    words = [*re.split(r"[^\w/]+", in_english(sheet.title)), *re.split(r"[\\/|,\s]+", sheet.columns[0])]
    return next((axis for word in words if (axis := axis_of(word)) and axis != "rate"), "")
