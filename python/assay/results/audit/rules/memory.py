"""The rule that a factor can matter: a buffer pool that holds all data at each level cannot."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.base.wording import sized
from assay.results.audit.figure import bytes_of, parse_figure
from assay.results.audit.metrics import is_server_rate
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_ROW = 300
"""Bytes of a row of sysbench's tables with both indexes, at the most (about 230 in InnoDB)."""
_TIMES = 3.0  # by how much a stated size must exceed that of the rows
_ROOM = 2.0  # by how much the smallest pool must exceed the data


def _check(material: Material) -> Iterator[Finding]:
    yield from _rows_and_files(material)
    yield from _pools(material)


def _rows_and_files(material: Material) -> Iterator[Finding]:
    """Yields findings for sysbench's tables whose stated rows do not make their stated size."""
    for sheet in material.with_columns("quantity", "value", "unit"):
        groups: dict[tuple[str, str, str], dict[str, tuple[int, str, float]]] = defaultdict(dict)
        for line, row in sheet.rows:
            figure, stem = parse_figure(row["value"]), row["quantity"].split("_")[0]
            place = row.get("study", ""), row.get("source_line", ""), stem
            size = bytes_of(f"{row['value']}{row['unit']}") if re.search("size", row["quantity"]) else None
            if figure is not None and row["unit"] == "rows":
                groups[place]["rows"] = (line, row["value"], figure.value)
            elif size and bytes_of(row["value"]) != size:
                groups[place]["size"] = (line, f"{row['value']} {row['unit']}", size)
        for (study, _, stem), found in groups.items():
            if len(found) < 2 or not _is_of_sysbench(material, study):
                continue
            (line, text, size), (_, rows, count) = found["size"], found["rows"]
            if size > _TIMES * _ROW * count:
                yield sheet.finding(
                    RULE.name,
                    "warning",
                    "medium",
                    f"{stem}, size",
                    "value",
                    line,
                    text,
                    f"about {sized(_ROW * count)} at the most",
                    f"{text} for {rows} rows are {size / count:,.0f} bytes a row",
                    f"a row of sysbench's tables takes at most {_ROW} bytes with its indexes",
                )


def _is_of_sysbench(material: Material, study: str) -> bool:
    return any("sysbench" in cell.level("workload") for cell in material.cells if cell.study == study)


def _pools(material: Material) -> Iterator[Finding]:
    """Yields findings for buffer pools of which each holds all data."""
    for study, bytes_, source in _data(material):
        levels: dict[str, Cell] = {}
        for cell in material.cells:
            if cell.study == study and is_server_rate(cell.metric, cell.unit):
                for name, level in cell.levels:
                    if "buffer_pool_size" in name and bytes_of(level):
                        levels.setdefault(level, cell)
        sizes = {level: bytes_of(level) or 0.0 for level in levels}
        if len(sizes) < 2 or min(sizes.values()) < _ROOM * bytes_:
            continue
        first = levels[max(sizes, key=lambda level: sizes[level])]
        known = ", ".join(sorted(sizes, key=lambda level: sizes[level]))
        yield replace(
            at(
                first,
                RULE.name,
                "warning",
                "medium",
                expected="more data than the smaller buffer pool holds",
                sign=f"the data of {source} are about {sized(bytes_)},"
                f" and every buffer pool ({known}) holds them",
                second_sign=f"even the smallest is {min(sizes.values()) / bytes_:.0f} times as large",
            ),
            row="every row",
            column="innodb_buffer_pool_size",
            printed=known,
        )


def _data(material: Material) -> Iterator[tuple[str, float, str]]:
    """Yields the size of the tables that sysbench made for a study, in bytes, and where it is stated."""
    for sheet in material.with_columns("setting", "value"):
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for _, row in sheet.rows:
            figure = parse_figure(row["value"])
            if figure is not None:
                found[row.get("study", "")].setdefault(row["setting"].replace("_", "-").lower(), figure.value)
        for study, settings in found.items():
            rows = settings.get("oltp-table-size") or settings.get("table-size")
            tables = settings.get("oltp-tables-count") or settings.get("tables") or 1.0
            if rows:
                yield study, rows * tables * _ROW, sheet.file


RULE = Rule(
    "memory",
    "sizes of data against buffer pools and rows",
    _check,
    kind="physics",
    must="buffer pools are compared on data that the smallest of them does not hold twice; rows of "
    "sysbench's tables make their stated size",
)
