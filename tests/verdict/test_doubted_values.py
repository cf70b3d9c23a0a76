"""Invalid values decide nothing, and parts with warnings state them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from spoken import english, named

ONE, FOUR = "innodb_purge_threads=1", "innodb_purge_threads=4"
STUDY = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]")
CLAIM = f"[[hypothesis]]\nclaim = 'tps[{FOUR}] > tps[{ONE}]'\n"
LEVEL = "[[hypothesis]]\nclaim = 'tps > 1'\n"
QUICK = Truth(measure_s=10, warmup_s=1)


def made(path: Path, truth: Truth = QUICK, blocks: int = 6) -> ResultsFolder:
    return make_results(
        path, study_toml=STUDY + CLAIM + LEVEL, loads=(8,), blocks=blocks, effect=1.3, truth=truth
    )


def judged(folder: ResultsFolder) -> Results:
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def cut_short(folder: ResultsFolder, treatment: str, runs: int) -> None:
    """The windows of the treatment's first runs ended early."""
    of_treatment = [run for run in folder.finished_runs() if run.path.name.endswith(treatment)]
    for run in of_treatment[:runs]:
        events = run.rung(1, "threads", 8).events
        *lines, last = events.read_text().splitlines()
        result = {**json.loads(last), "complete": False}
        events.write_text("\n".join([*lines, json.dumps(result), ""]), encoding="utf-8")


def doubted(folder: ResultsFolder, treatment: str, kind: str) -> None:
    """The engine raised a doubt in the treatment's runs."""
    for run in folder.finished_runs():
        if run.path.name.endswith(treatment):
            events = run.rung(1, "threads", 8).events
            *lines, last = events.read_text().splitlines()
            doubt = {"event": "doubt", "kind": kind, "message": "said", "value": 9.0, "limit": 9.0}
            events.write_text("\n".join([*lines, json.dumps(doubt), last, ""]), encoding="utf-8")


@pytest.mark.parametrize("kind", ["incomplete-window", "uncommitted"])
def test_invalid_windows_decide_nothing(tmp_path: Path, kind: str) -> None:
    folder = made(tmp_path)
    if kind == "incomplete-window":
        cut_short(folder, FOUR, 6)
    else:
        doubted(folder, FOUR, kind)
    found = judged(folder)
    assert [doubt.kind for doubt in found.doubts if doubt.severity == "invalid"] == [kind] * 6
    assert found.comparisons == ()
    assert {estimate.treatment for estimate in found.estimates} == {ONE}
    verdict, level = found.hypotheses
    assert verdict.outcome == "undecided"
    assert f"6 values are left out, being invalid: {named(kind)}." in english(verdict.explanation)
    assert [(part.outcome, part.blocks) for part in level.parts] == [("supported", 6), ("undecided", 0)]


def test_one_invalid_value_leaves_its_block_out_of_the_pair(tmp_path: Path) -> None:
    folder = made(tmp_path, blocks=7)
    cut_short(folder, FOUR, 1)
    found = judged(folder)
    assert {one.blocks for one in found.comparisons} == {6}
    assert [part.blocks for part in found.hypotheses[0].parts] == [6]
    assert "1 value is left out, being invalid: incomplete window." in english(
        found.hypotheses[0].explanation
    )
    assert {len(one.blocks) for one in found.estimates if one.treatment == FOUR} == {6}
    assert {len(one.blocks) for one in found.estimates if one.treatment == ONE} == {7}


def test_a_warning_marks_what_it_is_about_and_takes_nothing_away(tmp_path: Path) -> None:
    found = judged(made(tmp_path, replace(QUICK, engine_busy=0.9)))
    assert {one.doubts for one in (*found.comparisons, *found.estimates)} == {("generator-busy",)}
    verdict = found.hypotheses[0]
    assert (verdict.outcome, verdict.doubts) == ("supported", ("generator-busy",))


def test_nothing_is_judged_of_a_study_that_is_invalid_as_a_whole(tmp_path: Path) -> None:
    found = judged(made(tmp_path, replace(QUICK, build="debug")))
    assert {one.word for one in found.comparisons} == {"estimate-only"}
    assert {verdict.outcome for verdict in found.hypotheses} == {"undecided"}
    assert "Nothing is judged: the study is invalid (debug build)." in english(
        found.hypotheses[0].explanation
    )
    assert found.estimates


@pytest.mark.parametrize("seen", [1, 2])
def test_a_block_is_complete_when_every_planned_treatment_has_run(tmp_path: Path, seen: int) -> None:
    levels = {name: {"server.variables.innodb_purge_threads": int(name[-1])} for name in (ONE, FOUR)}
    ran = dict(list(levels.items())[:seen])
    folder = make_results(tmp_path, study_toml=STUDY, loads=(8,), blocks=1, treatments=ran, truth=QUICK)
    assert judged(folder).blocks_complete == (1 if seen == 2 else 0)
