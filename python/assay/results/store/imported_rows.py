"""Turns a run that `assay import` wrote into rows: what its tool printed, and null for everything else."""

from __future__ import annotations

import numpy as np

from assay.base.tally import fewest_operations
from assay.design.folder import (
    Damaged,
    Imported,
    Manifest,
    Printed,
    RunFolder,
    RungEntry,
    losses,
    read_printed,
)
from assay.design.study import level_text
from assay.results.store.identity import COLUMNS
from assay.results.store.tables import TABLES, Rows

_COUNTS = frozenset(
    {"elapsed_s", "transactions", "queries", "reads", "writes", "other", "errors", "retries", "failed"}
    | {"reconnects", "warmup_s"}
)
"""Columns of `rungs` that a printed figure of this name fills; any other figure is a measure."""

_Where = tuple[str, str, int, int, float]


def add_imported(rows: Rows, folder: RunFolder, manifest: Manifest, imported: Imported) -> None:
    """Adds the rows of an imported run. Raises `Damaged` where a file of it is missing or has changed."""
    for loss in losses(folder, manifest):
        raise Damaged(
            f"{folder.path / loss.file} {loss.what}",
            hint=f"delete the folder {folder.path}, and import {imported.sources[0].name} again",
        )
    _run(rows, folder, manifest, imported)
    for number, entry in enumerate(manifest.rungs, start=1):
        printed = read_printed(folder.rung_at(entry.dir))
        where = (manifest.run_id, manifest.treatment, manifest.block, number, entry.load)
        _rung(rows, where, entry, printed, _from_results(folder, imported.sources[0].copy))
        _figures(rows, where, printed)
        _over_time(rows, where, printed)


def _run(rows: Rows, folder: RunFolder, manifest: Manifest, imported: Imported) -> None:
    known = {
        "run_id": manifest.run_id,
        "treatment": manifest.treatment,
        "block": manifest.block,
        "position": manifest.position,
        "status": manifest.status,
        "workload": manifest.workload,
        "manifest": _from_results(folder, folder.inside(folder.manifest)),
        "imported": f"{imported.tool} {imported.version}".strip(),
        **{column: manifest.tools.get(column) for column in COLUMNS},
    }
    rows.add("runs", *(known.get(column) for column in TABLES["runs"]))
    for factor, level in manifest.levels.items():
        rows.add("levels_by_run", manifest.run_id, manifest.treatment, factor, level_text(level))
    for source in imported.sources:
        copy = _from_results(folder, source.copy)
        row = (manifest.run_id, imported.tool, imported.version, source.name, copy, source.sha256)
        rows.add("sources", *row)
    rows.extend("unknown", ((manifest.run_id, what) for what in imported.unknown))
    facts = [(imported.tool, name, value) for name, value in imported.settings.items()]
    facts += [("server", f"variables.{name}", str(value)) for name, value in manifest.variables.items()]
    rows.extend("facts", ((manifest.run_id, scope, "before", name, value) for scope, name, value in facts))


def _rung(rows: Rows, where: _Where, entry: RungEntry, printed: Printed, source: str) -> None:
    """Adds the row of `rungs`: the figures that have the name of one of its columns."""
    columns = TABLES["rungs"]
    known: dict[str, object] = {
        "run_id": where[0],
        "treatment": where[1],
        "block": where[2],
        "rung": where[3],
        "load": where[4],
        "kind": entry.kind,
        "complete": entry.status == "complete",
        "events": source,
    }
    for figure in printed.figures:
        if figure.name in _COUNTS:
            known[figure.name] = figure.value if figure.name.endswith("_s") else int(figure.value)
    rows.add("rungs", *(known.get(column) for column in columns))


def _figures(rows: Rows, where: _Where, printed: Printed) -> None:
    operations = next((one.value for one in printed.figures if one.name == "transactions"), None)
    for one in printed.figures:
        rows.add(
            "printed", *where, one.name, one.unit, one.value, one.text or None, one.file, one.place,
            one.how or None,
        )  # fmt: skip
        if one.name not in _COUNTS:
            few = operations is not None and operations < fewest_operations(one.name)
            rows.add("measures", *where, one.name, one.unit, one.value, False, few)
    rows.extend("printed_bins", ((*where, one.ms, one.count) for one in printed.bins))


def _over_time(rows: Rows, where: _Where, printed: Printed) -> None:
    """Adds intervals and series; `t_s` counts from the beginning of the load, as no file says the time."""
    for index, one in enumerate(printed.intervals):
        known = {
            "phase": "measure",
            "index": index,
            "t_s": one.t_s,
            "seconds": one.seconds,
            "tps": one.tps,
            "qps": one.qps,
            "mean_ms": one.mean_ms,
            "p50_ms": one.p50_ms,
            "p95_ms": one.p95_ms,
            "p99_ms": one.p99_ms,
            "read_mib_per_s": one.read_mib_per_s,
            "write_mib_per_s": one.write_mib_per_s,
        }
        rows.add("intervals", *where, *(known.get(name) for name in list(TABLES["intervals"])[len(where) :]))
    for series in printed.series:
        values = np.array(series.value, dtype=np.float64).reshape(-1, 1)
        at = np.array(series.t_s, dtype=np.float64)
        rows.add_series("rate_series", (*where, series.source), [series.name], at, values)


def _from_results(folder: RunFolder, inside: str) -> str:
    """Returns the path of a file of the run folder, relative to the results folder."""
    return (folder.path / inside).relative_to(folder.path.parents[1]).as_posix()
