"""Finds how far the results in a folder have come, by their files alone, without reading or judging the
study.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.decoding import json_as, toml_tables, why_unreadable
from assay.base.errors import AssayError
from assay.base.inner_path import DEPTH
from assay.base.wording import counted
from assay.design.folder import ResultsFolder, read_entry, read_manifest
from assay.design.plan import ORDERING
from assay.design.study import english_title
from assay.measurement.run import completed, entry_of


@dataclass(frozen=True)
class Progress:
    """The runs of a study that are finished. `seed` None: nothing has begun."""

    seed: int | None = None
    ordering: int = ORDERING  # the rules by which the seed orders runs there
    data_loads: int | None = None  # how often each dataset is loaded there; None: as the study says
    done: frozenset[str] = frozenset()
    observed_s: tuple[float, ...] = ()  # what the finished runs took


def progress_of(folder: ResultsFolder, study_hash: str) -> Progress:
    """Returns the progress of this study in a folder; none when the folder is new or holds another study."""
    entry = entry_of(folder)
    if entry is None or entry.hash != study_hash:
        return Progress()
    complete = completed(folder)
    return Progress(
        seed=entry.seed,
        ordering=entry.ordering,
        data_loads=entry.data_loads,
        done=frozenset(manifest.run_id for manifest in complete),
        observed_s=tuple((one.ended_wall_ns - one.started_wall_ns) / 1e9 for one in complete),
    )


@dataclass(frozen=True)
class Standing:
    """The state of a results folder: `planned` runs in all; `damaged` names files that cannot be read, and
    the other numbers are then uncertain.
    """

    study: str
    results: str
    planned: int
    complete: int
    failed: int
    report: bool
    damaged: str | None = None
    title: str = ""

    @property
    def sentence(self) -> str:
        """The state in words: `4 of 12 runs done, 1 failed`."""
        if self.damaged is not None:
            return f"damaged: {self.damaged}"
        parts = [f"{self.complete} of {counted(self.planned, 'run')} done"]
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += ["no report yet"] if self.complete and not self.report else []
        return ", ".join(parts)


class _Planned(msgspec.Struct):
    """What is needed of `plan.json`."""

    runs: list[msgspec.Raw]


def standing(folder: ResultsFolder) -> Standing:
    """Returns the state of the results in one folder."""
    where, name = str(folder.path), folder.path.name
    try:
        name = read_entry(folder).name
        planned = len(json_as(folder.plan.read_bytes(), _Planned).runs)
        states = Counter(read_manifest(run).status for run in folder.finished_runs())
    except (AssayError, OSError, msgspec.DecodeError) as error:
        said = error.message if isinstance(error, AssayError) else f"plan.json: {why_unreadable(error)}"
        return Standing(name, where, 0, 0, 0, folder.report.is_file(), said)
    report = folder.report.is_file()
    return Standing(name, where, planned, states["complete"], states["failed"], report, title=_title(folder))


def _title(folder: ResultsFolder) -> str:
    """Returns the English title of the study, or the first that it has; empty where none can be read."""
    try:
        return english_title(toml_tables(folder.study_file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return ""


def results_in(place: Path) -> Iterator[ResultsFolder]:
    """Yields the results folders directly under a directory, by name."""
    if not place.is_dir():
        return
    for path in sorted(place.iterdir()):
        folder = ResultsFolder(path)
        if folder.entry.is_file():
            yield folder


def results_below(place: Path, depth: int = DEPTH) -> Iterator[Path]:
    """Yields a results folder, or those anywhere below a directory, by name; hidden ones are left out."""
    if ResultsFolder(place).entry.is_file():
        yield place
    elif place.is_dir() and depth > 0:
        for path in sorted(place.iterdir()):
            if path.is_dir() and not path.is_symlink() and not path.name.startswith("."):
                yield from results_below(path, depth - 1)
