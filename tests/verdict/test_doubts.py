"""Each planted fault raises its doubt, and a clean study raises none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from assay.design.folder import Manifest, ResultsFolder
from assay.design.folder.findings import FinderRecord, add_found
from assay.design.study import ExperimentChoice, load_study
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.store import build_store, open_store
from assay.results.verdict import DoubtNote, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

STUDY = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]").replace("blocks = 6", "blocks = 2")
ENGLISH, QUOTED = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,}){2,}"), re.compile("“[^”]*”")
CLEAN = Truth(measure_s=12, warmup_s=1)


def doubts(folder: ResultsFolder, *, figures: bool = True) -> list[DoubtNote]:
    """Each has the figures that its Chinese sentence needs; one without `figures` is said as it was found."""
    build_store(folder)
    found = list(judge(load_study(folder.study_file), open_store(folder)).doubts)
    for note in found:
        said = explain_doubt(load_words("zh"), note)
        assert not figures or said != note.message
        assert not figures or not ENGLISH.search(QUOTED.sub("", said)), said
    return found


def made(path: Path, truth: Truth = CLEAN) -> ResultsFolder:
    return make_results(path, study_toml=STUDY, blocks=2, loads=(8,), truth=truth)


def kinds(found: list[DoubtNote]) -> set[str]:
    return {note.kind for note in found} - {"few-blocks"}


def edit_result(
    folder: ResultsFolder, change: Callable[[dict[str, Any]], object], runs: int | None = 1
) -> None:
    """Changes the result of the rung of the first runs; None: of all."""
    for run in islice(folder.finished_runs(), runs):
        events = run.rung(1, "threads", 8).events
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        change(lines[-1])
        events.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_a_clean_study_raises_none(tmp_path: Path) -> None:
    assert kinds(doubts(made(tmp_path))) == set()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("truth", "kind", "severity"),
    [
        (replace(CLEAN, build="debug"), "debug-build", "invalid"),
        (replace(CLEAN, build="quick", engine_busy=0.5), "quick-build", "warning"),
        (replace(CLEAN, engine_busy=0.9), "generator-busy", "warning"),
        (replace(CLEAN, lost_time=0.1), "littles-law", "warning"),
        (replace(CLEAN, lost_time=-0.1), "littles-law", "warning"),
        (replace(CLEAN, drift=0.3, second_sd=0.01), "unsteady", "warning"),
        (replace(CLEAN, deadlocks=5.0), "errors", "note"),
        (replace(CLEAN, base_tps=10.0), "few-operations", "note"),
        (replace(CLEAN, measure_s=5), "window-too-short", "note"),
        (replace(CLEAN, samples=False), "samples-missing", "note"),
    ],
)
def test_a_planted_fault_raises_its_doubt(tmp_path: Path, truth: Truth, kind: str, severity: str) -> None:
    found = doubts(made(tmp_path, truth))
    assert kind in kinds(found)
    assert {note.severity for note in found if note.kind == kind} == {severity}


def test_few_operations_name_the_treatment_that_had_the_fewest(tmp_path: Path) -> None:
    folder = made(tmp_path, replace(CLEAN, base_tps=10.0))
    edit_result(folder, lambda result: result.update(transactions=7))
    first = next(folder.finished_runs())
    (note,) = [note for note in doubts(folder) if note.kind == "few-operations"]
    treatment = json.loads(first.manifest.read_text())["treatment"]
    assert f"a run of {treatment} has only 7 transactions" in note.message
    assert note.facts["treatment"] == treatment


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"complete": False}, "incomplete-window"),
        ({"abandoned": 3}, "abandoned"),
        ({"failed": 40, "errors": {"1062": 40}}, "failed-transactions"),
        ({"dropped": 500}, "dropped"),
        ({"connections": {"count": 8, "min": 10, "mean": 900.0, "max": 2000}}, "starved-connection"),
    ],
)
def test_what_the_result_says_itself(tmp_path: Path, change: dict[str, Any], kind: str) -> None:
    folder = made(tmp_path)
    edit_result(folder, lambda result: result.update(change))
    (note,) = [note for note in doubts(folder) if note.kind == kind]
    assert note.run_id == next(folder.finished_runs()).path.name
    assert note.load == 8


def test_the_servers_counters_are_a_second_witness(tmp_path: Path) -> None:
    """The rows are written and the transactions rolled back by the server's count, for each transaction of
    four writes.
    """
    all_written = {"Handler_write": 1.0, "Handler_update": 2.0, "Handler_delete": 1.0}
    cases: list[tuple[dict[str, float], str | None]] = [
        (all_written | {"Handler_write": 0.5}, "unwritten"),
        (all_written | {"Handler_rollback": 0.6}, "rolled-back"),
        (all_written | {"Handler_rollback": 0.4}, None),
    ]
    folder = made(tmp_path)
    runs = list(folder.finished_runs())
    for run, (counted, _) in zip(runs, cases, strict=False):
        samples = run.samples("status")
        lines = [json.loads(line) for line in samples.read_text().splitlines()]
        for line in lines:
            transactions = line["values"]["Com_select_total"] / 14
            line["values"] |= {f"{name}_total": each * transactions for name, each in counted.items()}
        samples.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = {(note.run_id, note.kind) for note in doubts(folder) if note.kind != "few-blocks"}
    expected = zip(runs, cases, strict=False)
    assert found == {(run.path.name, kind) for run, (_, kind) in expected if kind is not None}


def test_a_history_that_grows_is_found_among_the_samples(tmp_path: Path) -> None:
    folder = made(tmp_path)
    samples = next(folder.finished_runs()).samples("status")
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    for second, line in enumerate(lines):
        line["values"]["Innodb_history_list_length"] = 5000.0 * second
    samples.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (note,) = [note for note in doubts(folder) if note.kind == "state-growing"]
    assert "Innodb_history_list_length" in note.message


def test_a_generator_that_takes_half_of_a_small_machine(tmp_path: Path) -> None:
    folder = made(tmp_path, replace(CLEAN, engine_busy=0.7))
    for run in folder.finished_runs():
        facts = json.loads(run.facts("host", "before").read_text())
        facts["cpu"]["logical"] = 1
        run.facts("host", "before").write_text(json.dumps(facts), encoding="utf-8")
    assert "generator-share" in kinds(doubts(folder))


def loaded(folder: ResultsFolder, *ways: str) -> None:
    """Every treatment's runs say that their rows travelled in this; a block's order is random."""
    of_treatment: dict[str, str] = {}
    for run in folder.finished_runs():
        treatment = json.loads(run.manifest.read_bytes())["treatment"]
        way = of_treatment.setdefault(treatment, ways[len(of_treatment) % len(ways)])
        add_found(run.rung(1, "threads", 8), FinderRecord(by="bulk-load", facts={"loaded_as": way}))


@pytest.mark.long
def test_loads_of_several_kinds_are_no_equals(tmp_path: Path) -> None:
    alike = made(tmp_path / "alike")
    loaded(alike, "file")
    assert "loaded-differently" not in kinds(doubts(alike))
    folder = made(tmp_path / "unlike")
    loaded(folder, "file", "bulk")
    (note,) = [note for note in doubts(folder) if note.kind == "loaded-differently"]
    assert note.severity == "warning"
    assert "bulk: " in note.message
    assert "file: " in note.message


def test_an_experiment_s_sessions_are_its_connections(tmp_path: Path) -> None:
    folder = made(tmp_path)
    edit_result(folder, lambda result: result["connections"].update(count=16))
    (note,) = [note for note in doubts(folder) if note.kind == "littles-law"]
    assert "16 connections" in note.message


def test_terminals_that_share_connections_wait_for_them(tmp_path: Path) -> None:
    folder = made(tmp_path, replace(CLEAN, lost_time=-5.0))
    edit_result(folder, lambda result: result.update(terminals=result["connections"] | {"count": 48}), None)
    assert "littles-law" not in kinds(doubts(folder))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("thought", [True, False])
def test_a_connection_that_thinks_is_not_lost(tmp_path: Path, thought: bool) -> None:
    """Half of each connection's time is in no transaction: accounted for where the load paused."""
    folder = made(tmp_path, replace(CLEAN, lost_time=0.5))

    def think(result: dict[str, Any]) -> None:
        per_s = result["transactions"] / result["elapsed_s"]
        result["mean_think_ms"] = 1e3 * result["connections"]["count"] / per_s / 2 if thought else None

    edit_result(folder, think, None)
    assert ("littles-law" not in kinds(doubts(folder))) is thought


def test_doubts_of_engine_and_lab_are_passed_on_and_not_said_twice(tmp_path: Path) -> None:
    folder = made(tmp_path, replace(CLEAN, lost_time=0.1))
    run = next(folder.finished_runs())
    events = run.rung(1, "threads", 8).events
    lines = events.read_text().splitlines()
    said = {
        "event": "doubt",
        "kind": "littles-law",
        "message": "the engine says so",
        "value": 0.1,
        "limit": 0.02,
    }
    events.write_text("\n".join([*lines[:-1], json.dumps(said), lines[-1], ""]), encoding="utf-8")
    manifest = json.loads(run.manifest.read_bytes())
    clamped = {"kind": "clamped-setting", "message": "innodb_x: asked 5, got 4"}
    uneven = {"kind": "conservation", "message": "somebody else", "rung": manifest["rungs"][0]["dir"]}
    manifest["doubts"] = [clamped, uneven]
    run.manifest.write_bytes(msgspec.json.encode(msgspec.convert(manifest, Manifest)))
    found = doubts(folder, figures=False)
    here = [note for note in found if note.run_id == run.path.name]
    assert sorted(note.kind for note in here) == ["clamped-setting", "conservation", "littles-law"]
    assert {note.message for note in here} == {"the engine says so", clamped["message"], uneven["message"]}
    assert {note.kind: note.load for note in here} == {
        "clamped-setting": None,
        "conservation": 8,
        "littles-law": 8,
    }


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("use", "kept"), [("replication", False), ("schema-change", True)])
def test_an_experiment_that_sends_statements_itself_explains_them(
    tmp_path: Path, use: str, kept: bool
) -> None:
    folder = made(tmp_path)
    run = next(folder.finished_runs())
    manifest = json.loads(run.manifest.read_bytes())
    manifest["doubts"] = [{"kind": "conservation", "message": "somebody else"}]
    run.manifest.write_bytes(msgspec.json.encode(msgspec.convert(manifest, Manifest)))
    build_store(folder)
    study = load_study(folder.study_file)
    experiment = study.model_copy(update={"experiment": ExperimentChoice(use=use, options={})})
    found = judge(experiment, open_store(folder)).doubts
    assert ("conservation" in {note.kind for note in found}) is kept
