"""`assay history` as a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path

from assay.testing.results_folder import Truth, make_results
from shell import Shell


def test_series_are_printed_and_written(shell: Shell, tmp_path: Path) -> None:
    make_results(
        tmp_path / "results", blocks=2, loads=(1,), truth=Truth(measure_s=4, warmup_s=1, samples=False)
    )
    ended = shell("history", str(tmp_path), "--csv", str(tmp_path / "values.csv"))
    assert ended.code == 0
    assert "No change points; the longest series has 1 value." in ended.out
    assert "tps oltp_read_write, 1 thread, innodb_purge_threads=4" in ended.out
    assert (tmp_path / "values.csv").read_text(encoding="utf-8").count("\n") == 3
    series = json.loads(shell("history", str(tmp_path), "--json").out)["series"]
    assert [one["configuration"] for one in series] == ["innodb_purge_threads=1", "innodb_purge_threads=4"]


def test_a_folder_without_results_is_an_error(shell: Shell, tmp_path: Path) -> None:
    ended = shell("history", str(tmp_path))
    assert ended.code == 2
    assert "contains no results" in ended.err


def test_a_search_without_two_ends_or_a_load_point_is_refused(shell: Shell, tmp_path: Path) -> None:
    study = tmp_path / "one.toml"
    study.write_text(
        '[study]\nname = "one"\n[server]\nuse = "mariadb"\n[workload]\nuse = "oltp_read_only"\n'
        "[load]\nthreads = [4]\n",
        encoding="utf-8",
    )
    running = "dsn:mysql://root@nowhere/db"
    for more, said in (
        (("--bad", running), "each in between once"),
        (("--bad", "mariadb", "--at", "5"), "has no such load point"),
        (("--bad", "mariadb"), "is a running server, not a build"),
    ):
        ended = shell(
            "bisect",
            str(study),
            "--good",
            running,
            "--versions",
            "",
            *more,
            "--results",
            str(tmp_path / "search"),
        )
        assert ended.code == 2, ended
        assert said in ended.err
    assert not list(tmp_path.glob("search/step*"))
