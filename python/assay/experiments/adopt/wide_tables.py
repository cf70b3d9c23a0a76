"""Reads result tables: CSV files, and tables pasted from a page, as the audit reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.base.errors import InputError
from assay.base.printable import line
from assay.design.folder import Printed, PrintedFigure
from assay.design.study import Kind
from assay.design.study.claims import LoadKind
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Text
from assay.results.audit import BYTES_PER_S, ROW, Cell, read_material, role_of, seconds

TOOL = "table"
_MIB = 2**20
_LOADS: Mapping[str, LoadKind] = {
    "threads": "threads",
    "connections": "threads",
    "clients": "threads",
    "concurrency": "threads",
    "users": "threads",
    "terminals": "threads",
    "iodepth": "iodepth",
    "rate": "rate",
}
"""Axes of tables, as the audit names them, that are a load."""
_STATS = {"mean": "mean", "min": "min", "max": "max"}


def read(path: Path, text: Text) -> list[Adopted]:
    """Takes the lines of tables. Returns one result for each row of a table and each of its series; none
    where the file has no table.

    Raises InputError for a table along an axis that is no load, and for a CSV file without a table.
    """
    try:
        material = read_material([path])
    except InputError:
        if path.suffix in (".csv", ".tsv"):
            raise
        return []
    cells = material.cells
    numbers = {cell.line for cell in cells}
    for sheet in material.sheets:
        if any(line in numbers for line, _ in sheet.rows):
            numbers.update(sheet.heads)
    for one in text.lines:
        if one.number in numbers:
            one.take()
    rows: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        rows.setdefault((cell.study, cell.table, cell.levels, cell.axis, cell.rung), []).append(cell)
    return [_result(path, row) for row in rows.values()]


def _result(path: Path, row: Sequence[Cell]) -> Adopted:
    first = row[0]
    figures = [_figure(path, cell) for cell in row]
    names = {one.name for one in figures}
    kind: Kind = "storage" if names & {"iops", "mib_per_s"} and not names & {"tps", "qps"} else "server"
    return Adopted(
        tool=TOOL,
        version="",
        kind=kind,
        workload=TOOL,
        printed=Printed(figures=figures),
        load=_load(path, first),
        settings={_word(name): value for name, value in first.levels if value and name != ROW},
        unknown=(
            *(one for one in UNKNOWN if kind == "server" or one not in ("server", "variables", "dataset")),
            "workload",
            "histogram",
            "seconds",
            "tool",
        ),
    )


def _load(path: Path, cell: Cell) -> LoadPoint | None:
    if cell.rung is None:
        return None
    if cell.axis not in _LOADS:
        raise InputError(
            f"{path}:{cell.line}: expected a table by threads, rate or iodepth, found one by"
            f" {cell.axis or 'numbers without a name'}"
        )
    return LoadPoint(_LOADS[cell.axis], cell.rung)


def _word(name: str) -> str:
    return re.sub(r"\W+", "_", name.strip().lower()).strip("_")


def _figure(path: Path, cell: Cell) -> PrintedFigure:
    """Returns a cell as a measure of the store where its column says which, otherwise under its own name."""
    name, unit, value = _measure(cell)
    text = cell.figure.text
    return PrintedFigure(
        name=name,
        unit=unit,
        value=value,
        text=text,
        file=line(path),
        place=f"line {cell.line}",
        how=""
        if value == cell.value and not text[-1].isalpha()
        else f"{text} {cell.unit} in {unit or 'units'}",
    )


def _measure(cell: Cell) -> tuple[str, str, float]:
    role = role_of(cell.metric, cell.unit)
    name, value = _word(cell.metric), cell.value
    if role is None:
        return name, cell.unit, value
    part = f"{role.part}_" if role.part in ("read", "write") else ""
    match role.kind:
        case "tps" | "qps" if role.stat == "mean":
            return role.kind, "/s", value
        case "iops" if role.stat == "mean":
            return f"{part}iops", "/s", value
        case "bandwidth" if role.stat == "mean" and cell.unit in BYTES_PER_S:
            scale = BYTES_PER_S[cell.unit]
            return f"{part}mib_per_s", "MiB/s", value if scale == _MIB else value * scale / _MIB
        case "latency" if role.stat in _STATS or role.quantile is not None:
            what = _STATS.get(role.stat) or f"p{100 * (role.quantile or 0):g}".replace(".", "_")
            is_ms = cell.unit.strip().lower() in ("", "ms")
            return f"{part}{what}_ms", "ms", value if is_ms else 1000 * seconds(value, cell.unit)
        case "load" if role.stat == "mean":
            return "load_average", "", value
        case "share" if "iowait" in name:
            return "iowait_pct", "%", value
    return name, cell.unit, value
