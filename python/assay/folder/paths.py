"""Paths of all files in a results folder; no other module spells these names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_ASIDE = re.compile(r"\.(failed|damaged|superseded)-\d+$")


@dataclass(frozen=True)
class RungFolder:
    """The folder of one rung of a run: `rungs/01-threads-8/`."""

    path: Path

    @property
    def job(self) -> Path:
        """The job file that the engine was given."""
        return self.path / "job.json"

    @property
    def events(self) -> Path:
        """The engine's events, one a line."""
        return self.path / "events.jsonl"

    @property
    def found(self) -> Path:
        """Findings beside the engine's events (`read_found`); absent when there are none."""
        return self.path / "found.json"

    @property
    def printed(self) -> Path:
        """What another tool printed, of an imported run (`read_printed`)."""
        return self.path / "printed.json"

    @property
    def experiment(self) -> Path:
        """The file that earlier versions of Assay wrote instead of `found.json`."""
        return self.path / "experiment.json"

    @property
    def fleet(self) -> Path:
        """The generators that carried the load out together (`FleetRecord`); absent where one engine did."""
        return self.path / "fleet.json"

    def generator(self, name: str) -> RungFolder:
        """Returns the folder of one generator of a fleet, with its own job and events."""
        return RungFolder(self.path / "generators" / name)

    def set_aside(self, name: str) -> None:
        """Renames job and events to `<name>-job.json` and `<name>-events.jsonl`, so that another load can
        write its own.
        """
        for file in (self.job, self.events):
            file.rename(file.with_name(f"{name}-{file.name}"))


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run, a treatment in a block: `runs/<run_id>/`."""

    path: Path

    @property
    def manifest(self) -> Path:
        """The run's manifest, which exists once the run has ended, successful or failed."""
        return self.path / "run.json"

    @property
    def options_file(self) -> Path:
        """The server's options file."""
        return self.path / "my.cnf"

    @property
    def server_log(self) -> Path:
        return self.path / "server.log"

    def facts(self, scope: str, moment: str) -> Path:
        """Path of a facts file, `facts/host-before.json`: `moment` is before or after; `scope` is host,
        server, or a rung's counters such as status-01-threads-8.
        """
        return self.path / "facts" / f"{scope}-{moment}.json"

    @property
    def conditions(self) -> Path:
        """The engine's events while it checked conditions of the data after the load."""
        return self.path / "conditions.jsonl"

    @property
    def layout(self) -> Path:
        """The engine's events while it made the files for a load on files."""
        return self.path / "layout.jsonl"

    @property
    def overwrite(self) -> Path:
        """The engine's events while it overwrote the files before a load on files."""
        return self.path / "overwrite.jsonl"

    def samples(self, source: str) -> Path:
        """Path of one source's samples: `samples/status.jsonl`."""
        return self.path / "samples" / f"{source}.jsonl"

    @property
    def sources(self) -> Path:
        """Folder of the files that an imported run was read from."""
        return self.path / "sources"

    def sampled(self) -> list[Path]:
        """Returns the files of samples that exist, sorted by source."""
        return sorted((self.path / "samples").glob("*.jsonl"))

    def rung(self, number: int, kind: str, load: float) -> RungFolder:
        """Returns the folder for a new rung: `rungs/01-threads-8`."""
        return self.rung_at(f"rungs/{number:02d}-{kind}-{load:g}")

    def rung_at(self, where: str) -> RungFolder:
        """Returns the folder of the rung with this `RungEntry.dir`."""
        return RungFolder(self.path / where)

    def rungs(self) -> list[RungFolder]:
        """Returns the folders of the rungs so far, in the order in which they were carried out."""
        place = self.path / "rungs"
        try:
            names = sorted(path.name for path in place.iterdir())
        except OSError:  # there is none yet, or the run was renamed meanwhile
            return []
        return [RungFolder(place / name) for name in names]

    def inside(self, path: Path) -> str:
        """Returns a path relative to the run folder, with `/`, as manifests write it."""
        return path.relative_to(self.path).as_posix()


@dataclass(frozen=True)
class ResultsFolder:
    """The folder with all results of one study: `results/<study>/`."""

    path: Path

    @property
    def study_file(self) -> Path:
        """The study as it was given, byte for byte."""
        return self.path / "study.toml"

    @property
    def entry(self) -> Path:
        return self.path / "study.json"

    @property
    def plan(self) -> Path:
        return self.path / "plan.json"

    @property
    def runs(self) -> Path:
        return self.path / "runs"

    @property
    def store(self) -> Path:
        """Folder of Parquet files, which can be rebuilt from the run folders at any time."""
        return self.path / "store"

    @property
    def looks(self) -> Path:
        """File of the looks at verdicts (`Looks`); absent before the first."""
        return self.path / "looks.json"

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    @property
    def live(self) -> Path:
        """The course of the study, one line a step (`LiveLine`)."""
        return self.path / "live.jsonl"

    @property
    def control(self) -> Path:
        """The latest request to the lab that carries the study out (`Control`)."""
        return self.path / "control.json"

    @property
    def notes(self) -> Path:
        """Notes that people made beside the results, one line each."""
        return self.path / "notes.jsonl"

    @property
    def viewers(self) -> Path:
        """Folder of the processes that show the study while it runs."""
        return self.path / "viewers"

    def run(self, run_id: str) -> RunFolder:
        """Returns the folder of a finished run."""
        return RunFolder(self.runs / run_id)

    def unfinished(self, run_id: str) -> RunFolder:
        """Returns the folder in which a run is carried out; it is renamed to `run(run_id)` at the end."""
        return RunFolder(self.runs / f".{run_id}.unfinished")

    def run_or_unfinished(self, run_id: str) -> RunFolder | None:
        """Returns the folder of a run under its present name; None without one, and for what is no name."""
        if not run_id or "/" in run_id:
            return None
        found = (self.unfinished(run_id), self.run(run_id))
        return next((run for run in found if run.path.is_dir()), None)

    def finished_runs(self) -> Iterator[RunFolder]:
        """Yields the run folders with a manifest, in order of block and position."""
        if not self.runs.is_dir():
            return
        for path in sorted(self.runs.iterdir()):
            folder = RunFolder(path)
            if not path.name.startswith(".") and folder.manifest.is_file():
                yield folder

    def attempts(self) -> Iterator[tuple[str, RunFolder]]:
        """Yields runs that were set aside because they were done again, with the reason: `failed`,
        `superseded` …
        """
        for path in sorted(self.runs.glob(".*")) if self.runs.is_dir() else ():
            if (found := _ASIDE.search(path.name)) and RunFolder(path).manifest.is_file():
                yield found[1], RunFolder(path)
