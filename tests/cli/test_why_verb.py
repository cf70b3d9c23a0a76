"""`assay why`, on results that a generator wrote in the true format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.testing.results_folder import Truth, make_results
from shell import Shell


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("why") / "results"
    return make_results(place, loads=(1, 8), truth=Truth(measure_s=4, warmup_s=1), effect=0.8).path


def test_it_says_what_differs_and_what_is_missing(shell: Shell, results: Path) -> None:
    ended = shell("why", results)
    assert ended.code == 0
    assert "innodb_purge_threads=4 against innodb_purge_threads=1, at 8 threads: none of" in ended.out
    assert "by the clock" in ended.out
    assert "assay run STUDY --why" in ended.out
    chinese = shell("why", results, "--language", "zh", "--load", "1")
    assert "每个查询的服务器 CPU 时间" in chinese.out
    found = json.loads(shell("why", results, "--json", "--treatment", "innodb_purge_threads=4").out)
    (ledger,) = found["ledgers"]
    assert (ledger["ledger"], ledger["load"], ledger["blocks"]) == ("counters", 8, 6)
    assert {line["word"] for line in ledger["lines"]} == {"bounded", "by-the-clock"}
    assert found["missing"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--treatment", "innodb_purge_threads=44"), 'give "innodb_purge_threads=4"'),
        (("--treatment", "innodb_purge_threads=1"), 'give "innodb_purge_threads=4"'),
        (("--load", "3"), "give one of 1, 8"),
    ],
)
def test_what_the_results_lack_is_named(
    shell: Shell, results: Path, given: tuple[str, str], said: str
) -> None:
    ended = shell("why", results, *given)
    assert ended.code == 2
    assert said in ended.err


def test_results_without_a_counter_are_told_why_and_not_one_of_two_reasons(
    shell: Shell, tmp_path: Path
) -> None:
    """Windows between two readings have no counters, and no doubt has forbidden anything."""
    place = make_results(
        tmp_path / "results", loads=(1,), truth=Truth(measure_s=2, warmup_s=1, samples=False)
    )
    ended = shell("why", place.path)
    assert ended.code == 0
    assert "No block has counters of both treatments: they are read once a second" in ended.out
    assert "forbids" not in ended.out
    found = json.loads(shell("why", place.path, "--json").out)
    assert found["ledgers"] == []
    assert found["missing"][0].startswith("No block has counters")
