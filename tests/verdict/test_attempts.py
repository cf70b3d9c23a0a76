"""Runs that failed and were done again: their figures do not count, and the failures are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.front.api import load
from assay.reporting.report.records.runs import run_records
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

ONE, FOUR = "innodb_purge_threads=1", "innodb_purge_threads=4"
CLAIM = '\n[[hypothesis]]\nclaim = "crashes[innodb_purge_threads=%d] = 0 in every run"\n'
TOML = STUDY_TOML[: STUDY_TOML.index("[[hypothesis]]")].replace("[1, 8, 64]", "[8]") + CLAIM % 4 + CLAIM % 1


def made(path: Path, *, fail: bool) -> ResultsFolder:
    truth = Truth(measure_s=2, warmup_s=0, samples=False)
    failing = {(6, FOUR)} if fail else set()
    return make_results(path, study_toml=TOML, loads=(8,), truth=truth, fail=failing)


@pytest.fixture
def folder(tmp_path: Path) -> ResultsFolder:
    """A run of the last block failed; the block was done again, and all of it went well."""
    folder, again = made(tmp_path / "results", fail=True), made(tmp_path / "again", fail=False)
    for treatment, why in ((FOUR, "failed"), (ONE, "superseded")):
        (run,) = folder.runs.glob(f"b06-*-{treatment}")
        run.rename(run.with_name(f".{run.name}.{why}-1"))
        (whole,) = again.runs.glob(f"b06-*-{treatment}")
        whole.rename(folder.runs / whole.name)
    (folder.runs / ".b01-01-x.damaged-1").mkdir()  # it has no manifest
    return folder


def judged(folder: ResultsFolder) -> Results:
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def test_a_failed_attempt_is_a_crash_of_its_treatment_alone(folder: ResultsFolder, tmp_path: Path) -> None:
    found = judged(folder)
    assert [one.outcome for one in found.hypotheses] == ["refuted", "supported"]
    (said,) = [one for one in found.doubts if one.kind == "failed-attempts"]
    assert (said.severity, said.facts["treatment"], said.facts["count"]) == ("warning", FOUR, 1)
    assert (found.blocks_complete, found.runs_failed) == (6, ())

    clean = judged(made(tmp_path / "clean", fail=False))
    assert [one.outcome for one in clean.hypotheses] == ["supported", "supported"]
    assert "failed-attempts" not in {one.kind for one in clean.doubts}


def test_attempts_are_no_measurements_and_are_shown(folder: ResultsFolder) -> None:
    with load(folder.path) as results:
        assert len(results.runs()) == 12
        aside = results.attempts().rows()
        assert {(row["treatment"], row["why"], row["status"]) for row in aside} == {
            (FOUR, "failed", "failed"),
            (ONE, "superseded", "complete"),
        }
        assert len(results.measures("tps")) == 12
        shown = {(one.status, bool(one.events)) for one in run_records(results._material)}
    assert shown == {("complete", True), ("failed", False), ("superseded", False)}


def test_what_is_set_aside_later_is_seen(folder: ResultsFolder) -> None:
    judged(folder)
    (run,) = folder.runs.glob(f"b05-*-{ONE}")
    run.rename(run.with_name(f".{run.name}.superseded-1"))
    build_store(folder)
    assert open_store(folder).execute("SELECT count(*) FROM attempts").fetchone() == (3,)
