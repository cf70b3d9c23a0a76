"""Every kind of file of a results folder, damaged in ways that leave it readable or not: each is told."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import InputError
from assay.design.folder import (
    Manifest,
    ResultsFolder,
    RunFolder,
    change_looks,
    losses,
    read_looks,
    read_manifest,
    with_checksum,
)
from assay.design.folder.findings import Figure, FinderRecord, add_found
from assay.design.folder.looks import Looks
from assay.design.plan import make_plan
from assay.design.study import load_study
from assay.experiments.comparison import compare, grid_of
from assay.measurement.run import journal
from assay.results.store import build_store, folder_state, open_store
from assay.results.store.parts import Index, read_index, state_of_table, whole_parts
from assay.results.store.place import place_of
from assay.results.verdict.doubts.lost import lost_data
from assay.testing.results_folder import Truth, make_results

RUNG = "rungs/01-threads-8"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    """Results as `assay run` leaves them, with a file of every kind."""
    folder = make_results(
        tmp_path_factory.mktemp("whole") / "results",
        blocks=2,
        loads=(8,),
        truth=Truth(measure_s=3, warmup_s=1),
        fail=[(2, "innodb_purge_threads=4")],
    )
    for run in list(folder.finished_runs()):
        manifest = read_manifest(run)
        rung = run.rung_at(RUNG)
        add_found(
            rung, FinderRecord(by="steady-state", figures=[Figure(name="rounds_to_steady", unit="", value=5)])
        )
        generator = rung.generator("g1")
        generator.path.mkdir(parents=True)
        shutil.copy(Path(rung.events), Path(generator.events))
        run.conditions.write_text('{"event":"hello","seed":1}\n')
        run.path.rename(folder.unfinished(manifest.run_id).path)
        folder.unfinished(manifest.run_id).manifest.unlink()
        journal.finish(folder, manifest)
    study = load_study(Path(folder.study_file))
    text = folder.study_file.read_bytes()
    folder.entry.unlink()
    folder.study_file.unlink()
    folder.plan.unlink()
    runs = Path(folder.runs).rename(folder.path.parent / "runs")
    with journal.opened(folder, study, make_plan(study, seed=1), text):
        Path(folder.runs).rmdir()
        runs.rename(folder.runs)
    failed = next(run for run in folder.finished_runs() if read_manifest(run).status == "failed")
    shutil.copytree(failed.path, failed.path.with_name(f".{failed.path.name}.failed-1"))
    change_looks(folder, lambda _: Looks(confidence=0.95, level=0.05, schedule=(2, 6)))
    return folder


def of_runs(folder: ResultsFolder) -> Iterator[Path]:
    """One file of each kind, of a complete run and of a failed one."""
    complete, *_, failed = sorted(folder.finished_runs(), key=lambda run: read_manifest(run).status)
    yield from sorted(path for path in complete.path.rglob("*") if path.is_file())
    yield from map(Path, (failed.manifest, failed.rung_at(RUNG).events))


def of_study(folder: ResultsFolder) -> Iterator[Path]:
    """The study's own files, and the manifest of a run that was set aside."""
    yield from (Path(run.manifest) for _, run in folder.attempts())
    yield from map(Path, (folder.study_file, folder.entry, folder.plan, folder.looks))


def zeroed(content: bytes) -> bytes:
    """What ext4 and XFS leave of the end that was not written when the power was cut."""
    kept = len(content) * 2 // 3
    return content[:kept] + bytes(len(content) - kept)


def flipped(content: bytes) -> bytes:
    """Another digit in the last third, or another letter where there is none."""
    places = [at for at in range(len(content)) if content[at : at + 1].isdigit()] or [len(content) // 2]
    at = places[len(places) * 5 // 6]
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "zeroed": zeroed,
    "all zeros": lambda content: bytes(len(content)),
    "cut": lambda content: content[: len(content) // 2],
    "cut by a line end": lambda content: content[:-1],
    "extended": lambda content: content + b"\n",
    "extended by a line": lambda content: content + content[content[:-1].rfind(b"\n") + 1 :],
    "flipped": flipped,
    "emptied": lambda _: b"",
}


def told(folder: ResultsFolder, file: Path) -> str:
    """Returns what a reader of this file of the results is told: an error, or what is lost."""
    run = next((run for run in folder.finished_runs() if file.is_relative_to(run.path)), None)
    try:
        if run is not None:
            return " ".join(map(str, losses(run, read_manifest(run))))
        read_looks(folder)
        build_store(folder)
    except InputError as error:
        return error.message
    with open_store(folder) as store:
        return " ".join(note.kind for note in lost_data(store))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", DAMAGES)
def test_damage_to_any_file_is_told(whole: ResultsFolder, tmp_path: Path, how: str) -> None:
    """Time and length of the damaged file are those of before, as far as they can be."""
    without_runs = ResultsFolder(tmp_path / "results")  # whose store is made at once
    shutil.copytree(whole.path, without_runs.path, ignore=shutil.ignore_patterns("b0*", "store"))
    silent = []
    of = [(whole, file) for file in of_runs(whole)]
    if how in ("zeroed", "cut", "extended", "flipped"):
        of += [(without_runs, file) for file in of_study(without_runs)]
    assert {told(*one) for one in (of[0], of[-1])} == {""}
    for folder, file in of:
        content, times = file.read_bytes(), file.stat()
        state = folder_state(folder)
        file.write_bytes(DAMAGES[how](content))
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        try:
            is_seen = file == Path(folder.looks) or folder_state(folder) != state
            if DAMAGES[how](content) != content and not (is_seen and told(folder, file)):
                silent.append(str(file.relative_to(folder.path)))
        finally:
            file.write_bytes(content)
    assert silent == []


@pytest.mark.parametrize("how", DAMAGES)
def test_a_run_whose_figures_are_damaged_is_not_done(whole: ResultsFolder, how: str) -> None:
    run = next(run for run in whole.finished_runs() if read_manifest(run).status == "complete")
    for name in ("run.json", *(f"{RUNG}/{name}" for name in ("job.json", "events.jsonl", "found.json"))):
        file = run.path / name
        content = file.read_bytes()
        file.write_bytes(DAMAGES[how](content))
        try:
            done = {manifest.run_id for manifest in journal.completed(whole)}
            assert (run.path.name in done) == (file.read_bytes() == content), name
        finally:
            file.write_bytes(content)
    assert run.path.name in {manifest.run_id for manifest in journal.completed(whole)}


def test_figures_of_damaged_files_are_in_no_table(whole: ResultsFolder, tmp_path: Path) -> None:
    folder = ResultsFolder(shutil.copytree(whole.path, tmp_path / "copy"))
    complete = [run for run in folder.finished_runs() if read_manifest(run).status == "complete"]
    events, status = complete[0].rung_at(RUNG).events, complete[1].samples("status")
    for file in (events, status):
        file.write_bytes(flipped(file.read_bytes()))
    build_store(folder)
    with open_store(folder) as store:
        for table, run in (("measures", complete[0]), ("intervals", complete[0])):
            query = f"SELECT count(*) FROM {table} WHERE run_id = ?"
            assert store.execute(query, [run.path.name]).fetchall() == [(0,)], table
        query = "SELECT count(*) FROM samples WHERE run_id = ? AND source = 'status'"
        assert store.execute(query, [complete[1].path.name]).fetchall() == [(0,)]
        doubts = {(note.kind, note.run_id) for note in lost_data(store)}
    assert doubts == {("lost-figures", complete[0].path.name), ("lost-files", complete[1].path.name)}
    grid = grid_of(str(folder.path))
    notes = compare(grid, grid).notes
    assert sum("events.jsonl has another content" in note for note in notes) == 2
    assert sum("status.jsonl has another content" in note for note in notes) == 2


#: Of a run without checksums, what cannot be the events of a load that ended.
FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "zeroed": zeroed,
    "no line end": lambda content: content[:-1],
    "no closing event": lambda content: content[: content[:-1].rfind(b"\n") + 1],
    "no JSON": lambda content: content.replace(b'{"event"', b'{event"', 1),
    "no event": lambda content: b"[]\n" + content,
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("listed", [True, False])
def test_events_without_a_checksum_must_be_whole(tmp_path: Path, fault: str, listed: bool) -> None:
    """Also where the manifest lists the length that the damaged file has."""
    folder = make_results(tmp_path, blocks=1, loads=(8,), truth=Truth(measure_s=1, warmup_s=0, samples=False))
    run = next(folder.finished_runs())
    events = run.rung_at(RUNG).events
    assert losses(run, read_manifest(run)) == []
    events.write_bytes(FAULTS[fault](events.read_bytes()))
    if listed:
        lengths = {f"{RUNG}/events.jsonl": events.stat().st_size}
        run.manifest.write_bytes(
            msgspec.json.encode(msgspec.structs.replace(read_manifest(run), files=lengths))
        )
    (loss,) = losses(run, read_manifest(run))
    assert (loss.file, loss.rung) == (f"{RUNG}/events.jsonl", RUNG)
    assert len(journal.completed(folder)) == 1


def test_a_file_of_the_present_format_needs_its_checksum(whole: ResultsFolder, tmp_path: Path) -> None:
    """A key that a flipped bit renames is a missing key, not an old file."""
    run = next(whole.finished_runs())
    manifest = read_manifest(run)
    content = with_checksum(manifest)
    there = RunFolder(tmp_path / run.path.name)
    there.path.mkdir()
    for broken in (
        content.replace(b'"checksum"', b'"checksun"'),
        content.replace(b'"files"', b'"filez"'),
        content.replace(b'"format": 2', b'"format": 1'),
        msgspec.json.encode(manifest),
    ):
        there.manifest.write_bytes(broken)
        with pytest.raises(InputError, match=r"run\.json is damaged: its "):
            read_manifest(there)
    there.manifest.write_bytes(content)
    assert read_manifest(there) == manifest


def test_files_lie_on_the_disk_before_the_manifest_that_lists_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    made = make_results(tmp_path / "made", blocks=1, loads=(8,), truth=Truth(measure_s=1, warmup_s=0))
    run = next(made.finished_runs())
    manifest: Manifest = read_manifest(run)
    work = folder.unfinished(manifest.run_id)
    folder.runs.mkdir(parents=True)
    run.path.rename(work.path)
    work.manifest.unlink()
    below = {work.path, *work.path.rglob("*")}
    synced: list[Path] = []
    fsync = os.fsync

    def noting(handle: int) -> None:
        fsync(handle)
        synced.append(Path(f"/proc/self/fd/{handle}").readlink())

    monkeypatch.setattr(os, "fsync", noting)
    journal.finish(folder, manifest)
    first = next(number for number, path in enumerate(synced) if "run.json" in path.name)
    assert set(synced[:first]) == below
    assert synced[first + 1 :] == [work.path, folder.runs.path]


def test_a_store_that_changed_is_made_again(whole: ResultsFolder) -> None:
    build_store(whole)
    index = read_index(place_of(whole))
    parts = len(index.parts)
    store = place_of(whole)
    table = max(store.glob("part-*/measures.parquet"))
    content, times = table.read_bytes(), table.stat()
    spoilt = content[: len(content) // 2] + bytes(4) + content[len(content) // 2 + 4 :]
    table.write_bytes(spoilt)
    os.utime(Path(table), ns=(times.st_atime_ns, times.st_mtime_ns))
    assert len(whole_parts(store, index)) == parts - 1
    # A loss of power leaves no trace in a file's times: after a start of the machine its content is read.
    now = state_of_table(table)
    noted = [
        msgspec.structs.replace(part, files={**part.files, table.name: msgspec.structs.replace(now, crc32=7)})
        if part.folder == table.parent.name
        else part
        for part in index.parts
    ]
    assert len(whole_parts(store, Index(index.version, noted, index.boot))) == parts
    assert len(whole_parts(store, Index(index.version, noted, "an earlier one"))) == parts - 1
    build_store(whole)
    made = read_index(store)
    assert len(whole_parts(store, made)) == parts
    assert made.parts != index.parts
    file = store / "index.json"
    file.write_bytes(flipped(file.read_bytes()))
    assert read_index(store).parts == []
