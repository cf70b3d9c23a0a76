"""The rule that the mix of reads and writes is that of the job, in settings and in the figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median

from assay.base.numbers import number
from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Levels, Material, at
from assay.results.audit.rules.rule import Rule

_RATIO = ("read_write_ratio", "rw-ratio", "rw_ratio", "file-rw-ratio", "read-write-ratio")
_READS_OF_OLTP = 14 / 4
"""Reads to writes in a transaction of sysbench's OLTP script: 10 rows by key, 4 ranges, 2 updates, a delete,
an insert (oltp.lua)."""
_OLTP_QUERIES = (18.0, 20.0)  # without and with BEGIN and COMMIT
_NEAR = 0.8
"""Share of the stated ratio of reads to writes from which on a row keeps it."""
_SPLIT = 131072
"""Bytes from which on a disk splits an operation, at the least."""


def _check(material: Material) -> Iterator[Finding]:
    yield from _of_settings(material)
    yield from _of_jobs(material)


@dataclass(frozen=True)
class _Stated:
    study: str
    workload: str
    ratio: float
    file: str
    line: int


def _stated(material: Material) -> Iterator[_Stated]:
    for sheet in material.with_columns("setting", "value"):
        for line, row in sheet.rows:
            figure = parse_figure(row["value"])
            if row["setting"].lower() in _RATIO and figure is not None and figure.value > 0:
                yield _Stated(row.get("study", ""), row.get("workload", ""), figure.value, sheet.file, line)


def _of_settings(material: Material) -> Iterator[Finding]:
    """Yields findings for tables whose reads and writes are not in the ratio that the settings state."""
    told: set[tuple[str, str]] = set()
    for stated in _stated(material):
        for table in material.tables:
            if table.study != stated.study or (table.name, stated.workload) in told:
                continue
            series: dict[Levels, list[tuple[Cell, Cell]]] = defaultdict(list)
            for (levels, _), row in table.rows.items():
                if _is_of(row, stated.workload) and (found := _parts(row)):
                    series[levels].append(found)
            for mixes in series.values():
                far = [
                    one for one in mixes if not _NEAR < one[0].value / one[1].value / stated.ratio < 1 / _NEAR
                ]
                if mixes and 2 * len(far) >= len(mixes):
                    told.add((table.name, stated.workload))
                    yield _far_mix(stated, far, len(mixes))
    yield from _of_transactions(material)


def _is_of(row: Mapping[str, Cell], workload: str) -> bool:
    own = {cell.level("workload") for cell in row.values()}
    return any(one == workload or (workload and one.startswith(workload)) for one in own)


def _parts(row: Mapping[str, Cell]) -> tuple[Cell, Cell] | None:
    """Returns the rates of reads and of writes in a row."""
    found: dict[str, Cell] = {}
    for cell in row.values():
        role = role_of(cell.metric, cell.unit)
        if role is not None and role.part in ("read", "write") and role.kind in ("bandwidth", "iops", "qps"):
            found.setdefault(role.part, cell)
    if len(found) < 2 or not found["write"].value or not found["read"].value:
        return None
    return found["read"], found["write"]


def _far_mix(stated: _Stated, far: list[tuple[Cell, Cell]], rows: int) -> Finding:
    ratios = sorted(read.value / write.value for read, write in far)
    first = far[0][0]
    return replace(
        at(
            first,
            RULE.name,
            "warning",
            "high",
            expected=f"{stated.ratio:g} reads for a write",
            sign=f"{stated.file} states {stated.ratio:g} reads for a write,"
            f" the rows have {number(ratios[0])} to {number(ratios[-1])}",
            second_sign=f"{len(far)} of {rows} rows have another mix" if len(far) > 1 else "",
        ),
        row="every row" if len(far) == rows else first.row,
        printed=f"{number(median(ratios))} reads for a write",
    )


def _of_transactions(material: Material) -> Iterator[Finding]:
    """Yields findings for a ratio that is stated for sysbench's OLTP load, whose statements are fixed."""
    for stated in _stated(material):
        if not stated.workload.lower().startswith("oltp") or 0.8 < stated.ratio / _READS_OF_OLTP < 1.25:
            continue
        each = [
            pair[1].value / pair[0].value
            for table in material.tables
            if table.study == stated.study
            for row in table.rows.values()
            if _is_of(row, stated.workload) and (pair := _rates(row))
        ]
        if len(each) < 3 or not any(abs(median(each) / usual - 1) < 0.01 for usual in _OLTP_QUERIES):
            continue
        yield Finding(
            RULE.name,
            "warning",
            "medium",
            stated.file,
            stated.file.rsplit(".", 1)[0],
            stated.workload,
            "read_write_ratio",
            stated.line,
            f"{stated.ratio:g}",
            f"{_READS_OF_OLTP:g}",
            f"a transaction of sysbench's OLTP load has 14 reads and 4 writes, {stated.ratio:g} is stated",
            f"{number(median(each))} queries a transaction are those of that load",
        )


def _rates(row: Mapping[str, Cell]) -> tuple[Cell, Cell] | None:
    """Returns the transactions and the queries of a row."""
    kinds = {role.kind: cell for cell in row.values() if (role := role_of(cell.metric, cell.unit))}
    return (kinds["tps"], kinds["qps"]) if {"tps", "qps"} <= kinds.keys() and kinds["tps"].value else None


def _of_jobs(material: Material) -> Iterator[Finding]:
    """Yields findings for a disk that did other work than the job that ran on it."""
    jobs: dict[tuple[str, str, str], list[Cell]] = defaultdict(list)
    for cell in material.cells:
        if cell.level("job"):
            jobs[cell.study, cell.table, cell.level("job")].append(cell)
    for (_, _, job), cells in jobs.items():
        issued, disk = (_by_direction(cells, name) for name in ("issued", "disk_ios"))
        if not issued or not disk:
            continue
        whole = sum(cell.value for cell in issued.values())
        for direction, cell in disk.items():
            own = issued[direction].value if direction in issued else 0.0
            most = 2 * max(1.0, 2 * _block(job) / _SPLIT) * own + 0.05 * whole + 100
            if cell.value > most:
                yield at(
                    cell,
                    RULE.name,
                    "warning",
                    "high",
                    expected=f"about {own:,.0f}",
                    sign=f"the job issued {own:,.0f} {direction}s, the disk carried out {cell.figure.text}",
                    second_sign="another load shared the disk, or the figures are not of this job alone",
                )


def _by_direction(cells: list[Cell], metric: str) -> dict[str, Cell]:
    found = {cell.level("direction"): cell for cell in cells if cell.metric == metric}
    return {way: cell for way, cell in found.items() if way in ("read", "write")}


def _block(job: str) -> float:
    size = parse_figure(job.rpartition("_")[2].upper().replace("K", "k").rstrip("B"))
    return size.value if size else 4096.0


RULE = Rule(
    "mix",
    "reads and writes against the mix that the job states",
    _check,
    kind="physics",
    must="reads and writes are in the ratio that the settings state, in each series; a disk does only "
    "what the job issued",
)
