"""One measurement without a study returns records and calls a listener; it prints nothing itself."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from assay.design.folder import Doubt, Event, Hello, Interval, RunResult
from assay.design.storage.stages import read_stages
from assay.experiments.bench.measure import _until_then, _Watcher, measure
from assay.experiments.bench.probe import Probe
from assay.experiments.bench.rate_search import SearchOutcome, find_rate
from assay.experiments.bench.storage.carry_out import carry_out
from assay.front.cli.search_options import question
from assay.system.engine import JobOutcome
from assay.system.engine.nullserver import null_server
from bench_request import bench


class Told:
    """Keeps what it is told, as any display may."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.events: list[Event] = []
        self.stages: list[tuple[int, int]] = []
        self.capacity = 0.0
        self.numbers: list[int] = []

    def note(self, message: str) -> None:
        self.notes.append(message)

    def event(self, event: Event) -> None:
        self.events.append(event)

    def stage(self, number: int, of: int) -> None:
        self.stages.append((number, of))

    def begun(self, capacity: float) -> None:
        self.capacity = capacity

    def probed(self, number: int, probe: Probe, known: SearchOutcome) -> None:
        self.numbers.append(number)


class Twice:
    """Figures of somebody's own: twice the transactions."""

    def __init__(self) -> None:
        self.intervals = 0

    def hear(self, event: Event) -> None:
        self.intervals += isinstance(event, Interval)

    def figures(self, result: RunResult) -> dict[str, int]:
        return {"twice": 2 * result.transactions}


@pytest.mark.parametrize(
    ("workload", "step"),
    [
        ("tpcc", "with --resume continues"),
        ("lua:own.lua", "cleanup drops the tables, and"),
        ("sql:own.sql", "Drop them, or their database"),
    ],
)
def test_a_load_that_was_broken_off_is_told_what_its_workload_can_do(workload: str, step: str) -> None:
    request = bench(None, workload=workload, action="prepare")
    outcome = JobOutcome(130, None, None, None)
    assert step in _until_then(request, outcome, cast(_Watcher, SimpleNamespace(loaded=None)))


def test_a_run_is_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    told, heard, twice = Told(), [], Twice()
    with null_server("unix", arguments=("--delay", "constant:2ms")) as target:
        measured = measure(
            bench(target.socket, percentile=99.5), told, listeners=[heard.append], addition=twice
        )
        record = measured.record()

    assert measured.error is None
    assert measured.result is not None
    assert isinstance(told.events[0], Hello)
    assert [event for event in told.events if not isinstance(event, Doubt)] == [
        event for event in heard if not isinstance(event, Doubt)
    ]
    assert twice.intervals > 0
    assert record is not None
    assert record["twice"] == 2 * record["events"] > 0
    assert record["percentile"]["percent"] == 99.5
    assert [row["phase"] for row in record["series"]] == ["measure"]
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")


def test_what_is_wrong_comes_with_what_was_measured() -> None:
    with null_server("unix") as target:
        measured = measure(bench(target.socket, workload="no_such_load"), Told())
    assert (measured.result, measured.done, measured.record()) == (None, None, None)
    assert "no workload is called" in str(measured.error)


def test_a_search_is_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    asked, told = question(find_rate=True, p95=20.0, probes=2, probe_time=0.5), Told()
    assert asked is not None
    with null_server("unix", arguments=("--delay", "constant:2ms")) as target:
        searched = find_rate(bench(target.socket), asked, told)
    assert told.capacity == searched.capacity > 0
    assert told.numbers == list(range(1, len(searched.probes) + 1)) != []
    assert searched.record()["complete"] is True
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")


def test_stages_on_files_are_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, told = tmp_path / "two.fio", Told()
    file.write_text(
        f"[global]\ndirectory={tmp_path}\nsize=1m\n[one]\nrw=read\n[two]\nstonewall\nrw=randread\n"
    )
    carried, interrupted = carry_out([stage.job for stage in read_stages(file, None)], told, command="a test")
    assert not interrupted
    assert told.stages == [(1, 2), (2, 2)]
    assert [one.result is not None and one.error is None for one in carried] == [True, True]
    assert sum(isinstance(event, Hello) for event in told.events) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
