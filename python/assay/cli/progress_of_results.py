"""How far the results in a folder have come, by their files alone: no study is read, nothing is judged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError
from assay.folder import ResultsFolder, read_entry, read_manifest
from assay.wording import counted


@dataclass(frozen=True)
class Standing:
    """`planned` runs in all; `damaged` names what cannot be read, and the rest is then a guess."""

    study: str
    results: str
    planned: int
    complete: int
    failed: int
    report: bool
    damaged: str | None = None

    @property
    def sentence(self) -> str:
        """`4 of 12 runs done, 1 failed`"""
        if self.damaged is not None:
            return f"damaged: {self.damaged}"
        parts = [f"{self.complete} of {counted(self.planned, 'run')} done"]
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += ["no report yet"] if self.complete and not self.report else []
        return ", ".join(parts)


def standing(folder: ResultsFolder) -> Standing:
    """Of one folder that holds results."""
    where, name = str(folder.path), folder.path.name
    try:
        name = read_entry(folder).name
        planned = len(json.loads(folder.plan.read_bytes())["runs"])
        states = Counter(read_manifest(run).status for run in folder.finished_runs())
    except (AssayError, OSError, ValueError, KeyError, TypeError) as error:
        said = error.message if isinstance(error, AssayError) else f"plan.json: {error}"
        return Standing(name, where, 0, 0, 0, folder.report.is_file(), said)
    return Standing(name, where, planned, states["complete"], states["failed"], folder.report.is_file())


def results_in(place: Path) -> Iterator[ResultsFolder]:
    """The results folders right under a directory, by name."""
    if not place.is_dir():
        return
    for path in sorted(place.iterdir()):
        folder = ResultsFolder(path)
        if folder.entry.is_file():
            yield folder
