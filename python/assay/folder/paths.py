"""Where things are in a results folder. Nobody else spells these names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


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

    def samples(self, source: str) -> Path:
        """`samples/status.jsonl`: one file a source."""
        return self.path / "samples" / f"{source}.jsonl"

    def rung(self, number: int, kind: str, load: float) -> Path:
        """`rungs/01-threads-8`"""
        return self.path / "rungs" / f"{number:02d}-{kind}-{load:g}"


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
