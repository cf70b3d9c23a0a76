"""The rule that I/O operations × block size = bandwidth, which also shows the unit of the bandwidth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from assay.base.numbers import plain
from assay.results.audit.identity import Sum, broken
from assay.results.audit.metrics import BYTES_PER_S, role_of
from assay.results.audit.model import Cell, Finding, Material, Table, at
from assay.results.audit.rules.ratios import blamed, broken_ratio, pairs_of
from assay.results.audit.rules.rule import Rule

_BLOCK = re.compile(r"(?:^|[_\s])(\d+)\s*(k|m)(?:i?b)?$", re.IGNORECASE)


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        for part in ("", "read", "write"):
            rows = list(_rows(table, part))
            blocks = [(iops, bandwidth, _block_bytes(iops)) for iops, bandwidth in rows]
            if rows and all(block for *_, block in blocks):
                yield from _known(material, [(a, b, c) for a, b, c in blocks if c])
            else:
                yield from broken_ratio(material, RULE.name, "bandwidth / IOPS is the same", pairs_of(rows))


def _rows(table: Table, part: str) -> Iterator[tuple[Cell, Cell]]:
    for row in table.rows.values():
        found: dict[str, Cell] = {}
        for cell in row.values():
            role = role_of(cell.metric, cell.unit)
            if (
                role
                and role.part == part
                and role.stat == "mean"
                and not re.search("job|group|status", cell.metric)
            ):
                found.setdefault(role.kind, cell)
        if "iops" in found and "bandwidth" in found:
            yield found["iops"], found["bandwidth"]


def _block_bytes(cell: Cell) -> float | None:
    for name, level in cell.levels:
        if re.search(r"block|^bs$|^job$", name) and (found := _BLOCK.search(level)):
            return float(found[1]) * (1024 if found[2].lower() == "k" else 1048576)
    return None


def _known(material: Material, rows: list[tuple[Cell, Cell, float]]) -> Iterator[Finding]:
    """Yields findings for tables that print the block size: the bandwidth must follow in the table's own
    unit.
    """
    sums = [
        _sum(iops, bandwidth, block, BYTES_PER_S.get(bandwidth.unit, 1048576.0))
        for iops, bandwidth, block in rows
    ]
    if len(sums) >= 3 and not any(one.kept for one in sums if one.printed.digits >= 2):
        for unit in ("MiB/s", "KiB/s", "B/s", "Mbit/s"):
            fits = [_sum(iops, bandwidth, block, BYTES_PER_S[unit]) for iops, bandwidth, block in rows]
            if sum(one.kept for one in fits) * 4 >= 3 * len(fits):
                first = rows[0][1]
                yield replace(
                    at(
                        first,
                        RULE.name,
                        "error",
                        "high",
                        expected=unit,
                        sign=f"IOPS x block size is {plain(sums[0].expected, 5)}"
                        f" {first.unit}, the print {first.figure.text}",
                        second_sign=f"{sum(one.kept for one in fits)} of {len(fits)} rows come out in {unit}",
                    ),
                    printed=first.unit,
                    row="every row",
                )
                return
    for miss in broken(sums, is_arithmetic=True):
        sign = f"IOPS x block size = bandwidth in most rows; here {100 * miss.off:+.1f} %"
        yield blamed(material, RULE.name, miss, sign, "the block size is printed")


def _sum(iops: Cell, bandwidth: Cell, block: float, unit: float) -> Sum[tuple[Cell, Cell]]:
    each = block / unit
    figure = iops.figure
    return Sum(
        (iops, bandwidth), bandwidth.figure, each * figure.value, each * figure.low, each * figure.high
    )


RULE = Rule(
    "block-size",
    "IOPS x block size = bandwidth, in the unit that is printed",
    _check,
    kind="arithmetic",
    must="IOPS x block size = bandwidth, in the printed unit",
)
