"""`assay published` as a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from shell import Shell


def test_reports_are_listed(shell: Shell) -> None:
    assert "002_02    numa_oltp: threads x numa" in shell("published", "list").out
    found = json.loads(shell("published", "list", "--json").out)
    assert [one["id"] for one in found] == ["000", "001", "002", "003", "004"]
    assert sum(len(one["claims"]) for one in found) == 119


def test_a_table_is_shown_as_it_was_printed(shell: Shell) -> None:
    rows = [line.split() for line in shell("published", "show", "002_02").out.splitlines()]
    assert ["64", "5317.55", "4963.41", "95715.96", "89341.4", "7", "7.5", "1.7", "2.5"] in rows
    rows = [line.split() for line in shell("published", "show", "003_01").out.splitlines()]
    assert ["2048", "no", "2595", "72", "10", "1325", "132090", "265936", "255631"] in rows
    found = json.loads(shell("published", "show", "000_05", "--json").out)
    assert [axis["name"] for axis in found["axes"]] == ["innodb_purge_threads", "innodb_purge_batch_size"]
    assert found["cells"][0]["printed"] == "3052"


def test_a_report_is_shown_with_its_claims(shell: Shell) -> None:
    shown = shell("published", "show", "004").out
    assert "H004-09" in shown
    assert "470000 1/s" in shown
    assert json.loads(shell("published", "show", "004", "--json").out)["claims"][0]["source_line"] == 20


@pytest.mark.long
def test_a_table_is_drawn(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "raid.svg"
    assert shell("published", "plot", "002_21", "--measure", "iops", "--svg", str(file)).code == 0
    assert "raid_level=raid5" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [("show", "009"), ("plot", "004"), ("plot", "002_02", "--measure", "x")])
def test_what_is_not_there_ends_with_2_and_a_hint(shell: Shell, words: tuple[str, ...]) -> None:
    ended = shell("published", *words)
    assert ended.code == 2
    assert "hint:" in ended.err


def test_claims_are_tallied(shell: Shell, tmp_path: Path) -> None:
    shown = shell("published", "tally", str(tmp_path), "--claims").out
    assert "not testable here" in shown
    assert "H002-05  not testable here" in shown
    found = json.loads(shell("published", "tally", str(tmp_path), "--json").out)
    assert sum(found["total"].values()) == 119
    assert found["states"][0]["claim"]["id"] == "H000-01"


def test_results_are_compared_with_a_table(shell: Shell, tmp_path: Path) -> None:
    make_results(
        tmp_path / "purge", loads=(8, 64), blocks=2, truth=Truth(measure_s=4, warmup_s=1, samples=False)
    )
    drawn = tmp_path / "beside.svg"
    words = ("compare", str(tmp_path / "purge"), "published:002_02", "--measure", "tps")
    shown = shell(*words, "--svg", str(drawn)).out
    assert "published:002_02 is taken at numa = interleave=0-1" in shown
    assert "compare shapes" in shown
    assert drawn.read_text(encoding="utf-8").startswith("<svg")
    found = json.loads(shell(*words, "--at", "numa=default", "--json").out)
    assert [one["right"] for one in found["cells"]] == [1363.04, 4963.41]
    assert found["along"] == "threads"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("published:002_02", "published:003_01", "--at", "numa"), "expected AXIS=LEVEL"),
        (("published:002_02", "published:009"), "neither a published report"),
        (("published:002_02", "nowhere"), "contains no results"),
        (("published:002_21", "published:000_02"), "figures of two kinds of work cannot be compared"),
    ],
)
def test_what_cannot_be_compared_ends_with_2(shell: Shell, words: tuple[str, ...], said: str) -> None:
    ended = shell("compare", *words)
    assert ended.code == 2
    assert said in ended.err


def test_a_report_is_run_study_by_study(shell: Shell, tmp_path: Path) -> None:
    place = tmp_path / "studies" / "003"
    place.mkdir(parents=True)
    toml = STUDY_TOML.replace("mariadb@10.11", "path:/no/such")
    (place / "a.toml").write_text(toml, encoding="utf-8")
    words = ("published", "run", "003", "--studies", tmp_path / "studies", "--results", tmp_path / "results")
    planned = shell(*words, "--plan")
    assert planned.code == 0
    assert "purge-threads  " in planned.out
    assert "cannot run" in planned.out
    ended = shell(*words)
    assert ended.code == 1
    assert "purge-threads: path:/no/such" in ended.out
    assert shell("published", "run", "005").code == 2


@pytest.mark.parametrize(("claim", "code"), [("H002-07", 0), ("H002-12", 1)])
def test_hardware_that_is_not_here_is_a_failure_only_where_claims_are_lost(
    shell: Shell, tmp_path: Path, claim: str, code: int
) -> None:
    place = tmp_path / "studies" / "002"
    place.mkdir(parents=True)
    head = STUDY_TOML[: STUDY_TOML.index("[server]")]
    (place / "a.toml").write_text(
        head
        + '[storage]\ndirectory = "/no/such/disk"\n\n[workload]\nuse = "fileio"\nfile_test_mode = "rndrw"\n\n'
        + '[load]\nthreads = [1]\n\n[[factor]]\nname = "copy"\nlevels = [1, 2]\n\n'
        + f'[[hypothesis]]\nid = "{claim}"\nclaim = "iops[copy=1] ~ iops[copy=2]"\n',
        encoding="utf-8",
    )
    words = ("published", "run", "002", "--studies", tmp_path / "studies", "--results", tmp_path / "results")
    ended = shell(*words)
    assert "/no/such/disk" in ended.out
    assert ended.code == code


def test_tables_for_a_page_are_printed_in_both_languages(shell: Shell, tmp_path: Path) -> None:
    english = shell("published", "tally", tmp_path, "--markdown", "en").out
    chinese = shell("published", "tally", tmp_path, "--markdown", "zh").out
    assert "| H004-02 | knee |" in english
    assert "| H004-02 | 拐点 |" in chinese
    assert len(english.splitlines()) == len(chinese.splitlines())
    beside = ("compare", "published:002_02", "published:002_02", "--measure", "tps", "--markdown")
    assert "| 8 | interleave=0-1 | Throughput, transactions | 2,382 | 2,382 | 1 |" in shell(*beside, "en").out
    assert "# 沿线程的形状" in shell(*beside, "zh").out
