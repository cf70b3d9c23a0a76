"""Reads sheets in wide form: a load point a row or a column, a metric or a series a column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.audit.metrics import SECONDS, role_of
from assay.audit.model import Cell, Levels, Sheet
from assay.audit.reading.cell_text import NOTHING, CellText, read_cell
from assay.audit.reading.words import axis_of, in_english, rung_of

_UNIT = re.compile(r"[(\[]([^)\]]+)[)\]]")
_UNITS = re.compile(r"(1|)/s|[kKMG]?i?[bB](it)?/s|[mun]?s|[mu]?sec|µs|%|sec")
_QUANTILE = re.compile(r"p\d{2,3}(?:[._]\d+)?|\d{2}(?:\.\d+)?(?:th|%)")
_STAT = re.compile(r"avg|mean|average|median|min|max|minimum|maximum|stdev")
_PAIR = re.compile(r"(\S+)\s*/\s*(\S+)")
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
        axis = next((one for one in columns if axis_of(one) and self._is_of_figures(one)), "")
        across = [] if axis else [one for one in columns if self._is_rung(one)]
        if axis and axis_of(axis) != "sample" and len(self.sheet.rows) < 2:
            return
        names = [one for one in columns if one != axis and one not in across and self._is_level(one, axis)]
        heads = {
            one: self._heads(one, across)
            for one in columns
            if one != axis and one not in names and (one in across or not across)
        }
        if not axis and not across:
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
            if (levels, rung) in seen:
                levels += ((ROW, str(line)),)
            seen.add((levels, rung))
            for column, of in heads.items():
                text = self.texts[column][number]
                if text.figures:
                    self._take(number, column, text.rest)
                for head, one in zip(of, text.figures, strict=False):
                    series = (("series", head.series),) if head.series and not across else ()
                    yield Cell(
                        self.sheet.file,
                        line,
                        "",
                        self.sheet.file,
                        head.metric,
                        head.unit or one.unit,
                        levels + series,
                        head.axis if across else axis_of(axis),
                        head.rung if across else rung,
                        one.figure,
                    )

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
        return rung_of(column) is not None and self._is_of_figures(column)

    def _is_level(self, column: str, axis: str) -> bool:
        """Returns whether a column names rows: it has words, or numbers that nothing measures."""
        metric, unit, _ = _metric_of(column)
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
            said = rung_of(column)
            assert said is not None
            metric, title_unit = _of_title(self.sheet.title, unit)
            corner = next(
                (name for one in (*self.sheet.columns, *self.sheet.title.split()) if (name := axis_of(one))),
                "",
            )
            axis = said[0] or corner or _axis_in(self.sheet)
            return [
                Head(metric, title_unit, "" if most == 1 else str(part), axis, said[1])
                for part in range(1, most + 1)
            ]
        parts = _parts(column, most)
        return [Head(*_metric_of(part, unit)) for part in parts]


def _axis_in(sheet: Sheet) -> str:
    """Returns the axis that the title or the corner of a sheet names among other words."""
    words = [*re.split(r"[^\w/]+", in_english(sheet.title)), *re.split(r"[\\/|,\s]+", sheet.columns[0])]
    return next((axis for word in words if (axis := axis_of(word)) and axis != "rate"), "")


def _of_title(title: str, unit: str) -> tuple[str, str]:
    """Returns the metric and its unit that the title of a sheet names: `TPS by threads`."""
    metric, own, _ = _metric_of(title, unit)
    return metric, own or unit


def _parts(column: str, most: int) -> list[str]:
    """Returns the head of each figure in a cell: `avg / p95 latency` has two."""
    pair = _PAIR.search(column)
    if most == 2 and pair and not _UNITS.fullmatch(f"/{pair[2]}"):
        return [column.replace(pair[0], one) for one in pair.groups()]
    bracket = _UNIT.search(column)
    if most == 2 and bracket and not _UNITS.fullmatch(bracket[1]):
        return [column.replace(bracket[0], "").strip(), bracket[1]]
    return [column] if most <= 1 else [column, *(f"{column} [{part}]" for part in range(2, most + 1))]


def _metric_of(column: str, cell_unit: str = "") -> tuple[str, str, str]:
    """Returns a wide column's metric, unit and series: `tps deadline` is tps of deadline, `p95 latency (ms)`
    one metric. `cell_unit` is the unit that stands in the cells.
    """
    bracket = _UNIT.search(in_english(column)) or _UNIT.search(column)
    unit = bracket[1] if bracket and _UNITS.fullmatch(bracket[1].strip()) else ""
    original = _UNIT.search(column)
    bare = (column.replace(original[0], " ") if original and unit else column).strip()
    unit = unit.strip() or cell_unit
    words = [word for word in re.split(r"[\s:;/\[\]()]+", bare) if word]
    said = [in_english(word) for word in words]
    kept = [english for english in said if _says_what(english)]
    series = " ".join(word for word, english in zip(words, said, strict=True) if not _says_what(english))
    metric = " ".join(kept)
    if role_of(metric, "") is None:
        is_time = unit.lower() in SECONDS
        if any(_QUANTILE.fullmatch(word) for word in kept) or (is_time and any(map(_STAT.fullmatch, kept))):
            metric = f"{metric} latency"
        elif unit in ("tps", "qps", "iops"):
            metric = f"{metric} {unit}".strip()
        elif role_of(bare, unit) is None and role_of(in_english(bare), unit) is None:
            return "value", unit, bare
    return metric or in_english(bare), "" if unit in ("tps", "qps", "iops", "x", "threads") else unit, series


def _says_what(word: str) -> bool:
    known = r"avg|mean|average|median|min|max|minimum|maximum|stdev|p\d+(\.\d+)?|\d+(\.\d+)?(th|%)|percentile"
    known += r"|read|write|total|cpu|ms|us|s|sec|per|response time"
    return all(role_of(one) is not None or re.fullmatch(known, one) is not None for one in word.split()) or (
        role_of(word) is not None
    )
