"""Reads results folders of the lab: every measure of every run, from the store."""

from __future__ import annotations

from pathlib import Path

from assay.base.numbers import plain
from assay.design.folder import ResultsFolder
from assay.results.audit.figure import Figure
from assay.results.audit.model import Cell
from assay.results.store import build_store, open_store

_MEASURES = """
SELECT treatment, block, load, measure, any_value(unit), avg(value), any_value(kind)
FROM measures JOIN (SELECT run_id, rung, any_value(kind) AS kind FROM rungs GROUP BY ALL) USING (run_id, rung)
WHERE value IS NOT NULL GROUP BY treatment, block, load, measure ORDER BY treatment, block, load, measure
"""


def cells_of_results(path: Path) -> tuple[list[Cell], int]:
    """Returns the figures of a results folder, and the number of blocks. Raises InputError for a damaged
    file.
    """
    folder = ResultsFolder(path)
    build_store(folder)
    store = open_store(folder)
    try:
        rows = store.execute(_MEASURES).fetchall()
    finally:
        store.close()
    cells = [
        Cell(
            str(path),
            0,
            path.name,
            path.name,
            measure,
            unit or "",
            (("treatment", treatment), ("block", str(block))),
            kind,
            load,
            Figure(plain(value, 6), value, abs(value) * 1e-6),
        )
        for treatment, block, load, measure, unit, value, kind in rows
    ]
    return cells, len({row[1] for row in rows})
