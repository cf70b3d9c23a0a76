"""A played recording gives what the recording gave."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.folder import Interval, ResultsFolder, RunResult
from assay.design.folder.live import PAUSED, LabEnded, RunBegun, StepTaken, read_live
from assay.experiments.lab import figures_of
from assay.reporting.live import Course, EngineEvent, Follower, Outcomes, second_of, so_far, wish, wished
from playing import played
from recorded_results import unpack


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["closed", "open", "files"])
def test_live_totals_are_those_of_the_report(name: str, tmp_path: Path) -> None:
    """Recorded from a real engine: the sums of the seconds, and the estimates when all is over."""
    source = unpack(name, tmp_path)
    copy = ResultsFolder(tmp_path / "played")
    follower = Follower(copy)
    seconds: dict[tuple[str, str], int] = {}
    results: dict[tuple[str, str], int] = {}

    def look() -> None:
        for told in follower.read():
            if isinstance(told, EngineEvent) and isinstance(told.event, Interval):
                if told.event.phase == "measure":
                    key = (told.run, told.rung)
                    seconds[key] = seconds.get(key, 0) + second_of(told.event).transactions
            elif isinstance(told, EngineEvent) and isinstance(told.event, RunResult):
                results[told.run, told.rung] = told.event.transactions

    played(source, copy.path, look)
    assert results
    assert seconds == results

    course = Course.of(read_live(copy.live))
    runs = list(course.runs.values())
    assert course.begun is not None
    with figures_of(copy) as judged:
        treatments = [one.treatment for one in judged.results.estimates]
        rate = "tps" if name != "files" else "iops"
        told = {
            (row.treatment, row.load): row for row in so_far(runs, Outcomes(copy), course.begun.treatments)
        }
        found = [one for one in judged.results.estimates if one.measure in (rate, "p95_ms")]
        assert {one.treatment for one in found} == set(treatments)
        for estimate in found:
            row = told[estimate.treatment, estimate.load]
            value = row.rate if estimate.measure == rate else row.p95_ms
            assert value == pytest.approx(estimate.value, rel=1e-9)
            if estimate.measure == rate:
                assert (row.low, row.high) == pytest.approx((estimate.low, estimate.high), rel=1e-9)
                assert row.blocks == len(estimate.blocks)


def test_estimates_and_ratios_are_the_reports(recording: ResultsFolder, tmp_path: Path) -> None:
    copy = played(recording, tmp_path / "played")
    runs = list(Course.of(read_live(copy.live)).runs.values())
    with figures_of(copy) as judged:
        compared = {one.load: one for one in judged.results.comparisons if one.measure == "tps"}
        first = next(iter(compared.values()))
        treatments = [first.baseline, first.other]
        rows = [row for row in so_far(runs, Outcomes(copy), treatments) if row.ratio is not None]
        assert {row.load for row in rows} == {1.0, 8.0}
        for row in rows:
            there = compared[row.load]
            assert (row.ratio, row.ratio_low, row.ratio_high, row.ratio_blocks) == pytest.approx(
                (there.ratio, there.low, there.high, there.blocks)
            )


def test_a_copy_is_the_recording(recording: ResultsFolder, tmp_path: Path) -> None:
    """Byte for byte below runs/, so that nothing counts as lost."""
    copy = played(recording, tmp_path / "played")
    for file in recording.runs.files():
        assert (copy.runs / file.relative_to(recording.runs)).read_bytes() == file.read_bytes()
    assert not [path for path in copy.runs.iterdir() if path.name.startswith(".")]


def test_a_played_course_is_played_again(recording: ResultsFolder, tmp_path: Path) -> None:
    """With the lines that are there, but for the process that carries it out."""
    once = played(recording, tmp_path / "once")
    twice = played(once, tmp_path / "twice")
    assert list(read_live(twice.live)) == list(read_live(once.live))


def test_nothing_to_play_is_said(empty: ResultsFolder, tmp_path: Path) -> None:
    for name in ("study.toml", "study.json", "plan.json"):
        (empty.path / name).write_text("{}")
    with pytest.raises(InputError, match="no finished run"):
        played(empty, tmp_path / "played")


def start(source: ResultsFolder, target: Path, speed: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "assay.testing.player", str(source.path), str(target)]
    # It hears Ctrl-C, even where what started the tests does not.
    return subprocess.Popen(
        [*command, "--speed", str(speed)],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for_line(folder: ResultsFolder, kind: type, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not any(isinstance(line, kind) for line in read_live(folder.live)):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_player_heeds_what_is_asked(recording: ResultsFolder, tmp_path: Path) -> None:
    """By the same file as a lab: it pauses between runs, goes on, and stops after the run under way."""
    folder = ResultsFolder(tmp_path / "played")
    process = start(recording, folder.path, 20)
    try:
        wait_for_line(folder, RunBegun, process)
        assert wish(folder, "pause") == "pause"
        course = Course.of(read_live(folder.live))
        assert wished(folder, course) == "pause"
        deadline = time.monotonic() + 60
        while not Course.of(read_live(folder.live)).is_paused:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        done = Course.of(read_live(folder.live)).counted("done")
        assert done == 1
        assert wish(folder, "stop") == "stop"
        assert process.wait(60) == 0
    finally:
        process.kill()
    course = Course.of(read_live(folder.live))
    assert isinstance(course.ended, LabEnded)
    assert course.ended.why == "interrupted"
    assert (course.counted("done"), course.counted("ahead")) == (1, 3)
    assert [line for line in read_live(folder.live) if isinstance(line, StepTaken) and line.what == PAUSED]
    assert wished(folder, course) is None
    with pytest.raises(ConflictError, match="no lab works"):
        wish(folder, "stop")
    assert json.loads(folder.control.read_bytes())["request"] == "stop"


def test_now_is_a_signal_to_that_process_alone(recording: ResultsFolder, tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path / "played")
    process = start(recording, folder.path, 1)
    try:
        wait_for_line(folder, RunBegun, process)
        with pytest.raises(InputError, match="cannot be asked"):
            wish(folder, "kill")
        lines = folder.live.read_bytes()
        folder.live.write_bytes(lines.replace(b'"start_ticks":', b'"start_ticks":1'))
        with pytest.raises(ConflictError):  # the number is another process's by now
            wish(folder, "now")
        assert process.poll() is None
        folder.live.write_bytes(lines)
        assert wish(folder, "now") == "now"
        assert process.wait(60) in (0, -signal.SIGINT)
    finally:
        process.kill()
