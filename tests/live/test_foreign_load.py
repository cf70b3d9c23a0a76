"""Other programs at work on the machine: a warning before the load, and a doubt about every window."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.results.store import open_store
from forked import Command
from live_command import Finished, at_ease, wait_for

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]
Write = Callable[..., Path]


@pytest.fixture
def busy_loop(tmp_path: Path) -> Iterator[str]:
    """A program that does nothing but use a processor, under a name of its own."""
    program = tmp_path / "busyloop"
    shutil.copy(shutil.which("bash") or "/bin/bash", program)
    process = subprocess.Popen([program, "-c", "while :; do :; done"])
    yield program.name
    process.kill()
    process.wait()


@pytest.mark.long
def test_every_window_of_two_seconds_beside_a_busy_loop_is_doubted(
    assay: Assay, write_study: Write, tmp_path: Path, busy_loop: str
) -> None:
    study, results = write_study(load=at_ease("[1, 2, 4]"), measure="2s", factor=""), tmp_path / "results"
    done = assay("run", str(study), "--results", str(results), "--json", "--no-report")
    assert done.code == 0, done.err
    assert "other programs used" in done.err  # before the first block
    doubts = [one for one in json.loads(done.out)["doubts"] if one["kind"] == "foreign-load"]
    assert sorted(one["load"] for one in doubts) == [1, 2, 4]
    store = open_store(ResultsFolder(results))
    used = store.execute(
        "SELECT max(value) - min(value), max(wall_ns) - min(wall_ns) FROM samples"
        f" WHERE source = 'others' AND name LIKE 'program.%.{busy_loop}_us_total'"
    ).fetchone()
    assert used is not None
    assert used[0] * 1000 / used[1] > 0.02  # of a processor: whatever else runs takes its share


@pytest.mark.long
def test_a_bench_says_who_else_works_and_measures(
    assay: Assay, start: Callable[..., Command], busy_loop: str
) -> None:
    own = ("--server", "mariadb", "--table-size", "500", "--threads", "1")
    other = start("bench", "oltp_read_only", *own, "--time", "600", "--rate", "50")
    try:
        assert other.stdout is not None
        wait_for(lambda: "tps" in other.stdout.readline())  # type: ignore[union-attr]
        done = assay("bench", "oltp_point_select", *own, "--time", "2", "--json")
    finally:
        other.terminate()
        other.communicate()
    assert done.code == 0, done.err
    said = f"assay bench oltp_read_only (process {other.pid})"
    (line,) = (line for line in done.err.splitlines() if line.endswith("measured now are too low"))
    assert said in line or line.count("(process") == 3  # other tests may measure, too, and three are named
    assert "; other programs used" in line
    doubts = {one["kind"]: one["message"] for one in json.loads(done.out)["doubts"]}
    assert {"foreign-load", "other-measurement"} <= doubts.keys()
