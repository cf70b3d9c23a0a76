"""The study's own files -> the row of table `study`."""

from __future__ import annotations

from assay.folder import ResultsFolder, read_entry
from assay.store.tables import Rows


def add_study(rows: Rows, folder: ResultsFolder) -> None:
    """Gives every table its file, and `study` its row; none where nothing has been run yet.

    Raises `Damaged` where study.json is missing beside runs, or cannot be read.
    """
    rows.begin_all()
    if not folder.entry.is_file() and not any(folder.finished_runs()):
        return
    entry, file = read_entry(folder), folder.study_file
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    rows.add("study", entry.name, entry.hash, entry.seed, entry.created_wall_ns, entry.assay, text)
