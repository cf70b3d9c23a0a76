"""The rule that reads and writes are in the mix of their workload: YCSB's, or the one above the table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.base.numbers import number
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.reading.cell_text import read_cell
from assay.results.audit.reading.words import in_english
from assay.results.audit.rules.rule import Rule

_YCSB = {"a": 0.5, "b": 0.95, "c": 1.0, "d": 0.95}
"""Share of reads of YCSB's core workloads that read, update and insert (its wiki, Core Workloads)."""
_WORKLOAD = re.compile(r"(?:ycsb[-_ ]?)?(?:workload[-_ ]?)?([a-d])(?![a-z0-9])", re.IGNORECASE)
_STATED = re.compile(
    r"rwmixread\s*[=:]?\s*(\d{1,2})|(\d{1,2})\s*%\s*reads?|(\d{1,2})\s*[/:]\s*\d{1,2}\s+(?:read|r/w|rw)"
)
_READS = re.compile(r"(?<![a-z])reads?(?![a-z])")
_OTHERS = re.compile(r"(?<![a-z])(?:writes?|updates?|inserts?)(?![a-z])")
_TIMES = re.compile(r"lat|(?<![a-z])(?:[mun]?s|p\d+|avg|mean|min|max|sec|seconds)(?![a-z])|%|percent")
_KEPT, _FAR = 0.015, 0.03
"""Shares by which a row may lie off the mix that it keeps, and from which on it breaks it."""


@dataclass(frozen=True)
class _Mixed:
    """One row with its reads, its other operations, and the share of reads that is stated for it."""

    line: int
    name: str
    column: str
    printed: str
    share: float
    stated: float

    @property
    def off(self) -> float:
        return abs(self.share - self.stated)


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.sheets:
        if sheet.is_known:
            continue
        columns = [(head, re.sub(r"[_\W]+", " ", in_english(head))) for head in sheet.columns]
        reads = [head for head, words in columns if _READS.search(words) and not _TIMES.search(words)]
        others = [head for head, words in columns if _OTHERS.search(words) and not _TIMES.search(words)]
        for pair in zip(reads, others, strict=False):
            rows = [one for line, row in sheet.rows if (one := _mixed(sheet, line, row, pair))]
            kept = sum(one.off <= _KEPT for one in rows)
            for one in rows:
                if one.off > _FAR and kept and 2 * kept >= len(rows) - 1:
                    yield _finding(sheet, one, kept)


def _mixed(sheet: Sheet, line: int, row: Mapping[str, str], pair: tuple[str, str]) -> _Mixed | None:
    counts = [read_cell(row[head]).figures for head in pair]
    stated = _stated(sheet, row)
    if stated is None or any(len(one) != 1 for one in counts):
        return None
    reads, others = (one[0].figure for one in counts)
    if reads.value <= 0 or others.value < 0 or reads.digits < 3:
        return None
    share = reads.value / (reads.value + others.value)
    return _Mixed(line, row[sheet.columns[0]], pair[1], row[pair[1]], share, stated)


def _stated(sheet: Sheet, row: Mapping[str, str]) -> float | None:
    """Returns the share of reads that a row's workload has, or that the title states for all rows."""
    if found := _STATED.search(sheet.title.lower()):
        return float(next(one for one in found.groups() if one)) / 100
    head = sheet.columns[0]
    if "workload" not in head.lower() and "ycsb" not in f"{sheet.title} {sheet.file} {head}".lower():
        return None
    workload = _WORKLOAD.match(row[head].strip())
    return _YCSB[workload[1].lower()] if workload else None


def _finding(sheet: Sheet, one: _Mixed, kept: int) -> Finding:
    return Finding(
        RULE.name,
        "warning",
        "high",
        sheet.file,
        sheet.file,
        f"{sheet.columns[0]}={one.name}",
        one.column,
        one.line,
        one.printed,
        f"{number(100 * (1 - one.stated))} % of both",
        f"{number(100 * one.share)} % are reads, the load has {number(100 * one.stated)} %",
        f"{kept} other row{'s have' if kept != 1 else ' has'} the mix of their load",
    )


RULE = Rule(
    "known-mixes",
    "reads and writes against the mix of a known workload",
    _check,
    kind="physics",
    must="reads and other operations are in the mix of YCSB's workload, or that of `rwmixread` above the "
    "table, in each row where others are",
)
