"""Returns a history as rows: CSV, and objects for JSON."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

from assay.experiments.history.changes import Change, Shift
from assay.experiments.history.full_history import History
from assay.experiments.history.series import Series
from assay.reporting.report import in_csv

_SERIES = (
    "workload", "configuration", "host", "load_kind", "load", "flavour", "measure", "unit", "canary",
)  # fmt: skip
_POINT = ("build", "use", "started_ns", "value", "low", "high", "blocks")


def as_csv(history: History) -> str:
    """Returns one row a value, with the properties of its series; `value` is in `unit`, or a ratio to the
    `canary`.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=[*_SERIES, *_POINT], lineterminator="\n")
    writer.writeheader()
    for one in history.series:
        head = _series(one)
        for point in _points(one):
            row = {name: (head | point)[name] for name in (*_SERIES, *_POINT)}
            writer.writerow({name: in_csv(value) for name, value in row.items()})
    return out.getvalue()


def as_object(history: History) -> dict[str, Any]:
    """Returns the whole history for JSON: series with their points, and shifts with the changes of their
    series.
    """
    numbers = {id(one): number for number, one in enumerate(history.series)}
    return {
        "folders": history.folders,
        "unread": list(history.unread),
        "series": [_series(one) | {"points": _points(one)} for one in history.series],
        "shifts": [_shift(one, numbers) | asdict(history.states[one.id]) for one in history.shifts],
    }


def _series(one: Series) -> dict[str, Any]:
    return {
        "workload": one.where.workload,
        "configuration": one.where.configuration,
        "configuration_id": one.where.study,
        "host": one.where.host,
        "load_kind": one.where.load_kind,
        "load": one.where.load,
        "levels": dict(one.where.levels),
        "flavour": one.flavour,
        "measure": one.measure,
        "unit": one.unit,
        "canary": one.canary,
        "engine": one.engine,
        "least_change": one.least,
    }


def _points(one: Series) -> list[dict[str, Any]]:
    found = []
    for point in one.points:
        row = asdict(point)
        row["blocks"] = len(row.pop("logs"))
        found.append(row)
    return found


def _shift(one: Shift, numbers: dict[int, int]) -> dict[str, Any]:
    return {
        "id": one.id,
        "before": one.before,
        "after": one.after,
        "series": len(one.changes),
        "of": one.of,
        "better": one.better,
        "changes": [_change(change, numbers) for change in one.changes],
    }


def _change(one: Change, numbers: dict[int, int]) -> dict[str, Any]:
    return {
        "series": numbers[id(one.series)],
        "measure": one.series.measure,
        "ratio": one.ratio,
        "low": one.low,
        "high": one.high,
        "p_value": one.p_value,
        "better": one.is_better,
    }
