"""Tables of bad inputs, by what they are about."""

from __future__ import annotations

from bad_rows import (
    bench_options,
    damaged_results,
    gates,
    pages,
    places,
    plan_and_run,
    server_verbs,
    spoilt_server,
    study_files,
    study_values,
    tools,
)
from bad_rows.row import Row

ROWS: list[Row] = [
    *study_files.ROWS,
    *study_values.ROWS,
    *plan_and_run.ROWS,
    *server_verbs.ROWS,
    *bench_options.ROWS,
    *spoilt_server.ROWS,
    *places.ROWS,
    *damaged_results.ROWS,
    *tools.ROWS,
    *gates.ROWS,
    *pages.ROWS,
]
