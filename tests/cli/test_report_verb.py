"""`assay report`, on results that a generator wrote in the true format."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest
from assay.design.folder import ResultsFolder, StudyEntry
from assay.design.study import changed_text, load_study, study_hash
from shell import ROOT, Shell

sys.path.insert(0, str(ROOT / "tests" / "fixtures"))

from assay.testing.results_folder import STUDY_TOML, Truth, make_results

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ResultsFolder:
    """results/purge-threads and the study it is of, purge.toml, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("purge.toml").write_text(STUDY_TOML, encoding="utf-8")
    folder = make_results(Path("results/purge-threads"), blocks=2, truth=Truth(measure_s=4, warmup_s=1))
    entry = msgspec.json.decode(folder.entry.read_bytes(), type=StudyEntry)
    entry = msgspec.structs.replace(entry, hash=study_hash(load_study(Path("purge.toml"))))
    folder.entry.write_bytes(msgspec.json.encode(entry))
    return folder


def test_of_a_results_folder(shell: Shell, results: ResultsFolder) -> None:
    ended = shell("report", results.path)
    assert ended.code == 0
    assert ended.out.endswith("report: results/purge-threads/report.html\n")
    assert results.report.is_file()


@pytest.mark.long
def test_in_one_language(shell: Shell, results: ResultsFolder) -> None:
    """The page leads to no page that is not there, and an earlier one in the other language is removed."""
    shell("report", results.path, "--language", "en")
    english = results.report.read_text(encoding="utf-8")
    assert "report.zh.html" not in english
    assert not list(results.path.rglob("*.zh.*"))
    ended = shell("report", results.path, "--language", "zh")
    assert ended.out.endswith("report: results/purge-threads/report.zh.html\n")
    assert not results.report.exists()
    files = {path.relative_to(results.path).as_posix() for path in results.path.rglob("*.*")}
    assert {
        "charts/throughput.zh.svg",
        "charts/throughput.csv",
        "tables/tps.zh.md",
        "tables/tps.csv",
    } <= files
    assert "charts/throughput.svg" not in files
    refused = shell("report", results.path, "--language", "zh", "--png")
    assert (refused.code, "--png draws charts in English" in refused.err) == (2, True)


@pytest.mark.long
def test_of_a_study_with_a_belief_added_after_the_runs(shell: Shell, results: ResultsFolder) -> None:
    claim = "tps[innodb_purge_threads=1] > 1"
    with Path("purge.toml").open("a", encoding="utf-8") as study:
        study.write(f'\n[[hypothesis]]\nclaim = "{claim}"\n')
    judged = json.loads(shell("report", "purge.toml", "--language", "en", "--json").out)
    assert claim in [hypothesis["claim"] for hypothesis in judged["hypotheses"]]
    assert judged["blocks_complete"] == 2


SMALL = '\n[scale.small]\nabout = "Two rungs of three."\n"load.threads" = [1, 8]\n[scale.other]\n'


@pytest.fixture
def small(results: ResultsFolder) -> ResultsFolder:
    """results/purge-threads-small, and purge.toml with its scale; nothing of the file's own values."""
    text = STUDY_TOML.replace("at = [8, 64]\n", "") + SMALL
    Path("purge.toml").write_text(text, encoding="utf-8")
    kept = changed_text(text, Path("purge.toml"), {}, "small").kept
    truth = Truth(measure_s=4, warmup_s=1)
    path = Path("results/purge-threads-small")
    folder = make_results(path, study_toml=kept, loads=(1, 8), blocks=2, truth=truth)
    entry = msgspec.json.decode(folder.entry.read_bytes(), type=StudyEntry)
    entry = msgspec.structs.replace(entry, hash=study_hash(load_study(Path("purge.toml"), "small")))
    folder.entry.write_bytes(msgspec.json.encode(entry))
    return folder


def test_of_a_scale(shell: Shell, small: ResultsFolder) -> None:
    ended = shell("report", "purge.toml", "--scale", "small")
    assert ended.out.endswith("report: results/purge-threads-small/report.html\n")
    assert "Scale small  Two rungs of three." in ended.out
    for page in ("report.html", "report.zh.html"):
        assert "</strong> Two rungs of three." in (small.path / page).read_text(encoding="utf-8")
    found = json.loads(shell("report", small.path, "--language", "en", "--json").out)
    assert (found["scale"], found["scale_about"]) == ("small", {"en": "Two rungs of three."})
    assert found["loads"] == [1, 8]


def test_of_a_scale_that_was_not_run_or_is_none(shell: Shell, small: ResultsFolder) -> None:
    asked = shell("report", "purge.toml", "--scale", "other")
    assert (asked.code, "run it first: assay run purge.toml --scale other" in asked.err) == (2, True)
    asked = shell("report", "purge.toml", "--scale", "smal")
    assert (asked.code, 'did you mean "small"?' in asked.err) == (2, True)
    asked = shell("report", small.path, "--scale", "small")
    assert (asked.code, "holds one scale" in asked.err) == (2, True)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--scale", "other"], "this study with scale 'small', not 'other'; nothing was changed"),
        ([], "this study with scale 'small', and none was asked for"),
    ],
)
def test_a_folder_has_the_results_of_one_scale(
    shell: Shell, small: ResultsFolder, words: list[str], said: str
) -> None:
    for verb in ("run", "plan"):
        ended = shell(verb, "purge.toml", "--results", small.path, *words)
        assert ended.code == 7
        assert said in ended.err


def test_the_plan_of_a_scale(shell: Shell, small: ResultsFolder) -> None:
    shown = shell("plan", "purge.toml", "--scale", "small").out
    assert "scale     small: Two rungs of three." in shown
    assert "threads 1, 8;" in shown
    found = json.loads(shell("plan", "purge.toml", "--scale", "small", "--json").out)
    assert found["scale"] == {"name": "small", "about": {"en": "Two rungs of three."}}
    assert json.loads(shell("plan", "purge.toml", "--json").out)["scale"] is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("verb", ["report", "show"])
def test_results_of_an_earlier_assay_may_have_what_a_new_study_is_refused_for(
    shell: Shell, results: ResultsFolder, verb: str
) -> None:
    earlier = (
        'claim = "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] >= 1"\nmargin = 0.05\n',
        'claim = "tps[innodb_purge_threads=1] ~ tps[server.variables.innodb_purge_threads=1]"\n',
    )
    with results.study_file.open("a", encoding="utf-8") as study:
        study.writelines(f"\n[[hypothesis]]\n{one}" for one in earlier)
    ended = shell(verb, results.path, "--json")
    assert ended.code == 0, ended.err
    assert "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] >= 1" in ended.out
    refused = shell("plan", results.study_file)
    assert "margin: has no effect here" in refused.err


@pytest.mark.usefixtures("results")
def test_results_of_another_study_are_left_alone(shell: Shell) -> None:
    text = STUDY_TOML.replace("tables = 4", "tables = 5")
    Path("other.toml").write_text(text, encoding="utf-8")
    ended = shell("report", "other.toml")
    assert ended.code == 7
    assert "results/purge-threads holds the results of an earlier form of this study" in ended.err


def test_where_there_are_no_results(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("purge.toml").write_text(STUDY_TOML, encoding="utf-8")
    ended = shell("report", "purge.toml")
    assert ended.code == 2
    assert "results/purge-threads: contains no results of purge.toml" in ended.err
    assert "hint: run it first: assay run purge.toml" in ended.err
    ended = shell("report", tmp_path)
    assert (ended.code, "contains no results of a study" in ended.err) == (2, True)
