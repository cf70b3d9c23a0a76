"""Run folders that have lost something: the run is done again where its figures rest on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, RunFolder, losses, read_manifest
from assay.design.plan import make_plan
from assay.design.study import load_study
from assay.measurement.run import journal
from assay.testing.results_folder import Truth, make_results

Spoil = Callable[[Path], None]
EVENTS = "rungs/01-threads-8/events.jsonl"


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-700])


def without_last_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def emptied(path: Path) -> None:
    path.write_bytes(b"")


SPOILT: list[tuple[str, str, Spoil]] = [
    ("cut", EVENTS, cut_short),
    ("last-line-gone", EVENTS, without_last_line),
    ("emptied", EVENTS, emptied),
    ("deleted", EVENTS, Path.unlink),
    ("rungs-deleted", "rungs", shutil.rmtree),
]
SPOILT_BESIDE: list[tuple[str, str, Spoil]] = [
    ("facts-deleted", "facts", shutil.rmtree),
    ("host-facts-deleted", "facts/host-before.json", Path.unlink),
]
SPOILT_LISTED: list[tuple[str, str, Spoil]] = [
    ("sample-cut", "samples/status.jsonl", cut_short),
    ("sample-deleted", "samples/cpu.jsonl", Path.unlink),
    ("facts-emptied", "facts/server-before.json", emptied),
]


def results(path: Path, *, listed: bool, loads: tuple[float, ...] = (8,)) -> ResultsFolder:
    """Two blocks; `listed`: their manifests say what files there are, as `assay run` leaves them."""
    folder = make_results(path, blocks=2, loads=loads, truth=Truth(measure_s=3, warmup_s=1))
    if listed:
        for run in list(folder.finished_runs()):
            manifest = read_manifest(run)
            run.path.rename(folder.unfinished(manifest.run_id).path)
            folder.unfinished(manifest.run_id).manifest.unlink()
            journal.finish(folder, manifest)
    return folder


def named(cases: list[tuple[str, str, Spoil]]) -> list[object]:
    return [pytest.param(file, spoil, id=name) for name, file, spoil in cases]


def cleared(folder: ResultsFolder) -> list[str]:
    """What is said of runs that are done again, each alone."""
    return journal.clear_away(folder, make_plan(load_study(folder.study_file), seed=1), "run", 0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(("file", "spoil"), named(SPOILT))
def test_a_run_that_has_lost_its_figures_is_done_again(
    tmp_path: Path, listed: bool, file: str, spoil: Spoil
) -> None:
    folder = results(tmp_path, listed=listed)
    assert len(journal.completed(folder)) == 4
    assert cleared(folder) == []
    run = next(folder.finished_runs())
    spoil(run.path / file)
    (loss,) = losses(run, read_manifest(run))
    assert (loss.file.rpartition("/")[0], loss.rung) == ("rungs/01-threads-8",) * 2
    assert run.path.name not in {manifest.run_id for manifest in journal.completed(folder)}
    (said,) = cleared(folder)
    assert said == f"{run.path.name} is done again: {loss}"
    assert not run.path.exists()
    assert (folder.runs / f".{run.path.name}.damaged-1").is_dir()


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(("file", "spoil"), named(SPOILT_BESIDE + SPOILT_LISTED))
def test_what_stood_beside_the_figures_is_missed_and_the_run_kept(
    tmp_path: Path, listed: bool, file: str, spoil: Spoil
) -> None:
    folder = results(tmp_path, listed=listed)
    run = next(folder.finished_runs())
    spoil(run.path / file)
    found = losses(run, read_manifest(run))
    if listed or (file, spoil) in [(name, how) for _, name, how in SPOILT_BESIDE]:
        assert found
    assert {loss.rung for loss in found} <= {None}
    assert all(loss.file.startswith(file) for loss in found)
    assert cleared(folder) == []
    assert len(journal.completed(folder)) == 4


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe\x00", b"[1, 2"])
def test_a_run_whose_manifest_cannot_be_read_is_done_again(tmp_path: Path, content: bytes) -> None:
    folder = results(tmp_path, listed=True)
    run = next(folder.finished_runs())
    run.manifest.write_bytes(content)
    assert len(journal.completed(folder)) == 3
    assert cleared(folder) == [f"{run.path.name} is done again: run.json cannot be read"]


def test_a_later_format_is_neither_read_nor_set_aside(tmp_path: Path) -> None:
    folder = results(tmp_path, listed=False)
    run = next(folder.finished_runs())
    run.manifest.write_bytes(b'{"format": 3, "all": "is different"}')
    for read in (journal.completed, cleared):
        with pytest.raises(InputError, match=r"run\.json has format 3, and this assay reads formats up to 2"):
            read(folder)
    assert run.path.is_dir()


@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_damaged_entry_is_named(tmp_path: Path, content: bytes) -> None:
    folder = results(tmp_path, listed=False)
    folder.entry.write_bytes(content)
    with pytest.raises(InputError, match=r"study\.json is damaged"):
        journal.entry_of(folder)


def test_an_experiment_that_killed_its_load_is_whole(tmp_path: Path) -> None:
    folder = results(tmp_path, listed=False)
    run: RunFolder = next(folder.finished_runs())
    without_last_line(run.path / EVENTS)
    record = {"use": "crash-recovery", "options": {}, "figures": []}
    (run.path / EVENTS).with_name("experiment.json").write_bytes(msgspec.json.encode(record))
    assert losses(run, read_manifest(run)) == []
