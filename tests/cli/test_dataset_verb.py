"""`assay dataset`"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.front.cli.dataset_view import ago
from assay.measurement.source.dataset.manifest import datasets, find_named
from make_datasets import make_dataset
from shell import Shell

pytestmark = pytest.mark.usefixtures("private_home")


@pytest.mark.parametrize("command", ["list", "rm"])
def test_every_command_has_an_example(shell: Shell, command: str) -> None:
    assert f"assay dataset {command}" in shell("dataset", command, "--help").out.partition("Example:")[2]


def test_nothing_is_kept(shell: Shell) -> None:
    assert shell("dataset", "list").out == "no dataset is kept here\n"
    assert json.loads(shell("dataset", "list", "--json").out) == []
    assert shell("dataset", "rm", "--all").out == "no dataset is kept here\n"


def test_list(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATASET_BUDGET", "10G")
    make_dataset("oltp_read_write-aa", size=2 * 10**9, used_days_ago=0.5)
    make_dataset("select-bb", used_days_ago=3, age_days=1)
    with find_named("select-bb").held():
        head, first, second, _, total = shell("dataset", "list").out.splitlines()
    assert head.split() == ["id", "server", "workload", "rows", "tables", "size", "age", "last", "used"]
    assert first.startswith("oltp_read_write-aa  mariadb-10.11.19-0a1b2c3d  oltp_read_write  1,000")
    assert first.endswith("1.86 GiB  10 days  12 h ago")
    assert second.endswith("954 MiB  1 day    in use")
    assert total == "2 datasets take 2.79 GiB of 10 GiB (ASSAY_DATASET_BUDGET)"


def test_json(shell: Shell) -> None:
    make_dataset("select-bb", used_days_ago=1)
    make_dataset("oltp-aa", old=True)
    old, found = json.loads(shell("dataset", "list", "--json").out)
    assert (found["id"], found["rows"], found["in_use"]) == ("select-bb", 1000, False)
    assert found["created_wall_ns"] < found["last_used_wall_ns"]
    assert Path(found["path"]).is_dir()
    assert found["fingerprint"]["sbtest1"]["rows"] == 1000
    assert old["fingerprint"] is None


def test_rm(shell: Shell) -> None:
    for name in ("oltp-aa", "oltp-bb", "oltp-cc", "select-dd"):
        make_dataset(name)
    assert shell("dataset", "rm", "sel", "oltp-aa").out == (
        "removed select-dd (954 MiB)\nremoved oltp-aa (954 MiB)\n"
    )
    ambiguous = shell("dataset", "rm", "oltp-bb", "oltp")
    assert (ambiguous.code, '"oltp" may be oltp-bb or oltp-cc' in ambiguous.err) == (2, True)
    unknown = shell("dataset", "rm", "oltp-bbb")
    assert (unknown.code, 'did you mean "oltp-bb"?' in unknown.err) == (2, True)
    assert len(datasets()) == 2
    with find_named("oltp-bb").held():
        refused = shell("dataset", "rm", "--all")
    assert refused.out == "removed oltp-cc (954 MiB)\n"
    assert (refused.code, "cannot remove what a running study uses: oltp-bb" in refused.err) == (6, True)
    assert shell("dataset", "rm", "--all").code == 0
    assert datasets() == []


@pytest.mark.parametrize("words", [[], ["oltp-aa", "--all"]])
def test_rm_wants_to_know_which(shell: Shell, words: list[str]) -> None:
    make_dataset("oltp-aa")
    ended = shell("dataset", "rm", *words)
    assert (ended.code, "dataset rm needs the ids of datasets" in ended.err) == (2, True)
    assert len(datasets()) == 1


def test_a_budget_that_is_none(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    make_dataset("oltp-aa")
    monkeypatch.setenv("ASSAY_DATASET_BUDGET", "lots")
    ended = shell("dataset", "list")
    assert (ended.code, "ASSAY_DATASET_BUDGET" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0 s"), (59.9, "59 s"), (60, "1 min"), (7200, "2 h"), (86_400, "1 day"), (200_000, "2 days")],
)
def test_lengths_of_time(seconds: float, text: str) -> None:
    assert ago(seconds) == text
