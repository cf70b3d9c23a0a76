"""Doubts about blocks whose runs were not done together, naming the runs that stand apart."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from assay.design.folder import ResultsFolder, RunFolder, read_manifest
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.testing.results_folder import Truth, make_results

HOUR_NS = 3_600_000_000_000


def moved(run: RunFolder, by_ns: int, longer_ns: int = 0) -> str:
    manifest = read_manifest(run)
    later = msgspec.structs.replace(
        manifest,
        started_wall_ns=manifest.started_wall_ns + by_ns,
        ended_wall_ns=manifest.ended_wall_ns + by_ns + longer_ns,
    )
    run.manifest.write_bytes(msgspec.json.encode(later))
    return run.path.name


def torn(folder: ResultsFolder) -> dict[str | None, str]:
    build_store(folder)
    notes = judge(load_study(folder.study_file), open_store(folder)).doubts
    assert {note.severity for note in notes if note.kind == "torn-block"} <= {"warning"}
    return {note.run_id: note.message for note in notes if note.kind == "torn-block"}


@pytest.fixture
def folder(tmp_path: Path) -> ResultsFolder:
    truth = Truth(measure_s=2, warmup_s=0, samples=False)
    return make_results(tmp_path, blocks=3, loads=(8,), truth=truth)


def test_blocks_done_in_one_go_are_whole(folder: ResultsFolder) -> None:
    assert torn(folder) == {}


@pytest.mark.parametrize("by_ns", [5 * HOUR_NS, -5 * HOUR_NS])
def test_a_run_done_again_hours_later_stands_apart(folder: ResultsFolder, by_ns: int) -> None:
    run = moved(list(folder.finished_runs())[3 if by_ns > 0 else 2], by_ns)
    (said,) = torn(folder).items()
    assert said[0] in {path.path.name for path in list(folder.finished_runs())[2:4]}
    assert "5.0 h apart from the others of block 2" in said[1]
    if by_ns > 0:
        assert said[0] == run or said[0].startswith("b02")


def test_of_many_runs_those_of_the_smaller_part_stand_apart(tmp_path: Path) -> None:
    names = {f"x={n}": {"server.variables.innodb_purge_threads": n} for n in (1, 2, 4)}
    truth = Truth(measure_s=2, warmup_s=0, samples=False)
    folder = make_results(tmp_path, treatments=names, blocks=1, loads=(8,), truth=truth)
    assert torn(folder) == {}
    last = moved(list(folder.finished_runs())[2], 2 * HOUR_NS)
    assert list(torn(folder)) == [last]


def test_a_short_pause_and_one_shorter_than_a_run_tear_nothing(folder: ResultsFolder) -> None:
    moved(list(folder.finished_runs())[5], 300_000_000_000)
    assert torn(folder) == {}
    moved(list(folder.finished_runs())[5], HOUR_NS, longer_ns=2 * HOUR_NS)
    assert torn(folder) == {}
