"""Writes the profiles of a results folder in the forms of other programs, a file a treatment and load."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import duckdb

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, RungFolder, StackProfile, read_packed, read_window
from assay.results.ledger.export import FORMS, RunProfile, mean_profile

_QUERY = """
    SELECT rungs.treatment, rungs.kind, rungs.load, rungs.events, measures.value
    FROM rungs JOIN runs USING (run_id) JOIN measures USING (run_id, rung)
    WHERE runs.status = 'complete' AND measures.measure = 'server_cpu_us_per_query'
    ORDER BY rungs.treatment, rungs.load, rungs.run_id"""
_UNFIT = re.compile(r"[^A-Za-z0-9_.=,@-]+")


def write_profiles(
    folder: ResultsFolder, store: duckdb.DuckDBPyConnection, form: str, output: Path | None = None
) -> list[Path]:
    """Writes every profile in a form of `FORMS`, and returns the files: the mean over runs of a treatment at
    a load point. Raises InputError where no run has stacks.
    """
    runs: dict[str, list[RunProfile]] = defaultdict(list)
    for treatment, kind, load, events, cpu_us in store.execute(_QUERY).fetchall():
        rung = RungFolder(folder.inner(events).parent.path, folder.path)
        runs[f"{treatment} {kind} {load:g}"] += list(_profile_of(rung, cpu_us))
    place = output or folder.inner("profiles").path
    found = []
    for name, of_runs in runs.items():
        profile = mean_profile(name, of_runs)
        if profile is not None:
            place.mkdir(parents=True, exist_ok=True)
            file = place / f"{_UNFIT.sub('-', name)}.{FORMS[form].ending}"
            file.write_bytes(FORMS[form].write(profile))
            found.append(file)
    if not found:
        raise InputError(
            f"{folder.path}: no run has call stacks of its server",
            hint="run the study with assay run --why, as root or with the privilege perf of assay doctor",
        )
    return found


def _profile_of(rung: RungFolder, cpu_us: float) -> Iterator[RunProfile]:
    window = read_window(rung.profile)
    stacks = None if window is None else read_packed(rung.profile, "stacks", StackProfile)
    if window is not None and stacks is not None:
        yield RunProfile(stacks, window, cpu_us)
