"""Unequal servers are found, except in what a study varies on purpose; strict studies get a doubt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import DoubtNote, judge
from assay.results.verdict.fairness import (
    SUBJECTS,
    Inequality,
    differing_variables,
    inequalities,
    read_settings,
)
from assay.results.verdict.fairness.subjects import FLAVOUR, Subject
from assay.results.verdict.treatments import Treatment, treatments_of
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from server_variables import SERVERS

FLUSH = "innodb_flush_log_at_trx_commit"
QUICK = Truth(measure_s=10, warmup_s=1)
NEW, OLD = "innodb_purge_threads=4", "innodb_purge_threads=1"


def found(
    servers: Mapping[str, Mapping[str, str]], levels: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, Inequality]:
    """Inequalities by subject. Without `levels` the study varies the server alone."""
    treatments = [Treatment(name, (levels or {}).get(name, {"server.use": name})) for name in servers]
    settings = {name: [variables] for name, variables in servers.items()}
    return {one.subject.name: one for one in inequalities(treatments, settings)}


def with_flush(server: str, value: str) -> dict[str, str]:
    return {**SERVERS[server], FLUSH: value}


def test_equal_servers_have_nothing_unequal() -> None:
    assert found({"one": SERVERS["mysql@9.7"], "other": dict(SERVERS["mysql@9.7"])}) == {}


def test_two_flavours_are_unequal_in_these_things() -> None:
    pair = {name: SERVERS[name] for name in ("mysql@9.7", "mariadb@10.11")}
    unequal = found(pair)
    assert set(unequal) == {
        "change-buffering",
        "collation",
        "performance-schema",
        "redo-capacity",
        "sql-mode",
        "tls",
    }
    assert unequal["redo-capacity"].values == {"mysql@9.7": "100 MiB", "mariadb@10.11": "96 MiB"}
    assert not any(one.varied for one in unequal.values())


def test_one_subject_of_three_servers_has_a_value_of_each() -> None:
    three = {name: SERVERS[name] for name in ("mysql@5.5", "mysql@5.6", "mariadb@11.4")}
    assert dict(found(three)["change-buffering"].values) == {
        "mysql@5.5": "all",
        "mysql@5.6": "all",
        "mariadb@11.4": "none",
    }


def test_a_factor_that_belongs_to_a_subject_varies_it() -> None:
    servers = {"a": with_flush("mysql@9.7", "1"), "b": with_flush("mysql@9.7", "2")}
    levels = {"a": {f"server.variables.{FLUSH}": "1"}, "b": {f"server.variables.{FLUSH}": "2"}}
    assert found(servers, levels)["redo-flush"].varied
    assert not found(servers)["redo-flush"].varied


@pytest.mark.parametrize("name", ["tx_isolation", "transaction_isolation", "Transaction_Isolation"])
def test_any_name_of_a_variable_varies_its_subject(name: str) -> None:
    servers = {
        "a": SERVERS["mysql@5.6"],
        "b": {**SERVERS["mysql@5.6"], "tx_isolation": "READ-COMMITTED"},
    }
    levels = {
        "a": {f"server.variables.{name}": "REPEATABLE-READ"},
        "b": {f"server.variables.{name}": "READ-COMMITTED"},
    }
    assert found(servers, levels)["isolation"].varied


def test_a_factor_does_not_excuse_a_server_that_ignores_it() -> None:
    """Both flavours at both levels; MariaDB's value is 0 where the study says 2."""
    factor = f"server.variables.{FLUSH}"
    levels = {
        f"{server} {level}": {"server.use": server, factor: level}
        for server in ("mysql@9.7", "mariadb@10.11")
        for level in ("1", "2")
    }
    fair = {name: with_flush(level["server.use"], level[factor]) for name, level in levels.items()}
    assert found(fair, levels)["redo-flush"].varied
    unfair = {**fair, "mariadb@10.11 2": with_flush("mariadb@10.11", "0")}
    assert not found(unfair, levels)["redo-flush"].varied


def test_another_factor_excuses_nothing() -> None:
    servers = {"a": with_flush("mysql@9.7", "1"), "b": with_flush("mysql@9.7", "2")}
    other = {"a": {"server.variables.sync_binlog": "0"}, "b": {"server.variables.sync_binlog": "1"}}
    assert not found(servers, other)["redo-flush"].varied


def test_what_is_unfair_comes_before_what_is_varied() -> None:
    servers = {"a": with_flush("mysql@9.7", "1"), "b": with_flush("mariadb@10.11", "2")}
    levels = {"a": {f"server.variables.{FLUSH}": "1"}, "b": {f"server.variables.{FLUSH}": "2"}}
    order = [one.varied for one in found(servers, levels).values()]
    assert order == sorted(order)
    assert order[-1]
    assert not order[0]


def test_runs_of_one_treatment_that_disagree_are_unequal() -> None:
    settings = {"a": [with_flush("mysql@9.7", "1"), with_flush("mysql@9.7", "2")]}
    (one,) = inequalities([Treatment("a", {f"server.variables.{FLUSH}": "1"})], settings)
    assert (dict(one.values), one.varied) == ({"a": "1 / 2"}, False)


def test_a_treatment_without_recorded_settings_is_no_reason_to_call_it_unequal() -> None:
    treatments = [Treatment(name, {}) for name in ("a", "b", "c")]
    same = {"a": [SERVERS["mysql@9.7"]], "b": [], "c": [SERVERS["mysql@9.7"]]}
    assert inequalities(treatments, same) == ()
    two = inequalities(treatments, {**same, "c": [SERVERS["mysql@5.6"]]})
    assert {tuple(one.values) for one in two} == {("a", "c")}


def made(path: Path, *, fair: str, factor: str = "innodb_purge_threads") -> ResultsFolder:
    """MySQL 5.6 against 9.7 with equal redo flush, in a study of `fair` that says it varies `factor`."""
    toml = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]")
    toml = toml.replace("blocks = 6", f'blocks = 2\nfair = "{fair}"').replace(f", {FLUSH} = 2", "")
    toml = toml.replace("innodb_purge_threads", factor)
    levels = {OLD: {f"server.variables.{factor}": 1}, NEW: {f"server.variables.{factor}": 4}}
    return make_results(path, study_toml=toml, blocks=2, treatments=levels, loads=(8,), truth=QUICK)


def set_variables(folder: ResultsFolder, by_treatment: Mapping[str, Mapping[str, str]]) -> None:
    for run in folder.finished_runs():
        (name,) = [name for name in by_treatment if run.path.name.endswith(name)]
        facts = {"version": "x", "variables": by_treatment[name]}
        run.facts("server", "before").write_text(json.dumps(facts), encoding="utf-8")


def unfair(folder: ResultsFolder) -> list[DoubtNote]:
    return doubted(folder, "unfair")


def doubted(folder: ResultsFolder, kind: str) -> list[DoubtNote]:
    build_store(folder)
    with open_store(folder) as store:
        doubts = judge(load_study(folder.study_file), store).doubts
    return [note for note in doubts if note.kind == kind]


PAIR = {OLD: SERVERS["mysql@5.6"], NEW: SERVERS["mysql@9.7"]}


def test_a_strict_study_doubts_unequal_servers_once(tmp_path: Path) -> None:
    folder = made(tmp_path, fair="strict")
    set_variables(folder, PAIR)
    (note,) = unfair(folder)
    assert (note.severity, note.run_id, note.load) == ("invalid", None, None)
    assert all(name in note.message for name in ("redo capacity", "flush method", "sql mode"))
    assert "query cache" not in note.message


def test_any_other_study_does_not(tmp_path: Path) -> None:
    folder = made(tmp_path, fair="report")
    set_variables(folder, PAIR)
    assert unfair(folder) == []


def test_a_strict_study_of_equal_servers_does_not(tmp_path: Path) -> None:
    folder = made(tmp_path, fair="strict")
    set_variables(folder, {OLD: SERVERS["mysql@9.7"], NEW: SERVERS["mysql@9.7"]})
    assert unfair(folder) == []


@pytest.mark.long
def test_a_strict_study_may_vary_a_subject_on_purpose(tmp_path: Path) -> None:
    levels = {OLD: with_flush("mysql@9.7", "1"), NEW: with_flush("mysql@9.7", "4")}
    on_purpose = made(tmp_path / "on-purpose", fair="strict", factor=FLUSH)
    set_variables(on_purpose, levels)
    assert unfair(on_purpose) == []
    by_accident = made(tmp_path / "by-accident", fair="strict")
    set_variables(by_accident, levels)
    assert [note.message.count("redo flush") for note in unfair(by_accident)] == [1]


def test_a_variable_that_the_server_derives_follows_and_any_other_is_doubted(tmp_path: Path) -> None:
    """MariaDB shows innodb_log_file_buffering by what is flushed; nobody set the other one."""
    folder = made(tmp_path, fair="report", factor=FLUSH)
    base = dict(SERVERS["mariadb@11.4"])
    derived = {OLD: {**with_flush("mariadb@11.4", "1"), "log_file_buffering": "OFF"}}
    derived[NEW] = {**with_flush("mariadb@11.4", "4"), "log_file_buffering": "ON"}
    set_variables(folder, derived)
    assert states(folder) == {FLUSH: "varied", "log_file_buffering": "follows"}
    assert doubted(folder, "unequal") == []
    (first, *_) = folder.finished_runs()
    facts = {"version": "x", "variables": {**base, **derived[of(first.path.name)], "sort_buffer_size": "1"}}
    first.facts("server", "before").write_text(json.dumps(facts), encoding="utf-8")
    assert states(folder)["sort_buffer_size"] == "unequal"
    (note,) = doubted(folder, "unequal")
    assert (note.severity, note.facts["names"]) == ("warning", "sort_buffer_size")


TIED = f"""\
[[factor]]
name = "durability"
keys = ["server.variables.{FLUSH}", "server.variables.sync_binlog"]
levels = [1, 4]
values = [[1, 1], [4, 0]]
"""


def made_tied(path: Path, *, fair: str) -> ResultsFolder:
    """One server at two levels of a factor of two keys."""
    toml = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]").replace(f", {FLUSH} = 2", "")
    start, end = toml.index("[[factor]]"), toml.index("[design]")
    toml = toml[:start] + TIED + toml[end:].replace("blocks = 6", f'blocks = 2\nfair = "{fair}"')
    levels = {OLD: {"durability": 1}, NEW: {"durability": 4}}
    return make_results(path, study_toml=toml, blocks=2, treatments=levels, loads=(8,), truth=QUICK)


@pytest.mark.long
def test_keys_that_vary_together_are_varied_and_what_follows_from_them_follows(tmp_path: Path) -> None:
    folder = made_tied(tmp_path / "report", fair="report")
    servers = {
        OLD: {**with_flush("mariadb@11.4", "1"), "sync_binlog": "1", "log_file_buffering": "OFF"},
        NEW: {**with_flush("mariadb@11.4", "4"), "sync_binlog": "0", "log_file_buffering": "ON"},
    }
    set_variables(folder, servers)
    assert states(folder) == {FLUSH: "varied", "sync_binlog": "varied", "log_file_buffering": "follows"}
    assert doubted(folder, "unequal") == []
    strict = made_tied(tmp_path / "strict", fair="strict")
    set_variables(strict, servers)
    assert unfair(strict) == []
    other = made_tied(tmp_path / "other", fair="strict")
    set_variables(other, {OLD: servers[OLD], NEW: {**servers[NEW], "performance_schema": "ON"}})
    assert ["performance schema" in note.message for note in unfair(other)] == [True]


def of(run: str) -> str:
    return next(name for name in (OLD, NEW) if run.endswith(name))


def states(folder: ResultsFolder) -> dict[str, str]:
    build_store(folder)
    study = load_study(folder.study_file)
    with open_store(folder) as store:
        differing = differing_variables(study, treatments_of(study, store), store)
    return {one.variable: one.state for one in differing}


def test_between_builds_nothing_follows(tmp_path: Path) -> None:
    treatments = [Treatment(name, {"server.use": name}) for name in (OLD, NEW)]
    folder = made(tmp_path, fair="report")
    set_variables(folder, PAIR)
    build_store(folder)
    study = load_study(folder.study_file)
    with open_store(folder) as store:
        differing = differing_variables(study, treatments, store)
    assert {one.state for one in differing} == {"unequal"}


def test_settings_are_those_before_the_load_of_complete_runs(tmp_path: Path) -> None:
    folder = made(tmp_path, fair="report")
    set_variables(folder, PAIR)
    build_store(folder)
    with open_store(folder) as store:
        settings = read_settings(store)
        treatments = treatments_of(load_study(folder.study_file), store)
    assert [treatment.name for treatment in treatments] == [OLD, NEW]
    assert {name: len(runs) for name, runs in settings.items()} == {OLD: 2, NEW: 2}
    assert settings[NEW][0] == dict(SERVERS["mysql@9.7"])


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_nothing_follows_from_the_variables_of_another_kind_of_server(subject: Subject) -> None:
    """What it does not say is never equal to what MySQL does without saying it."""
    bare = subject.value({})
    other = subject.value({FLAVOUR: "tidb"})
    assert other != bare
    assert other == "not known (tidb)" != subject.value({FLAVOUR: "aurora"})
    said = {subject.variables[0]: "1"}
    assert subject.value({**said, FLAVOUR: "tidb"}) != subject.value(said)
