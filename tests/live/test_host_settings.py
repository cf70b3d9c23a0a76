"""Studies that change the machine: a disk of their own, a real server on it, everything put back."""

from __future__ import annotations

import json
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_manifest
from forked import Command
from live_command import PATIENCE_S, Finished, wait_for, written
from loop_disk import LoopDisk, loop_disk, why_not

pytestmark = [
    pytest.mark.live,
    pytest.mark.machine,
    pytest.mark.skipif(why_not() is not None, reason=str(why_not())),
]

STUDY = """\
[study]
name = "machine"

[server]
use = "mariadb"
data_dir = "{data_dir}"
numa = "interleave"

[server.variables]
innodb_buffer_pool_size = "32M"
innodb_log_file_size = "16M"

[workload]
use = "oltp_read_write"
table_size = 5_000

[load]
rate = [100]
warmup = "none"
measure = "{measure}"

[host]
block.rq_affinity = 2
mount = "noatime"

[[factor]]
name = "host.block.scheduler"
levels = ["{first}", "{second}"]

[[factor]]
name = "host.block.read_ahead_kb"
levels = [64, 32]

[design]
kind = "one-at-a-time"
blocks = 1
"""


@dataclass
class Place:
    home: Path
    disk: LoopDisk

    @property
    def env(self) -> dict[str, str]:
        return {"ASSAY_HOME": str(self.home)}

    @property
    def results(self) -> ResultsFolder:
        return ResultsFolder(self.home / "results")

    def study(self, measure: str = "2s", **changed: str) -> list[str]:
        first, second, *_ = schedulers(self)
        levels = {"first": first, "second": second, **changed}
        path = self.home / "machine.toml"
        path.write_text(STUDY.format(data_dir=self.disk.path, measure=measure, **levels), encoding="utf-8")
        return ["run", str(path), "--results", str(self.results.path), "--no-report"]

    def state(self) -> list[str]:
        mounted = [
            line for line in Path("/proc/mounts").read_text().splitlines() if str(self.disk.path) in line
        ]
        names = ("scheduler", "read_ahead_kb", "rq_affinity", "nr_requests")
        return [*mounted, *(self.disk.queue(name) for name in names)]


def schedulers(place: Place) -> list[str]:
    return [word.strip("[]") for word in place.disk.queue("scheduler").split()]


def measuring(place: Place) -> bool:
    return written(place.results.runs.glob(".*/rungs/*/events.jsonl"), '"measure"')


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    folder = Path(tempfile.mkdtemp(prefix="machine-"))
    folder.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    with loop_disk(folder, 1 << 30) as disk:
        disk.path.chmod(0o755)
        if len(disk.queue("scheduler").split()) < 2:
            pytest.skip("this kernel offers one scheduler")
        yield Place(home, disk)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.long
def test_a_study_of_the_queue(place: Place, start: Callable[..., Command]) -> None:
    before = place.state()
    lab = start(*place.study("1s"), **place.env)
    try:
        _, said = lab.communicate(timeout=5 * PATIENCE_S)
    finally:
        lab.kill()
    assert lab.returncode == 0, said
    assert place.state() == before
    runs = list(place.results.finished_runs())
    treatments = {read_manifest(run).treatment for run in runs}
    assert treatments == {"baseline", f"scheduler={schedulers(place)[1]}", "read_ahead_kb=32"}
    for run in runs:
        manifest = read_manifest(run)
        now = {entry.knob: entry.now for entry in manifest.host}
        assert {entry.target for entry in manifest.host} == {place.disk.name, str(place.disk.path)}
        assert now["block.rq_affinity"] == "2"
        assert "noatime" in now["mount"].split(",")
        for moment in ("before", "after"):
            facts = json.loads(run.facts("host", moment).read_text())
            queue = facts["block"][place.disk.name]["queue"]
            assert queue["scheduler"] == now["block.scheduler"]
            assert str(queue["read_ahead_kb"]) == now["block.read_ahead_kb"]
            assert "noatime" in facts["file_system"][str(place.disk.path)]["options"]
        assert now["block.read_ahead_kb"] == ("32" if manifest.treatment == "read_ahead_kb=32" else "64")
        assert str(manifest.server["numa"]).startswith("interleave=0")
        assert "variable-drift" not in {doubt.kind for doubt in manifest.doubts}


def test_what_a_killed_study_changed_is_put_back_by_the_next_command(
    place: Place, assay: Callable[..., Finished], start: Callable[..., Command]
) -> None:
    before = place.state()
    shutil.rmtree(place.results.path, ignore_errors=True)
    lab = start(*place.study("30s"), **place.env)
    try:
        wait_for(lambda: measuring(place))
        assert place.state() != before
    finally:
        lab.kill()
        lab.communicate()
    assert place.disk.queue("rq_affinity") == "2"
    swept = assay("server", "list", ASSAY_HOME=str(place.home.with_name("another-home")))
    assert f"put host.block.rq_affinity of {place.disk.name} back to {before[-2]}" in swept.err
    assert place.state() == before
    assay("server", "list", **place.env)  # the server itself is this home's
    assert not [*place.disk.path.glob("assay-*")]


@pytest.mark.long
def test_an_interrupted_study_puts_back_itself(place: Place, start: Callable[..., Command]) -> None:
    before = place.state()
    shutil.rmtree(place.results.path, ignore_errors=True)
    lab = start(*place.study("30s"), **place.env)
    try:
        wait_for(lambda: place.disk.queue("rq_affinity") == "2" and measuring(place))
        lab.send_signal(signal.SIGINT)
        lab.communicate(timeout=PATIENCE_S)
    finally:
        lab.kill()
        lab.communicate()
    assert lab.returncode == 130
    assert place.state() == before


def test_what_is_not_to_be_had_is_said_before_anything_runs(
    place: Place, assay: Callable[..., Finished]
) -> None:
    shutil.rmtree(place.results.path, ignore_errors=True)
    study = place.study(second="mq-dedline")
    said = "does not offer mq-dedline; did you mean"
    ended = assay(*study, **place.env)
    assert (ended.code, said in ended.err) == (6, True)
    assert not place.results.path.exists()
    planned = assay("plan", study[1], **place.env)
    assert (planned.code, said in planned.err) == (6, True)
