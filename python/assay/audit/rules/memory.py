"""The rule that a factor can matter: a buffer pool that holds all data at each level cannot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.audit.figure import parse_figure
from assay.audit.metrics import role_of
from assay.audit.model import Cell, Finding, Material, at
from assay.audit.rules.rule import Rule
from assay.wording import sized

_ROW = 300
"""Bytes of a row of sysbench's tables with both indexes, at the most (about 230 in InnoDB)."""
_SIZES = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_ROOM = 2.0  # by how much the smallest pool must exceed the data


def _check(material: Material) -> Iterator[Finding]:
    for study, bytes_, source in _data(material):
        levels: dict[str, Cell] = {}
        for cell in material.cells:
            role = role_of(cell.metric, cell.unit)
            if cell.study == study and role is not None and role.kind in ("tps", "qps"):
                for name, level in cell.levels:
                    if "buffer_pool_size" in name and _bytes(level):
                        levels.setdefault(level, cell)
        sizes = {level: _bytes(level) or 0.0 for level in levels}
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


def _bytes(text: str) -> float | None:
    bare = text.strip().lower().rstrip("b").rstrip("i")
    figure = parse_figure(bare.rstrip("kmgt ").strip())
    scale = _SIZES.get(bare[-1:] or "", 1)
    return figure.value * scale if figure is not None else None


RULE = Rule("memory", "buffer pools that hold all data at every level", _check)
