"""Doubts about files that a run, or the study, has lost since they were written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import duckdb

from assay.base.appended import NAMED, LineFault, said_of
from assay.results.verdict.results import DoubtNote, Severity

FILE_DOUBTS = ("lost-figures", "lost-files", "changed-study", "damaged-lines")
"""The kinds of doubts about files."""


def lost_data(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts about rungs whose figures are missing or damaged, about other lost files of runs, and
    about the study's own files.
    """
    beside: dict[str, list[str]] = defaultdict(list)
    of_study: list[str] = []
    query = "SELECT run_id, load, file, what FROM losses ORDER BY run_id, rung, file"
    for run, load, file, what in store.execute(query).fetchall():
        if run is None:
            of_study.append(file)
        elif load is None:
            beside[run].append(f"{file} {what}")
        else:
            message = f"{file} {what}: the figures are not used, and `assay run` repeats the run"
            yield DoubtNote("lost-figures", message, run, load, "invalid", {"file": file})
    for run, files in beside.items():
        message = f"what was recorded during the load is incomplete: {'; '.join(files)}"
        yield DoubtNote("lost-files", message, run, None, "warning", {"files": "; ".join(files)})
    if of_study:
        listed = ", ".join(of_study)
        message = f"files are not as `assay run` left them, edited or damaged: {listed}"
        yield DoubtNote("changed-study", message, None, None, "warning", {"file": listed})


def doubt_of_lines(faults: Sequence[LineFault]) -> DoubtNote:
    """Returns the doubt about lines that are lost of files that grow line by line. A last line that is cut
    short was being written when its writer was killed, and is only a note.
    """
    severity: Severity = "note" if all(one.is_torn for one in faults) else "warning"
    message = f"lines of files that grow are not what was written: {said_of(faults)}"
    places = ", ".join(f"{one.file}:{one.line}" for one in faults[:NAMED])
    return DoubtNote("damaged-lines", message, None, None, severity, {"file": places, "count": len(faults)})
