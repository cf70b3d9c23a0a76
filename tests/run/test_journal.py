"""The results folder as a journal, on synthetic results."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import ConflictError
from assay.design.folder import ResultsFolder, read_manifest, write_study_files
from assay.design.plan import Plan, PlannedRun, make_plan
from assay.design.study import Study, load_study, named_claims
from assay.measurement.run import journal
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

SHORT = Truth(measure_s=4, warmup_s=1)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    path = tmp_path / "study.toml"
    path.write_text(STUDY_TOML, encoding="utf-8")
    return load_study(path)


@pytest.fixture
def plan(study: Study) -> Plan:
    return make_plan(study, seed=7)


def opened(folder: ResultsFolder, study: Study, plan: Plan, text: bytes = b"x") -> None:
    with journal.opened(folder, study, plan, text):
        pass


def test_a_new_folder_says_whose_it_is(tmp_path: Path, study: Study, plan: Plan) -> None:
    folder = ResultsFolder(tmp_path / "deep" / "results")
    opened(folder, study, plan, b"# first\n")
    entry = journal.entry_of(folder)
    assert entry is not None
    assert (entry.name, entry.hash, entry.seed) == (study.name, plan.study_hash, 7)

    opened(folder, study, plan, b"# a comment more\n")
    later = journal.entry_of(folder)
    assert later is not None
    assert later.files["study.toml"] != entry.files["study.toml"]
    assert msgspec.structs.replace(later, files=entry.files) == entry
    assert folder.study_file.read_bytes() == b"# a comment more\n"


def test_beliefs_may_change_under_results(tmp_path: Path, study: Study, plan: Plan) -> None:
    folder = ResultsFolder(tmp_path / "results")
    opened(folder, study, plan)
    doubting = study.model_copy(update={"hypotheses": ()})
    opened(folder, doubting, make_plan(doubting, seed=7))


def test_what_a_study_names_is_recorded_with_the_blocks_by_then(
    tmp_path: Path, study: Study, plan: Plan
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    opened(folder, study, plan)
    opened(folder, study, plan)
    first = journal.entry_of(folder)
    assert first is not None
    assert [(one.blocks, one.claims) for one in first.named] == [(0, named_claims(study))]
    assert first.named[0].terms == {"margin": 0.02, "confidence": 0.95}

    kept = folder.entry.read_bytes()
    make_results(folder.path, blocks=2, loads=(8,), truth=SHORT)
    folder.entry.write_bytes(kept)
    surer = study.model_copy(
        update={"verdict": study.verdict.model_copy(update={"confidence": 0.8}), "hypotheses": ()}
    )
    opened(folder, surer, make_plan(surer, seed=7))
    later = journal.entry_of(folder)
    assert later is not None
    assert [(one.blocks, one.claims) for one in later.named[1:]] == [(2, [])]
    assert later.named[1].terms["confidence"] == 0.8


def test_results_that_were_begun_without_a_record_stay_without(
    tmp_path: Path, study: Study, plan: Plan
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    opened(folder, study, plan)
    entry = journal.entry_of(folder)
    assert entry is not None
    write_study_files(folder.entry, msgspec.structs.replace(entry, named=[]), {})
    opened(folder, study, plan)
    found = journal.entry_of(folder)
    assert found is not None
    assert found.named == []


def test_runs_have_ranks_that_leave_a_gap_where_one_is_removed(tmp_path: Path) -> None:
    source = make_results(tmp_path / "source", blocks=2, loads=(8,), truth=SHORT)
    folder = ResultsFolder(tmp_path / "results")
    folder.runs.mkdir(parents=True)
    ranks = []
    for run in source.finished_runs():
        manifest = read_manifest(run)
        shutil.copytree(run.path, folder.unfinished(manifest.run_id).path)
        ranks.append(read_manifest(journal.finish(folder, manifest)).rank)
    assert ranks == [0, 1, 2, 3]
    first, *_ = folder.finished_runs()
    shutil.copytree(first.path, folder.unfinished("again").path)
    shutil.rmtree(first.path)
    again = journal.finish(folder, msgspec.structs.replace(manifest, run_id="again"))
    assert read_manifest(again).rank == 4  # done again, it does not fill the gap


def test_what_is_not_ours_is_refused(tmp_path: Path, study: Study, plan: Plan) -> None:
    folder = ResultsFolder(tmp_path / "results")
    opened(folder, study, plan)
    folder.unfinished("b01-01").path.mkdir()
    slower = study.model_copy(update={"load": study.load.model_copy(update={"measure_s": 1.0})})
    with pytest.raises(ConflictError, match="an earlier form of this study"):
        opened(folder, slower, make_plan(slower, seed=7))
    with pytest.raises(ConflictError, match="seed 7, not 8"):
        opened(folder, study, make_plan(study, seed=8))

    strange = ResultsFolder(tmp_path / "strange")
    strange.path.mkdir()
    (strange.path / "thesis.txt").write_text("years of work")
    with pytest.raises(ConflictError, match="contains no results"):
        opened(strange, study, plan)
    assert [path.name for path in strange.path.iterdir()] == ["thesis.txt"]


def test_a_folder_in_which_no_run_began_takes_another_form_of_its_study(
    tmp_path: Path, study: Study, plan: Plan
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    opened(folder, study, plan)
    slower = study.model_copy(update={"load": study.load.model_copy(update={"measure_s": 1.0})})
    opened(folder, slower, again := make_plan(slower, seed=7))
    found = journal.entry_of(folder)
    assert found is not None
    assert (found.hash, len(found.named)) == (again.study_hash, 1)


def test_a_folder_whose_study_was_killed_at_once_is_taken(tmp_path: Path, study: Study, plan: Plan) -> None:
    folder = ResultsFolder(tmp_path / "results")
    folder.runs.mkdir(parents=True)
    (folder.path / ".lock").touch()
    opened(folder, study, plan)
    assert journal.entry_of(folder) is not None


def test_one_lab_at_a_time(tmp_path: Path, study: Study, plan: Plan) -> None:
    folder = ResultsFolder(tmp_path / "results")
    with (
        journal.opened(folder, study, plan, b""),
        pytest.raises(ConflictError, match="another assay"),
        journal.opened(folder, study, plan, b""),
    ):
        pass


def test_failed_and_unfinished_runs_are_done_again(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", blocks=2, fail={(1, "innodb_purge_threads=4")}, truth=SHORT)
    (failed,) = [run.path.name for run in folder.finished_runs() if read_manifest(run).status == "failed"]
    work = folder.unfinished("b02-01-whatever").path
    (work / "rungs").mkdir(parents=True)
    before = journal.completed(folder)
    assert len(before) == 3

    journal.clear_away(folder, planned(folder), "run", 0)

    assert journal.completed(folder) == before
    assert [path.name for path in folder.runs.glob(".*")] == [f".{failed}.failed-1"]
    shutil.copytree(folder.runs / f".{failed}.failed-1", folder.run(failed).path)
    journal.clear_away(folder, planned(folder), "run", 0)
    assert sorted(path.name for path in folder.runs.glob(".*")) == [
        f".{failed}.failed-1",
        f".{failed}.failed-2",
    ]


def planned(folder: ResultsFolder) -> Plan:
    """The plan whose runs a made folder has, whatever of them is there."""
    plan = make_plan(load_study(folder.study_file), seed=1)
    runs = [
        PlannedRun(one["run_id"], one["block"], one["position"], one["treatment"], plan.loads, seed=1)
        for one in json.loads(folder.plan.read_bytes())["runs"]
    ]
    return replace(plan, runs=tuple(runs))


def over(folder: ResultsFolder) -> list[int]:
    """The blocks of the runs that need not be done again."""
    return [manifest.block for manifest in journal.completed(folder)]


def after(folder: ResultsFolder, pause_s: float) -> int:
    """So long after the last run."""
    return max(one.ended_wall_ns for one in journal.completed(folder)) + round(pause_s * 1e9)


@pytest.mark.parametrize("redo", ["block", "run"])
def test_a_run_that_always_fails_is_left_as_it_is(tmp_path: Path, redo: journal.Redo) -> None:
    folder = make_results(tmp_path / "results", blocks=2, fail={(1, "innodb_purge_threads=4")}, truth=SHORT)
    (failed,) = [run.path.name for run in folder.finished_runs() if read_manifest(run).status == "failed"]
    as_measured = shutil.copytree(folder.runs, tmp_path / "runs")
    for _ in range(journal.MOST_ATTEMPTS - 1):
        assert journal.given_up(folder, redo) == {}
        journal.clear_away(folder, planned(folder), redo, after(folder, 1))
        assert not folder.run(failed).path.exists()
        shutil.copytree(as_measured, folder.runs, dirs_exist_ok=True)  # and it fails again

    assert journal.clear_away(folder, planned(folder), redo, after(folder, 3600)) == []
    assert folder.run(failed).path.exists()
    assert sorted(over(folder)) == [1, 2, 2]
    ((run, why),) = journal.given_up(folder, redo).items()
    assert run == failed
    assert "failed 3 times and is not done again (the last: the server went away" in why
    assert f".{failed}.failed-* away" in why

    for aside in folder.runs.glob(f".{failed}.failed-*"):
        shutil.rmtree(aside)
    journal.clear_away(folder, planned(folder), redo, after(folder, 1))
    assert not folder.run(failed).path.exists()


def test_a_failed_run_sends_its_whole_block_back_and_no_other(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", blocks=3, fail={(2, "innodb_purge_threads=4")}, truth=SHORT)
    said = journal.clear_away(folder, planned(folder), "block", after(folder, 1))
    assert said == ["block 2 is done again, all of it: a run of it failed"]
    assert over(folder) == [1, 1, 3, 3]
    aside = sorted(path.name.rpartition(".")[2] for path in folder.runs.glob(".*"))
    assert aside == ["failed-1", "superseded-1"]
    assert journal.clear_away(folder, planned(folder), "block", after(folder, 1)) == []


def test_a_block_is_loaded_from_the_same_hosts_or_begun_again(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", blocks=2, truth=SHORT)
    plan = planned(folder)
    shutil.rmtree(folder.run(plan.runs[-1].run_id).path)
    for run in list(folder.finished_runs()):
        changed = msgspec.structs.replace(read_manifest(run), load_hosts=["g1", "g2"])
        run.manifest.write_bytes(msgspec.json.encode(changed))
    now = after(folder, 1)
    assert journal.clear_away(folder, plan, "block", now, {None: ["g1", "g2"]}) == []
    (said,) = journal.clear_away(folder, plan, "block", now, {None: ["g1"]})
    assert said == "block 2 is done again, all of it: it was begun with its load from g1 and g2"
    assert over(folder) == [1, 1]


def test_an_interrupted_block_goes_on_after_a_short_pause_and_begins_again_after_a_long_one(
    tmp_path: Path,
) -> None:
    folder = make_results(tmp_path / "results", blocks=2, truth=SHORT)
    plan = planned(folder)
    shutil.rmtree(folder.run(plan.runs[-1].run_id).path)
    assert journal.clear_away(folder, plan, "block", after(folder, 590)) == []
    assert over(folder) == [1, 1, 2]
    assert journal.clear_away(folder, plan, "run", after(folder, 7200)) == []
    (said,) = journal.clear_away(folder, plan, "block", after(folder, 7200))
    assert said == "block 2 is done again, all of it: its other runs were done 2 h ago"
    assert over(folder) == [1, 1]


def test_of_long_runs_a_longer_pause_is_short(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", blocks=1, truth=SHORT)
    plan = planned(folder)
    shutil.rmtree(folder.run(plan.runs[1].run_id).path)
    run = folder.run(plan.runs[0].run_id)
    manifest = read_manifest(run)
    long = msgspec.structs.replace(manifest, ended_wall_ns=manifest.started_wall_ns + 3600 * 10**9)
    run.manifest.write_bytes(msgspec.json.encode(long))
    assert journal.clear_away(folder, plan, "block", after(folder, 3500)) == []
    assert len(journal.clear_away(folder, plan, "block", after(folder, 3700))) == 1
