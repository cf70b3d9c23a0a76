"""Where things are in a results folder. Nobody else spells these names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_ASIDE = re.compile(r"\.(failed|damaged|superseded)-\d+$")


@dataclass(frozen=True)
class RungFolder:
    """One load point of a run: `rungs/01-threads-8/`."""

    path: Path

    @property
    def job(self) -> Path:
        """What the engine was asked to do."""
        return self.path / "job.json"

    @property
    def events(self) -> Path:
        """What the engine said, one event a line."""
        return self.path / "events.jsonl"

    @property
    def found(self) -> Path:
        """What was found beside the engine's events (`read_found`); absent where nothing was."""
        return self.path / "found.json"

    @property
    def experiment(self) -> Path:
        """What an earlier assay has instead of `found`."""
        return self.path / "experiment.json"

    def set_aside(self, name: str) -> None:
        """Renames job and events to `<name>-job.json` and so on: those of another load take their place."""
        for file in (self.job, self.events):
            file.rename(file.with_name(f"{name}-{file.name}"))


@dataclass(frozen=True)
class RunFolder:
    """One treatment in one block: `runs/<run_id>/`."""

    path: Path

    @property
    def manifest(self) -> Path:
        """Present when the run is over, whole or failed."""
        return self.path / "run.json"

    @property
    def options_file(self) -> Path:
        """The server's options file."""
        return self.path / "my.cnf"

    @property
    def server_log(self) -> Path:
        return self.path / "server.log"

    def facts(self, scope: str, moment: str) -> Path:
        """`facts/host-before.json`: moment before or after; scope host, server, or status-01-threads-8: the
        server's counters at the ends of a rung."""
        return self.path / "facts" / f"{scope}-{moment}.json"

    @property
    def conditions(self) -> Path:
        """The engine's events while it looked for what the load must not have broken."""
        return self.path / "conditions.jsonl"

    @property
    def layout(self) -> Path:
        """The engine's events while it made the files of a study of files."""
        return self.path / "layout.jsonl"

    @property
    def overwrite(self) -> Path:
        """The engine's events while it overwrote those files before the load."""
        return self.path / "overwrite.jsonl"

    def samples(self, source: str) -> Path:
        """`samples/status.jsonl`: one file a source."""
        return self.path / "samples" / f"{source}.jsonl"

    def sampled(self) -> list[Path]:
        """The files of samples that are there, in order of their sources."""
        return sorted((self.path / "samples").glob("*.jsonl"))

    def rung(self, number: int, kind: str, load: float) -> RungFolder:
        """Folder of a new rung: `rungs/01-threads-8`."""
        return self.rung_at(f"rungs/{number:02d}-{kind}-{load:g}")

    def rung_at(self, where: str) -> RungFolder:
        """Folder of the rung with this `RungEntry.dir`."""
        return RungFolder(self.path / where)

    def inside(self, path: Path) -> str:
        """A path below the run folder as its manifest writes it: relative, with `/`."""
        return path.relative_to(self.path).as_posix()


@dataclass(frozen=True)
class ResultsFolder:
    """Everything one study left: `results/<study>/`."""

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
        """Parquet files, rebuilt from the run folders at any time."""
        return self.path / "store"

    @property
    def looks(self) -> Path:
        """When verdicts were given (`Looks`); absent before the first."""
        return self.path / "looks.json"

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    def run(self, run_id: str) -> RunFolder:
        """Where a finished run stands."""
        return RunFolder(self.runs / run_id)

    def unfinished(self, run_id: str) -> RunFolder:
        """Where a run is carried out; renamed to `run(run_id)` when it is over."""
        return RunFolder(self.runs / f".{run_id}.unfinished")

    def finished_runs(self) -> Iterator[RunFolder]:
        """Run folders with a manifest, in order of block and position."""
        if not self.runs.is_dir():
            return
        for path in sorted(self.runs.iterdir()):
            folder = RunFolder(path)
            if not path.name.startswith(".") and folder.manifest.is_file():
                yield folder

    def attempts(self) -> Iterator[tuple[str, RunFolder]]:
        """Run folders that were set aside because they were done again, and why: `failed`, `superseded` …"""
        for path in sorted(self.runs.glob(".*")) if self.runs.is_dir() else ():
            if (found := _ASIDE.search(path.name)) and RunFolder(path).manifest.is_file():
                yield found[1], RunFolder(path)
