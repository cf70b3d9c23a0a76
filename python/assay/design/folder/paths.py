"""Paths of all files in a results folder; no other module spells these names.

A results folder may come from anybody: what lies in it is opened as an `InnerPath` beneath it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.inner_path import InnerPath

PROFILE = "profile"
"""The folder, in that of a rung, of what was watched after its measured window."""

_ASIDE = re.compile(r"\.(failed|damaged|superseded)-\d+$")


@dataclass(frozen=True)
class RungFolder:
    """The folder of one rung of a run: `rungs/01-threads-8/`."""

    path: Path
    root: Path | None = field(default=None, compare=False)  # of all results; None: the folder itself

    @property
    def job(self) -> InnerPath:
        """The job file that the engine was given."""
        return self.inner("job.json")

    @property
    def events(self) -> InnerPath:
        """The engine's events, one a line."""
        return self.inner("events.jsonl")

    @property
    def found(self) -> InnerPath:
        """Findings beside the engine's events (`read_found`); absent when there are none."""
        return self.inner("found.json")

    @property
    def printed(self) -> InnerPath:
        """What another tool printed, of an imported run (`read_printed`)."""
        return self.inner("printed.json")

    @property
    def experiment(self) -> InnerPath:
        """The file that earlier versions of Assay wrote instead of `found.json`."""
        return self.inner("experiment.json")

    @property
    def fleet(self) -> InnerPath:
        """The generators that carried the load out together (`FleetRecord`); absent where one engine did."""
        return self.inner("fleet.json")

    @property
    def profile(self) -> ProfileFolder:
        """The folder of the rung's profile window; absent where none was asked for."""
        return ProfileFolder(self.path / PROFILE, self.root or self.path)

    def generator(self, name: str) -> RungFolder:
        """Returns the folder of one generator of a fleet, with its own job and events."""
        return RungFolder(self.path / "generators" / name, self.root or self.path)

    def set_aside(self, name: str) -> None:
        """Renames job and events to `<name>-job.json` and `<name>-events.jsonl`, so that another load can
        write its own.
        """
        for file in (self.job, self.events):
            file.rename(file.with_name(f"{name}-{file.name}"))

    def inner(self, *names: str) -> InnerPath:
        """Returns a path beneath the folder by the names on the way."""
        return InnerPath(self.root or self.path, self.path.joinpath(*names))


@dataclass(frozen=True)
class ProfileFolder(RungFolder):
    """The folder of a rung's profile window, `profile/`: its load, and what was seen."""

    @property
    def run(self) -> RunFolder:
        """The folder of the run that the window belongs to."""
        return RunFolder(self.path.parents[2], self.root)

    @property
    def window(self) -> InnerPath:
        """The window and its sources (`ProfileWindow`)."""
        return self.inner("window.json")

    def packed(self, source: str) -> InnerPath:
        """Path of what one source read: `stacks.json.gz`."""
        return self.inner(f"{source}.json.gz")


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run, a treatment in a block: `runs/<run_id>/`."""

    path: Path
    root: Path | None = field(default=None, compare=False)  # of all results; None: the folder itself

    @property
    def manifest(self) -> InnerPath:
        """The run's manifest, which exists once the run has ended, successful or failed."""
        return self.inner("run.json")

    @property
    def options_file(self) -> InnerPath:
        """The server's options file."""
        return self.inner("my.cnf")

    @property
    def server_log(self) -> InnerPath:
        return self.inner("server.log")

    def facts(self, scope: str, moment: str) -> InnerPath:
        """Path of a facts file, `facts/host-before.json`: `moment` is before or after; `scope` is host,
        server, or a rung's counters such as status-01-threads-8.
        """
        return self.inner("facts", f"{scope}-{moment}.json")

    @property
    def conditions(self) -> InnerPath:
        """The engine's events while it checked conditions of the data after the load."""
        return self.inner("conditions.jsonl")

    @property
    def plans(self) -> InnerPath:
        """The plans of the load's statements (`LoadPlans`)."""
        return self.inner("plans.json")

    @property
    def layout(self) -> InnerPath:
        """The engine's events while it made the files for a load on files."""
        return self.inner("layout.jsonl")

    @property
    def overwrite(self) -> InnerPath:
        """The engine's events while it overwrote the files before a load on files."""
        return self.inner("overwrite.jsonl")

    def samples(self, source: str) -> InnerPath:
        """Path of one source's samples: `samples/status.jsonl`."""
        return self.inner("samples", f"{source}.jsonl")

    @property
    def sources(self) -> InnerPath:
        """Folder of the files that an imported run was read from."""
        return self.inner("sources")

    def sampled(self) -> list[InnerPath]:
        """Returns the files of samples that exist, sorted by source."""
        return [file for file in self.inner("samples").glob("*.jsonl") if file.is_file()]

    def rung(self, number: int, kind: str, load: float) -> RungFolder:
        """Returns the folder for a new rung: `rungs/01-threads-8`."""
        return self.rung_at(f"rungs/{number:02d}-{kind}-{load:g}")

    def rung_at(self, where: str) -> RungFolder:
        """Returns the folder of the rung with this `RungEntry.dir`."""
        return RungFolder(self.path / where, self.root or self.path)

    def rungs(self) -> list[RungFolder]:
        """Returns the folders of the rungs so far, in the order in which they were carried out."""
        place = self.inner("rungs")
        try:
            names = sorted(path.name for path in place.iterdir())
        except OSError:  # there is none yet, or the run was renamed meanwhile
            return []
        return [self.rung_at(f"rungs/{name}") for name in names]

    def inside(self, path: Path | InnerPath) -> str:
        """Returns a path relative to the run folder, with `/`, as manifests write it."""
        return InnerPath(self.path, Path(path)).relative_to(self.path).as_posix()

    def inner(self, *names: str) -> InnerPath:
        """Returns a path beneath the folder by the names on the way."""
        return InnerPath(self.root or self.path, self.path.joinpath(*names))


@dataclass(frozen=True)
class ResultsFolder:
    """The folder with all results of one study: `results/<study>/`."""

    path: Path

    @property
    def study_file(self) -> InnerPath:
        """The study as it was given, byte for byte."""
        return self.inner("study.toml")

    @property
    def entry(self) -> InnerPath:
        return self.inner("study.json")

    @property
    def plan(self) -> InnerPath:
        return self.inner("plan.json")

    @property
    def runs(self) -> InnerPath:
        return self.inner("runs")

    @property
    def store(self) -> InnerPath:
        """Folder of Parquet files, which can be rebuilt from the run folders at any time."""
        return self.inner("store")

    @property
    def looks(self) -> InnerPath:
        """File of the looks at verdicts (`Looks`); absent before the first."""
        return self.inner("looks.json")

    @property
    def report(self) -> InnerPath:
        return self.inner("report.html")

    @property
    def live(self) -> InnerPath:
        """The course of the study, one line a step (`LiveLine`)."""
        return self.inner("live.jsonl")

    @property
    def control(self) -> InnerPath:
        """The latest request to the lab that carries the study out (`Control`)."""
        return self.inner("control.json")

    @property
    def notes(self) -> InnerPath:
        """Notes that people made beside the results, one line each."""
        return self.inner("notes.jsonl")

    @property
    def appended(self) -> tuple[InnerPath, ...]:
        """The files of the study that grow line by line (`assay.base.appended`)."""
        return (self.live, self.notes)

    @property
    def viewers(self) -> InnerPath:
        """Folder of the processes that show the study while it runs."""
        return self.inner("viewers")

    def run(self, run_id: str) -> RunFolder:
        """Returns the folder of a finished run."""
        return RunFolder(self.path / "runs" / run_id, self.path)

    def unfinished(self, run_id: str) -> RunFolder:
        """Returns the folder in which a run is carried out; it is renamed to `run(run_id)` at the end."""
        return self.run(f".{run_id}.unfinished")

    def run_or_unfinished(self, run_id: str) -> RunFolder | None:
        """Returns the folder of a run under its present name; None without one, and for what is no name."""
        if not run_id or "/" in run_id:
            return None
        found = (self.unfinished(run_id), self.run(run_id))
        return next((run for run in found if run.inner().is_dir()), None)

    def finished_runs(self) -> Iterator[RunFolder]:
        """Yields the run folders with a manifest, in order of block and position."""
        for path in self.runs.glob("*"):
            folder = self.run(path.name)
            if not path.name.startswith(".") and folder.manifest.is_file():
                yield folder

    def attempts(self) -> Iterator[tuple[str, RunFolder]]:
        """Yields runs that were set aside because they were done again, with the reason: `failed`,
        `superseded` …
        """
        for path in self.runs.glob(".*"):
            folder = self.run(path.name)
            if (found := _ASIDE.search(path.name)) and folder.manifest.is_file():
                yield found[1], folder

    def run_of_attempt(self, attempt: RunFolder) -> str:
        """Returns the name that a run had before it was set aside."""
        return _ASIDE.sub("", attempt.path.name).removeprefix(".")

    def inner(self, *names: str) -> InnerPath:
        """Returns a path beneath the folder by the names on the way."""
        return InnerPath(self.path, self.path.joinpath(*names))
