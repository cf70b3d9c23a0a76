"""A study of files from its first run to its report: real files, a kill, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import forked
import pytest
from assay.design.folder import ResultsFolder, read_manifest
from assay.results.store import build_store, open_store
from loop_disk import loop_disk, why_not

JOB = """
[global]
size=2m
bs=4k
ioengine=libaio
iodepth=4
[reads]
rw=randread
[mix]
stonewall
rw=randrw
fsync=8
"""
STUDY = """
[study]
name = "files"
[workload]
use = "fio:two.fio"
[storage]
directory = "{directory}"
passes = 2
rounds = 5
round = "100ms"
[load]
threads = [1, 2]
warmup = "none"
measure = "{measure}"
[[factor]]
name = "workload.section"
levels = ["reads", "mix"]
[design]
blocks = 1
[[hypothesis]]
claim = "write_iops[section=mix] > 1 /s"
[[hypothesis]]
claim = "mix.p99[section=mix] < 10 s"
"""

QUEUE = """
[study]
name = "queue"
[workload]
use = "fileio"
file_test_mode = "rndrw"
file_num = 2
file_total_size = "2M"
[storage]
directory = "{directory}"
[load]
threads = [2]
warmup = "none"
measure = "300ms"
[host]
block.rq_affinity = 2
[[factor]]
name = "host.block.read_ahead_kb"
levels = [64, 32]
[design]
blocks = 1
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/precious").write_text("stays")
    (tmp_path / "two.fio").write_text(JOB)
    return tmp_path


def study(place: Path, measure: str) -> list[str]:
    path = place / "files.toml"
    path.write_text(STUDY.format(directory=place / "data", measure=measure))
    return ["run", str(path), "--results", str(place / "results")]


def left(place: Path) -> list[str]:
    return sorted(path.name for path in (place / "data").iterdir())


def test_every_measure_comes_through_and_the_files_go(place: Path) -> None:
    command = study(place, "300ms")
    done = forked.run(*command, "--json", timeout=120)
    assert done.returncode == 0, done.stderr
    judged = json.loads(done.stdout)
    assert judged["headlines"] == ["iops", "mib_per_s", "p95_ms", "p99_ms"]
    parts = judged["hypotheses"][1]["parts"]
    answers = [(part["where"][0]["load"], part["figure"]["value"] > 0) for part in parts]
    assert answers == [(1.0, True), (2.0, True)]
    assert left(place) == ["precious"]
    folder = ResultsFolder(place / "results")
    build_store(folder)
    with open_store(folder) as store:
        rows = store.execute("SELECT treatment, load, measure, value FROM measures").fetchall()
    found = {(treatment, load, measure): value for treatment, load, measure, value in rows}
    mix = {
        measure: value
        for (treatment, load, measure), value in found.items()
        if (treatment, load) == ("section=mix", 2)
    }
    assert mix["iops"] == pytest.approx(mix["read_iops"] + mix["write_iops"])
    assert mix["mib_per_s"] == pytest.approx(mix["iops"] * 4096 / 2**20)
    assert mix["syncs_per_s"] > 0
    assert mix["mean_depth"] <= 8
    # One job is all of this load.
    of_job = {name.removeprefix("mix."): value for name, value in mix.items() if name.startswith("mix.")}
    assert {"iops", "mib_per_s", "mean_ms", "p50_ms", "p99_9_ms", "max_ms"} <= of_job.keys()
    assert of_job == pytest.approx({name: mix[name] for name in of_job})
    assert {
        "mean_ms",
        "p99_ms",
        "read_completion_p99_ms",
        "write_submit_mean_ms",
        "sync_p95_ms",
    } <= mix.keys()
    assert mix["cpu_us_per_io"] > 0
    assert mix["rounds_to_steady"] == 5
    (overwritten,) = (place / "results/runs").glob("*section=mix/overwrite.jsonl")
    ended = json.loads(overwritten.read_text().splitlines()[-1])
    assert ended["io_bytes"]["written"] == 2 * 2 * (2 << 20)  # passes, files, bytes
    assert ("section=reads", 1, "write_p99_ms") not in found
    for run in folder.finished_runs():
        samplers = read_manifest(run).samplers
        assert {"cpu", "disks", "processes"} <= samplers.keys()
        assert all(sampler.readings for sampler in samplers.values())
    pages = [(place / "results" / name).read_text() for name in ("report.html", "report.zh.html")]
    assert "Storage: every figure" in pages[0]
    assert "p99 latency of mix" in pages[0]
    assert "存储：全部数字" in pages[1]
    again = forked.run(*command, "--no-report", timeout=120)
    assert again.returncode == 0
    assert "2 runs, 2 of them done before" in again.stderr


@pytest.mark.long
def test_a_changed_job_file_is_another_study(place: Path) -> None:
    command = [*study(place, "200ms"), "--no-report"]
    assert forked.run(*command, timeout=120).returncode == 0
    (place / "two.fio").write_text(JOB.replace("bs=4k", "bs=8k"))
    refused = forked.run(*command, timeout=120)
    assert refused.returncode != 0
    assert "an earlier form of this study" in refused.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_files_go_however_the_lab_ends(place: Path, how: signal.Signals) -> None:
    lab = forked.Command(study(place, "600s"))
    limit = time.monotonic() + 180
    rung = place / "results/runs"
    while not list(rung.glob(".*.unfinished/rungs/*/events.jsonl")):
        assert time.monotonic() < limit
        assert lab.poll() is None, lab.stdout and lab.stdout.read()
        time.sleep(0.05)
    assert len(left(place)) == 2
    os.kill(lab.pid, how)
    lab.communicate(timeout=180)
    assert forked.run("server", "list").returncode == 0
    assert left(place) == ["precious"]
    assert not list(rung.glob("b*"))


@pytest.mark.long
@pytest.mark.machine
@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_settings_of_the_disk_under_the_files_are_in_force_and_put_back(tmp_path: Path) -> None:
    names = ("read_ahead_kb", "rq_affinity")
    with loop_disk(tmp_path, 256 << 20) as disk:
        before = [disk.queue(name) for name in names]
        path = tmp_path / "queue.toml"
        path.write_text(QUEUE.format(directory=disk.path))
        done = forked.run("run", path, "--results", tmp_path / "results", "--no-report", timeout=120)
        assert done.returncode == 0, done.stderr
        assert [disk.queue(name) for name in names] == before
        runs = list(ResultsFolder(tmp_path / "results").finished_runs())
        assert len(runs) == 2
        for run in runs:
            manifest = read_manifest(run)
            now = {entry.knob: entry.now for entry in manifest.host}
            assert now["block.rq_affinity"] == "2"
            assert now["block.read_ahead_kb"] == manifest.treatment.removeprefix("read_ahead_kb=")
            assert {entry.target for entry in manifest.host} == {disk.name}
            for moment in ("before", "after"):
                queue = json.loads(run.facts("host", moment).read_text())["block"][disk.name]["queue"]
                assert str(queue["read_ahead_kb"]) == now["block.read_ahead_kb"]
            assert "variable-drift" not in {doubt.kind for doubt in manifest.doubts}
