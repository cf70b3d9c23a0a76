"""A profile window on a real server: its load, its stacks where this machine allows them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from assay.design.folder import (
    ResultsFolder,
    RunResult,
    StackProfile,
    read_events,
    read_job,
    read_packed,
    read_window,
)
from assay.experiments.lab import carry_out, open_study
from assay.front.terminal import console
from assay.front.terminal.progress import PlainProgress
from assay.measurement.run.profile import stages, window
from assay.results.ledger import MeasuredLoad, watched_load
from assay.system.host import lacks

STUDY = """\
[study]
name = "watched"
[server]
use = "mariadb"
[server.variables]
innodb_buffer_pool_size = "32M"
performance_schema = "ON"
[workload]
use = "oltp_read_only"
table_size = 100
[load]
threads = [2]
think_ms = 5
warmup = "none"
measure = "1s"
profile_s = 1
[design]
blocks = 1
"""


@pytest.mark.long
def test_the_load_is_sent_once_more_and_watched(
    assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "WARMUP_S", 1.0)
    monkeypatch.setattr(stages, "BEGINNING_S", 3.0)
    file, folder = tmp_path / "watched.toml", ResultsFolder(tmp_path / "results")
    file.write_text(STUDY, encoding="utf-8")
    assert not carry_out(open_study(file), folder, PlainProgress(console())).failed
    (run,) = folder.finished_runs()
    (rung,) = run.rungs()
    seen = read_window(rung.profile)
    assert seen is not None
    assert seen.main is not None
    (result,) = (event for event in read_events(rung.profile.events) if isinstance(event, RunResult))
    planned_s = read_job(run, run.inside(rung.profile.path))["phases"]["measure_ms"] / 1000
    assert result.elapsed_s < planned_s - 1.0, "the load ends when all has been seen"
    per_s = result.transactions / result.elapsed_s
    assert seen.main.transactions / seen.main.seconds > 0.4 * per_s, "the stretch lies within the load"
    assert seen.main.seconds == pytest.approx(1.0, abs=0.9)
    seeds = read_job(run, run.inside(rung.path))["seed"], read_job(run, run.inside(rung.profile.path))["seed"]
    assert seeds[0] != seeds[1]
    measured = MeasuredLoad(2.0, "threads", {"server_cpu_us_per_query": 80.0, "tps": 1000.0})
    watched = watched_load(rung, measured)
    assert watched is not None
    lines = watched.lines
    sources = {name: (one.missing, one.read) for name, one in seen.sources.items()}
    assert seen.counting is not None, sources
    assert sources["schedstat"] == (None, {"threads": 2.0})
    statements = [one for one in lines if (one.ledger, one.group) == ("counts", "statements")]
    assert not seen.counting.cut, seen
    points = next(one for one in statements if one.line == "SELECT c FROM sbtestN WHERE id = ?")
    assert points.amount == pytest.approx(10.0, rel=0.2), "a transaction has ten"
    time_of = {one.group: one.amount for one in lines if one.ledger == "time" and not one.line}
    assert time_of["on-cpu"] > 0
    assert sum(one.amount for one in lines if one.ledger == "time") == pytest.approx(2000.0)
    source = seen.sources["stacks"]
    if shutil.which("perf") is None or lacks("perf") is not None:
        assert source.missing
        assert source.remedy
        return
    assert source.missing is None
    stacks = read_packed(rung.profile, "stacks", StackProfile)
    assert stacks is not None
    assert stacks.samples == source.read["samples"] > 20
    assert not rung.profile.inner("perf.data").exists()
    amounts = {(one.group, one.line): one.amount for one in lines if one.ledger == "cpu"}
    assert sum(amounts.values()) == pytest.approx(80.0)
    assert sum(by for (group, _), by in amounts.items() if group == "unnamed") < 20.0
    assert sources["switches"][0] is None
    assert sources["switches"][1]["switches"] > 100
    assert not rung.profile.inner("switches.data").exists()
    named = sum(one.amount for one in lines if one.ledger == "time" and one.group != "unnamed")
    assert named > 0.8 * 2000.0
