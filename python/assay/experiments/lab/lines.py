"""Says which lines are lost of the files that a study appends to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from assay.base.appended import LineFault, faults_of
from assay.design.folder import ResultsFolder, live
from assay.results.verdict import Results, doubt_of_lines, with_notes

_MOST = 1000
"""The most faults that are looked for: a damaged file may have millions."""


def with_lines(folder: ResultsFolder, results: Results) -> Results:
    """Returns the results with a doubt where lines are lost."""
    faults = list(islice(lost_lines(folder), _MOST))
    return with_notes(results, [doubt_of_lines(faults)] if faults else [])


def lost_lines(folder: ResultsFolder) -> Iterator[LineFault]:
    """Yields the lines of a study's files that are not what was written, and those that its runs miss: the
    end of a file can be cut off between two lines.
    """
    for file in folder.appended:
        yield from faults_of(file)
    if missing := _runs_without_line(folder):
        lines = sum(1 for _ in folder.live.lines())
        what = f"is followed by no line of {missing} and of runs after it" if lines else "is gone"
        yield LineFault(folder.live.name, max(lines, 1), what)


def _runs_without_line(folder: ResultsFolder) -> str | None:
    """Returns the first finished run that the course of the study does not know; None also without one."""
    try:
        known = {name for line in live.read_live(folder.live) for name in _runs_of(line)}
    except OSError:
        return None
    if not folder.live.is_file():
        return None
    return next((run.path.name for run in folder.finished_runs() if run.path.name not in known), None)


def _runs_of(line: live.LiveLine) -> list[str]:
    if isinstance(line, live.LabBegan):
        return line.done
    return [line.run] if isinstance(line, live.RunBegun | live.RunOver) else []
