"""Reads published tables: figures in long form, each table with its axes and measures."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_NO_AXIS = {"study", "table", "source_line", "source_column", "metric", "unit", "result", "as_published"}
_UNITS = {
    "read_ahead_kb": "KiB",
    "innodb_io_capacity": "1/s",
    "innodb_max_dirty_pages_pct": "%",
}


@dataclass(frozen=True)
class TableAxis:
    """An axis of a table. `levels` are as printed, in the printed order; an empty one was not stated."""

    name: str
    levels: tuple[str, ...]
    unit: str = ""

    @property
    def is_numeric(self) -> bool:
        """Whether every level is a number, so that the axis has an order and distances."""
        return all(number_of(level) is not None for level in self.levels)


@dataclass(frozen=True)
class TableMeasure:
    """A measure that a table reports, with its unit."""

    name: str
    unit: str


@dataclass(frozen=True)
class TableCell:
    """One printed figure. `levels` has one level for each axis; `value` is None where a word was printed."""

    levels: tuple[str, ...]
    measure: str
    value: float | None
    printed: str
    source_line: int


@dataclass(frozen=True)
class PublishedTable:
    """One table of a report, as it was printed.

    A table without `cells` holds settings or facts; `rows` has every table as columns of text. `fixed` are
    columns with one level throughout: the conditions of the whole table.
    """

    id: str
    report: str
    name: str
    axes: tuple[TableAxis, ...]
    measures: tuple[TableMeasure, ...]
    cells: tuple[TableCell, ...]
    fixed: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[Mapping[str, str], ...] = ()

    @property
    def x(self) -> TableAxis | None:
        """The axis along which a chart of the table is drawn.

        It is threads or samples where the table has them, otherwise the numeric axis with most levels,
        otherwise the first.
        """
        for axis in self.axes:
            if axis.name in ("threads", "sample"):
                return axis
        numeric = [axis for axis in self.axes if axis.is_numeric]
        return max(numeric or self.axes[:1], key=lambda axis: len(axis.levels), default=None)

    def column(self, axis: TableAxis) -> int:
        """Returns the place of an axis in the levels of a cell."""
        return self.axes.index(axis)


def read_table(stem: str, text: str) -> PublishedTable:
    """Reads the table in one CSV file; `stem` is the file's name without its ending.

    Axes are the columns whose levels differ. Columns that name a factor and its level (`param`, `value`) are
    one axis, and so are columns that always have equal levels.
    """
    rows = tuple(csv.DictReader(io.StringIO(text)))
    report = stem[:3]
    numbered = re.match(r"\d{3}_\d\d", stem)
    id, name = (numbered[0], stem[7:]) if numbered else (stem, stem[4:])
    if not {"metric", "result"} <= set(rows[0]):
        return PublishedTable(id, report, name, (), (), (), rows=rows)
    columns = _columns(rows)
    fixed = {key: levels[0] for key, levels in columns.items() if len(set(levels)) == 1}
    varied = {key: levels for key, levels in columns.items() if key not in fixed}
    axes = tuple(
        TableAxis(key, tuple(dict.fromkeys(levels)), _UNITS.get(key, ""))
        for key, levels in _tied(varied).items()
    )
    levels = list(zip(*_tied(varied).values(), strict=True)) or [()] * len(rows)
    return PublishedTable(
        id=id,
        report=report,
        name=name,
        axes=axes,
        measures=tuple(dict.fromkeys(TableMeasure(row["metric"], _unit(row["unit"])) for row in rows)),
        cells=tuple(
            TableCell(
                levels=place,
                measure=row["metric"],
                value=number_of(row["result"]),
                printed=row.get("as_published") or row["result"],
                source_line=int(row["source_line"]),
            )
            for row, place in zip(rows, levels, strict=True)
        ),
        fixed={key: level for key, level in fixed.items() if level},
        rows=rows,
    )


def number_of(text: str) -> float | None:
    """Returns the number in a level or a figure, or None; 512M and 30% count as words."""
    try:
        return float(text)
    except ValueError:
        return None


def _columns(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Returns the levels of each row, by the name of what varies."""
    found: dict[str, list[str]] = {}
    params = list(dict.fromkeys(row["param"] for row in rows)) if "param" in rows[0] else []
    for key in rows[0]:
        if key == "param":
            continue
        name = params[0] if key == "value" and len(params) == 1 else key
        if key not in _NO_AXIS:
            found[name] = [row[key] for row in rows]
    return found


def _tied(varied: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Returns columns that always have equal levels as one, named `a=b`."""
    joined: dict[tuple[str, ...], list[str]] = {}
    for name, levels in varied.items():
        joined.setdefault(tuple(levels), []).append(name)
    return {"=".join(names): levels for levels, names in joined.items()}


def _unit(text: str) -> str:
    """Returns the unit; `1` stands for a plain number."""
    return "" if text == "1" else text
