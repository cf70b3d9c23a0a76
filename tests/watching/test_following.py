"""Follows a study from its files, as they are written."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.base.inner_path import InnerPath
from assay.design.folder import Interval, ResultsFolder, RunResult
from assay.design.folder.live import LabEnded, RunBegun, RunOver, StepTaken, TimeLeft, encode_line
from assay.reporting.live import Course, EngineEvent, Follower, Position, RungOpened, Sampled, Told, opened
from assay.reporting.live.tail import Tail, start_of_last_lines
from playing import played


def summary(told: list[Told]) -> Counter[str]:
    """How much of each kind, from which file."""
    found: Counter[str] = Counter()
    for one in told:
        match one:
            case EngineEvent():
                found[f"{one.run}/{one.rung}/{type(one.event).__name__}"] += 1
            case Sampled():
                found[f"{one.run}/{one.source}"] += 1
            case RungOpened():
                found[f"{one.run}/{one.rung}"] += 1
            case _:
                found[type(one).__name__] += 1
    return found


@pytest.fixture(scope="module")
def copy(recording: ResultsFolder, tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    return played(recording, tmp_path_factory.mktemp("copy") / "results")


@pytest.mark.parametrize("torn", [False, True])
def test_all_is_told_once_while_it_is_written(
    recording: ResultsFolder, copy: ResultsFolder, tmp_path: Path, torn: bool
) -> None:
    """A reader that looks after every step, also in the middle of lines, tells what one tells in the end."""
    target = ResultsFolder(tmp_path / "played")
    follower = Follower(target)
    told: list[Told] = []
    played(recording, target.path, lambda: told.extend(follower.read()), torn=torn)
    assert summary(told) == summary(list(Follower(copy).read()))
    assert [one.run for one in told if isinstance(one, RunOver)] == [
        run.path.name for run in recording.finished_runs()
    ]


def test_a_run_is_over_after_all_that_it_wrote(copy: ResultsFolder) -> None:
    """Whether a reader comes early or late."""
    run = ""
    for one in Follower(copy).read():
        match one:
            case RunBegun():
                run = one.run
            case EngineEvent() | Sampled() | RungOpened():
                assert one.run == run
            case RunOver():
                run = ""
            case _:
                pass


def test_whoever_resumes_is_told_the_rest(copy: ResultsFolder) -> None:
    """At every place, by the text that a browser sends back."""
    follower = Follower(copy)
    told, places = [], []
    for one in follower.read():
        told.append(one)
        places.append(str(follower.position))
    whole = summary(told)
    for at in range(0, len(told), 41):
        rest = Follower(copy, Position.parse(places[at])).read()
        assert summary(told[: at + 1]) + summary(list(rest)) == whole, places[at]


def test_a_reader_that_lost_its_connection_goes_on_where_it_was(
    recording: ResultsFolder, copy: ResultsFolder, tmp_path: Path
) -> None:
    """A new follower at each look, across the renaming of folders."""
    target = ResultsFolder(tmp_path / "played")
    told: list[Told] = []
    place = str(Position())
    looks = 0

    def look() -> None:
        nonlocal place, looks
        looks += 1
        if looks % 23:
            return
        follower = Follower(target, Position.parse(place))
        told.extend(follower.read())
        place = str(follower.position)
        follower.close()

    played(recording, target.path, look)
    told.extend(Follower(target, Position.parse(place)).read())
    assert summary(told) == summary(list(Follower(copy).read()))


def test_a_position_is_a_text() -> None:
    for place in (
        Position(),
        Position(live=12),
        Position(live=12, run="b01-02-a=1,b=2", samples={"cpu": 7}),
        Position(7, "b01-01-default", "02-threads-8", 99, 4711, {"cpu": 1, "status": 2}),
    ):
        assert Position.parse(str(place)) == place
    for text in (
        "",
        "events.jsonl:3",
        "live.jsonl:-1",
        "live.jsonl:1 x",
        "live.jsonl:1 a/b/events.jsonl:z#1",
    ):
        with pytest.raises(InputError):
            Position.parse(text)


def test_an_experiment_that_sets_events_aside_loses_none(copy: ResultsFolder, tmp_path: Path) -> None:
    """The engine writes a second file of the same name at one load point."""
    folder = ResultsFolder(tmp_path / "results")
    run_id = next(copy.finished_runs()).path.name
    source = copy.run(run_id).rungs()
    rung = folder.unfinished(run_id).rung_at("rungs/01-threads-1")
    rung.path.mkdir(parents=True)
    folder.live.write_bytes(
        encode_line(RunBegun(at_wall_ns=1, run=run_id, number=1, left=TimeLeft(seconds=1)))
    )
    first = source[0].events.read_bytes()
    rung.job.write_text("{}")
    follower = Follower(folder)
    rung.events.write_bytes(first[: len(first) // 2])
    told = list(follower.read())
    place = follower.position
    rung.events.open("ab").write(first[len(first) // 2 :])
    rung.set_aside("build")
    rung.job.write_text("{}")
    shutil.copy(source[1].events, rung.events)
    rest = list(follower.read())
    assert len([one for one in told + rest if isinstance(one, EngineEvent)]) == sum(
        one.events.read_bytes().count(b"\n") for one in source
    )
    assert summary(list(Follower(folder, place).read())) == summary(rest)


def test_a_run_that_is_done_again_is_not_mixed_with_its_first_try(
    copy: ResultsFolder, tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    run_id = next(copy.finished_runs()).path.name
    begun = next(one for one in Follower(copy).read() if type(one).__name__ == "LabBegan")
    started = RunBegun(at_wall_ns=1, run=run_id, number=1, left=TimeLeft(seconds=1))
    folder.runs.mkdir(parents=True)
    shutil.copytree(copy.run(run_id).path, folder.unfinished(run_id).path)
    folder.live.write_bytes(encode_line(begun) + encode_line(started))  # type: ignore[arg-type]
    follower = Follower(folder)
    first = [one for one in follower.read() if isinstance(one, EngineEvent)]
    place = follower.position
    # The lab is killed; another one removes the folder and begins the run again.
    shutil.rmtree(folder.unfinished(run_id).path)
    shutil.copytree(copy.run(run_id).path, folder.unfinished(run_id).path)
    with folder.live.open("ab") as out:
        out.write(b'{"is":"step","at_wall')  # cut short
        out.write(b"\n" + encode_line(begun) + encode_line(started))  # type: ignore[arg-type]
    for again in (follower, Follower(folder, place)):
        assert len([one for one in again.read() if isinstance(one, EngineEvent)]) == len(first)


def test_a_file_is_followed_by_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    tail = Tail(InnerPath.of(path))
    assert list(tail.lines()) == []
    path.write_bytes(b"one\ntw")
    assert list(tail.lines()) == [b"one\n"]
    with path.open("ab") as out:
        out.write(b"o\n" + b"x" * 600_000 + b"\nlast")
    assert [len(line) for line in tail.lines()] == [4, 600_001]
    path.write_bytes(b"new\n")  # truncated and written again
    assert list(tail.lines()) == [b"new\n"]
    assert tail.offset == 4


def test_the_last_lines_of_a_file_are_found(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = [b"%d%s\n" % (number, b"x" * (number % 7000)) for number in range(300)]
    path.write_bytes(b"".join(lines) + b"half")
    for count in (1, 5, 299, 300, 1000):
        start = start_of_last_lines(InnerPath.of(path), count)
        assert path.read_bytes()[start:] == b"".join(lines[-count:]) + b"half"


def test_a_page_begins_with_the_last_seconds(copy: ResultsFolder, tmp_path: Path) -> None:
    """In the middle of a run: the state by all of the course, the events from a few lines before the end."""
    folder = ResultsFolder(tmp_path / "results")
    run_id = next(copy.finished_runs()).path.name
    folder.runs.mkdir(parents=True)
    shutil.copytree(copy.run(run_id).path, folder.unfinished(run_id).path)
    lines = [
        RunBegun(at_wall_ns=1, run=run_id, number=1, left=TimeLeft(seconds=1)),
        StepTaken(at_wall_ns=2, what="threads 8"),
    ]
    folder.live.write_bytes(b"".join(map(encode_line, lines)))
    course, place = opened(folder, seconds=4)
    assert (course.current, course.step) == (run_id, "threads 8")
    told = list(Follower(folder, place).read())
    assert [type(one.event) for one in told if isinstance(one, EngineEvent)][-1] is RunResult
    assert len([one for one in told if isinstance(one, EngineEvent)]) == 4
    assert not [one for one in told if isinstance(one, RunBegun | StepTaken)]
    assert {one.rung for one in told if isinstance(one, EngineEvent)} == {"02-threads-8"}


def test_the_course_of_a_whole_study(copy: ResultsFolder) -> None:
    course = Course.of(
        one for one in Follower(copy).read() if not isinstance(one, EngineEvent | Sampled | RungOpened)
    )
    assert (course.counted("done"), course.blocks, course.blocks_done) == (4, 2, 2)
    assert isinstance(course.ended, LabEnded)
    assert course.left(course.last_ns) is None
    assert not course.lab_is_alive()
    assert [len(runs) for _, runs in course.by_block()] == [2, 2]
    assert len(
        [
            one
            for one in Follower(copy).read()
            if isinstance(one, EngineEvent) and isinstance(one.event, Interval)
        ]
    )
