"""What a lab writes into `live.jsonl` while it carries a study out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import HostError, Interrupted
from assay.design.folder import Failure, Progress, ResultsFolder
from assay.design.folder.live import LabBegan, LabEnded, LiveLine, RunBegun, read_live
from assay.design.plan import Plan, make_plan
from assay.design.study import Study, load_study
from assay.front.terminal import PlainProgress
from assay.reporting.live import Course, Recorded, recorded
from assay.testing.results_folder import STUDY_TOML
from rich.console import Console

SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    path = tmp_path_factory.mktemp("study") / "study.toml"
    path.write_text(STUDY_TOML, encoding="utf-8")
    return load_study(path)


@pytest.fixture(scope="module")
def plan(study: Study) -> Plan:
    return make_plan(study, seed=7)


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now_ns = 1_750_000_000 * SECOND

    def __call__(self) -> int:
        return self.now_ns

    def passes(self, seconds: float) -> None:
        self.now_ns += round(seconds * SECOND)


def silent() -> PlainProgress:
    return PlainProgress(Console(file=Path(os.devnull).open("w")))


def began(folder: ResultsFolder, study: Study, plan: Plan, clock: Clock) -> Recorded:
    record = Recorded(silent(), folder, clock)
    record.planned(study, plan)
    record.note("before there is a folder")
    record.begin(runs=len(plan.runs), done=0, loading_s=30.0, run_s=80.0)
    return record


def do_run(record: Recorded, plan: Plan, number: int, clock: Clock, failure: Failure | None = None) -> None:
    run = plan.runs[number - 1]
    record.run_started(run.run_id, number)
    record.step("threads 8")
    clock.passes(60)
    record.run_finished(run.run_id, headline="threads 8: 1,234 tps", failure=failure)


def test_a_study_is_told_line_by_line(empty: ResultsFolder, study: Study, plan: Plan) -> None:
    clock = Clock()
    record = began(empty, study, plan, clock)
    for done in range(0, 101, 10):  # ten a second: not each is worth a line
        clock.passes(0.1)
        record.event(Progress(phase="load", done=done, total=100, unit="rows", elapsed_s=0.1))
    do_run(record, plan, 1, clock)
    do_run(record, plan, 2, clock, Failure(kind="ServerLost", message="it went away"))
    lines = list(read_live(empty.live))
    kinds = [type(line).__name__ for line in lines]
    assert kinds[:2] == ["LabBegan", "Remark"]
    assert 2 <= kinds.count("Advanced") <= 3
    assert kinds[-6:] == ["RunBegun", "StepTaken", "RunOver", "RunBegun", "StepTaken", "RunOver"]
    begun = lines[0]
    assert isinstance(begun, LabBegan)
    assert (begun.pid, len(begun.plan), begun.done) == (os.getpid(), 12, [])
    course = Course.of(lines)
    assert course.lab_is_alive()
    assert (course.counted("done"), course.counted("failed"), course.counted("ahead")) == (1, 1, 10)
    left = [line.left for line in lines if isinstance(line, RunBegun)]
    assert (left[0].guess, left[0].seconds) == (True, 12 * 80.0)
    assert (left[1].guess, left[1].seconds) == (False, 11 * 60.0)


def test_the_time_left_goes_down_while_a_run_is_under_way(
    empty: ResultsFolder, study: Study, plan: Plan
) -> None:
    clock = Clock()
    record = began(empty, study, plan, clock)
    do_run(record, plan, 1, clock)
    record.run_started(plan.runs[1].run_id, 2)
    course = Course.of(read_live(empty.live))
    first, later = course.left(clock.now_ns), course.left(clock.now_ns + 20 * SECOND)
    assert first is not None
    assert later is not None
    assert first.seconds - later.seconds == pytest.approx(20)


def test_a_line_that_a_kill_cut_short_spoils_no_other(empty: ResultsFolder, study: Study, plan: Plan) -> None:
    clock = Clock()
    do_run(began(empty, study, plan, clock), plan, 1, clock)
    whole = empty.live.read_bytes()
    empty.live.write_bytes(whole[:-20])
    before = list(read_live(empty.live))
    began(empty, study, plan, clock)
    after = list(read_live(empty.live))
    assert after[: len(before)] == before
    assert type(after[len(before)]) is LabBegan


def test_runs_that_are_there_are_not_ahead(
    recording: ResultsFolder, tmp_path: Path, study: Study, plan: Plan
) -> None:
    """A second lab begins with what the first one left, and knows how long it took."""
    import shutil

    folder = ResultsFolder(shutil.copytree(recording.path, tmp_path / "copy"))
    record = Recorded(silent(), folder, Clock())
    record.planned(study, plan)
    record.begin(runs=12, done=4, loading_s=0, run_s=80)
    course = Course.of(read_live(folder.live))
    there = {run.run_id for run in plan.runs} & {run.path.name for run in folder.finished_runs()}
    assert course.counted("done") == len(there)
    record.run_started(plan.runs[-1].run_id, 12)
    (line,) = [line for line in read_live(folder.live) if isinstance(line, RunBegun)]
    assert not line.left.guess


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (None, "complete"),
        (Interrupted("stop"), "interrupted"),
        (HostError("full"), "error"),
        (KeyError(), "error"),
    ],
)
def test_how_a_study_ended_is_told(
    empty: ResultsFolder, study: Study, plan: Plan, error: Exception | None, why: str
) -> None:
    def carry_out() -> None:
        with recorded(silent(), empty) as record, recorded(record, empty) as same:
            assert same is record  # one end, however many calls carry parts out
            record.planned(study, plan)
            record.begin(runs=12, done=12, loading_s=0, run_s=1)
            if error is not None:
                raise error

    if error is None:
        carry_out()
    else:
        with pytest.raises(type(error)):
            carry_out()
    ends: list[LiveLine] = [line for line in read_live(empty.live) if isinstance(line, LabEnded)]
    assert [end.why for end in ends if isinstance(end, LabEnded)] == [why]
    assert not Course.of(read_live(empty.live)).lab_is_alive()


def test_a_study_that_never_began_leaves_no_course(empty: ResultsFolder) -> None:
    def refuse() -> None:
        with recorded(silent(), empty) as record:
            record.note("! something")
            record.step("looking")
            raise HostError("no server")

    with pytest.raises(HostError):
        refuse()
    assert not empty.live.exists()


def test_a_file_that_cannot_be_written_disturbs_no_study(
    empty: ResultsFolder, study: Study, plan: Plan, capsys: pytest.CaptureFixture[str]
) -> None:
    empty.live.mkdir()
    clock = Clock()
    out = Console(width=200)
    record = Recorded(PlainProgress(out), empty, clock)
    record.planned(study, plan)
    record.begin(runs=12, done=0, loading_s=0, run_s=1)
    do_run(record, plan, 1, clock)
    assert capsys.readouterr().out.count("cannot be written") == 1
