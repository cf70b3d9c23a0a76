"""Reads the settings in force from the store, as the servers showed them before the load."""

from __future__ import annotations

from collections import defaultdict

import duckdb

from assay.design.study import RULED_FLAVOURS
from assay.results.verdict.fairness.subjects import FLAVOUR, SUBJECTS

PREFIX = "variables."  # of the facts of a server

_QUERY = """
    SELECT runs.treatment, runs.run_id, runs.server_flavour, facts.key, facts.value
    FROM facts JOIN runs USING (run_id)
    WHERE runs.status = 'complete' AND facts.scope = 'server' AND facts.moment = 'before'
        AND list_contains(?, facts.key)
    ORDER BY runs.run_id"""


def read_settings(store: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, str]]]:
    """Returns the variables of each complete run, by treatment; only those that a subject of fairness needs.

    A run without recorded settings is left out.
    """
    keys = sorted({PREFIX + variable for subject in SUBJECTS for variable in subject.variables})
    runs: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for treatment, run, flavour, key, value in store.execute(_QUERY, [keys]).fetchall():
        runs[treatment, run][key.removeprefix(PREFIX)] = value
        if flavour is not None and flavour not in RULED_FLAVOURS:
            runs[treatment, run][FLAVOUR] = flavour
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for (treatment, _), variables in runs.items():
        found[treatment].append(variables)
    return dict(found)
