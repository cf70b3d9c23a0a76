"""Files that grow by lines: whatever happens to one is told with the line, and what is whole is read."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from assay.base.appended import AppendedFile, LineFault, faults_of, numbered, records_in
from assay.base.inner_path import InnerPath
from assay.design.folder import ResultsFolder
from assay.design.folder.live import RunBegun, RunOver, TimeLeft, encode_line, read_live
from assay.experiments.lab import figures_of, judged
from assay.experiments.lab.lines import lost_lines
from assay.experiments.lab.naming import removed_runs
from assay.reporting.live import add_note, read_notes
from assay.testing.results_folder import Truth, make_results

RECORDS = [msgspec.json.encode({"is": "step", "at": number, "what": 'a "b" ü'}) for number in range(4)]


@pytest.fixture
def file(tmp_path: Path) -> InnerPath:
    path = InnerPath(tmp_path, tmp_path / "grown.jsonl")
    for record in RECORDS:
        AppendedFile(path).append(record)
    return path


def read(path: InnerPath) -> list[object]:
    kept = (msgspec.json.decode(record) for record in records_in(path.lines()))
    return [{key: value for key, value in one.items() if key not in ("line", "crc32")} for one in kept]


def test_what_was_appended_is_read(file: InnerPath) -> None:
    assert read(file) == [msgspec.json.decode(record) for record in RECORDS]
    assert list(faults_of(file)) == []


def test_any_flipped_bit_is_told_with_its_line(file: InnerPath) -> None:
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    for at in range(len(whole) - 1):  # without its last line end, a file says the same
        number = whole[:at].count(b"\n") + 1
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        assert number in {fault.line for fault in faults_of(file)}, at
        assert len(read(file)) in (len(lines) - 1, len(lines) - 2), at  # two, of a lost line end


def test_zeros_from_any_place_on_are_told(file: InnerPath) -> None:
    whole = file.read_bytes()
    for at in range(len(whole) - 1):
        file.write_bytes(whole[:at] + bytes(len(whole) - at))
        assert any(not fault.is_torn for fault in faults_of(file)), at


def test_a_cut_within_a_line_is_a_torn_line_which_the_next_writer_removes(file: InnerPath) -> None:
    whole = file.read_bytes()
    for at in range(1, len(whole)):
        kept = whole[:at].count(b"\n")
        if whole[at - 1 : at] == b"\n" or whole[at : at + 1] == b"\n":
            continue
        file.write_bytes(whole[:at])
        (fault,) = faults_of(file)
        assert (fault.line, fault.is_torn) == (kept + 1, True)
        assert len(read(file)) == kept
        if at % 7 == 0:
            AppendedFile(file).append(RECORDS[0])
            assert list(faults_of(file)) == []
            assert len(read(file)) == kept + 1


@pytest.mark.parametrize(
    ("order", "line"), [((0, 2, 3), 2), ((1, 2, 3), 1), ((0, 1, 1, 2, 3), 3), ((1, 0, 2, 3), 1), ((), 1)]
)
def test_lines_that_are_gone_repeated_or_moved_are_told(
    file: InnerPath, order: tuple[int, ...], line: int
) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[number] for number in order))
    assert next(iter(faults_of(file))).line == line


def test_lines_of_earlier_versions_are_read_before_those_with_a_checksum(file: InnerPath) -> None:
    file.write_bytes(b'{"is":"old"}\n{"is":"cut by a k\n{"is":"old"}\n{"is":"torn')
    assert [fault.is_torn for fault in faults_of(file)] == [True]
    writer = AppendedFile(file)
    for record in RECORDS:
        writer.append(record)
    assert list(faults_of(file)) == []
    assert file.read_bytes().splitlines(keepends=True)[3:] == [
        numbered(record, 4 + number) for number, record in enumerate(RECORDS)
    ]
    file.write_bytes(file.read_bytes() + b'{"is":"new"}\n')
    assert [fault.line for fault in faults_of(file)] == [8]


def test_a_writer_counts_again_where_the_file_is_another(file: InnerPath) -> None:
    writer = AppendedFile(file)
    writer.append(RECORDS[0])
    AppendedFile(file).append(RECORDS[1])
    writer.append(RECORDS[2])
    assert list(faults_of(file)) == []
    file.unlink()
    writer.append(RECORDS[3])
    assert file.read_bytes() == numbered(RECORDS[3], 1)


def test_what_is_no_regular_file_is_told(file: InnerPath) -> None:
    other = file.with_name("other")
    file.rename(other)
    Path(file).symlink_to(Path(other))
    (fault,) = faults_of(file)
    assert "symbolic link" in str(fault)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    truth = Truth(measure_s=1, warmup_s=0, samples=False)
    folder = make_results(tmp_path_factory.mktemp("r") / "r", blocks=2, loads=(8,), truth=truth)
    course = AppendedFile(folder.live)
    for number, run in enumerate(folder.finished_runs()):
        name, left = run.path.name, TimeLeft(seconds=1)
        course.append(encode_line(RunBegun(at_wall_ns=1, run=name, number=number + 1, left=left)))
        course.append(encode_line(RunOver(at_wall_ns=2, run=name, headline="1 tps")))
    for text in ("the fan was loud", "the door stood open", "a cable was changed"):
        add_note(folder, text, author="a person")
    return folder


DAMAGED = {
    "flipped": lambda lines: [lines[0].replace(b'":"', b'";"', 1), *lines[1:]],
    "zeroed": lambda lines: [*lines[:-1], bytes(len(lines[-1]))],
    "cut": lambda lines: [*lines[:-1], lines[-1][:20]],
    "emptied": lambda lines: [],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "how"),
    [("live.jsonl", "zeroed"), ("live.jsonl", "emptied"), ("notes.jsonl", "flipped"), ("notes.jsonl", "cut")],
)
def test_results_say_which_lines_are_damaged(
    results: ResultsFolder, tmp_path: Path, name: str, how: str
) -> None:
    folder = ResultsFolder(shutil.copytree(results.path, tmp_path / "copy"))
    assert list(lost_lines(folder)) == []
    file = folder.inner(name)
    file.write_bytes(b"".join(DAMAGED[how](file.read_bytes().splitlines(keepends=True))))
    with judged(folder) as found, figures_of(folder) as figures:
        for results_of in (found.results, figures.results):
            (doubt,) = [one for one in results_of.doubts if one.kind == "damaged-lines"]
            assert f"{name}, line " in doubt.message
            assert f"{name}:" in str(doubt.facts["file"])


def test_a_cut_between_lines_is_told_by_the_runs(results: ResultsFolder, tmp_path: Path) -> None:
    folder = ResultsFolder(shutil.copytree(results.path, tmp_path / "copy"))
    lines = folder.live.read_bytes().splitlines(keepends=True)
    last = [run.path.name for run in folder.finished_runs()][-1]
    folder.live.write_bytes(b"".join(lines[:-2]))
    (fault,) = lost_lines(folder)
    assert fault == LineFault(
        "live.jsonl", len(lines) - 2, f"is followed by no line of {last} and of runs after it"
    )
    folder.live.write_bytes(b"".join(lines[:-1]))  # a kill before the last line
    assert list(lost_lines(folder)) == []
    folder.live.unlink()
    assert list(lost_lines(folder)) == []


def test_a_damaged_line_counts_as_none(results: ResultsFolder, tmp_path: Path) -> None:
    folder = ResultsFolder(shutil.copytree(results.path, tmp_path / "copy"))
    runs = sum(1 for _ in folder.finished_runs())
    folder.live.write_bytes(folder.live.read_bytes().replace(b"b01-01", b"b09-01"))
    assert removed_runs(folder) == 0
    assert sum(isinstance(line, RunOver) for line in read_live(folder.live)) == runs - 1
    folder.notes.write_bytes(folder.notes.read_bytes().replace(b"loud", b"loUd"))
    assert [note.text for note in read_notes(folder)] == ["the door stood open", "a cable was changed"]
