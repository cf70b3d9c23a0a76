"""Turns the study's own files, and runs that were set aside, into rows."""

from __future__ import annotations

from assay.design.folder import Damaged, ResultsFolder, RunFolder, difference, read_entry, read_manifest
from assay.results.store.tables import Rows


def add_study(rows: Rows, folder: ResultsFolder) -> None:
    """Adds rows to `study` and `attempts` where something has been run.

    Raises `Damaged` where study.json is missing beside runs, or cannot be read.
    """
    if not folder.entry.is_file() and not any(folder.finished_runs()):
        return
    entry, file = read_entry(folder), folder.study_file
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    rows.add("study", entry.name, entry.hash, entry.seed, entry.created_wall_ns, entry.assay, text)
    for name, written in entry.files.items():
        what = difference(folder.inner(name), written)
        if what is not None:
            rows.add("losses", *_OF_NO_RUN, name, what)
    for why, run in folder.attempts():
        _add_attempt(rows, folder, why, run)


_OF_NO_RUN = (None,) * 5


def _add_attempt(rows: Rows, folder: ResultsFolder, why: str, run: RunFolder) -> None:
    file = run.manifest.relative_to(folder.path).as_posix()
    try:
        m = read_manifest(run)
    except Damaged:
        if why != "damaged":  # else it was set aside for that
            rows.add("losses", *_OF_NO_RUN, file, "cannot be read")
        return
    rows.add(
        "attempts", m.run_id, m.treatment, m.block, m.position, m.status, why, m.started_wall_ns,
        m.ended_wall_ns, m.failure.message if m.failure else None, file,
    )  # fmt: skip
