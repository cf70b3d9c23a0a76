"""The sources of a profile window: who watches when, and what becomes of one that fails."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from assay.base import clock
from assay.base.errors import HostError
from assay.design.folder import (
    Damaged,
    Function,
    Hello,
    ObjectFile,
    PhaseStart,
    ProfileFolder,
    ProfileSource,
    RunFolder,
    SampledStack,
    StackProfile,
    ThreadName,
    read_packed,
    write_packed,
)
from assay.measurement.run.profile.stages import BEGINNING_S, Stages
from assay.measurement.run.profile.watcher import Stage, Unprepared, Watched, missing

BEGINS = cast("PhaseStart", PhaseStart(phase="measure", start_ns=0))


@dataclass
class Planted(Unprepared):
    """A source that says what it was asked for, and fails where it is told to."""

    source: str
    stage: Stage = "main"
    fails: str = ""
    steps: list[str] = field(default_factory=list)

    def begin(self, watched: Watched) -> None:
        self._step("begin")

    def end(self) -> None:
        self._step("end")

    def read(self, watched: Watched) -> ProfileSource:
        self._step("read")
        return ProfileSource(read={"seen": 7.0})

    def _step(self, name: str) -> None:
        self.steps.append(name)
        if name == self.fails:
            raise {"begin": HostError("no right", hint="be root"), "end": OSError(5, "broken")}.get(
                name, ValueError("no number")
            )


def watched(tmp_path: Path) -> Watched:
    return Watched(cast("Any", None), ProfileFolder(tmp_path), None, missing("elsewhere"), 99)


def test_sources_watch_in_their_stages_and_one_that_fails_says_why(tmp_path: Path) -> None:
    said: list[str] = []
    planted = [
        Planted("works", steps=said),
        Planted("refused", fails="begin"),
        Planted("breaks", fails="end"),
        Planted("garbled", fails="read"),
        Planted("last", "tail", steps=said),
    ]
    stages = Stages(watched(tmp_path), planted, 0.02, lambda: said.append("seen"))
    assert stages.load_s == pytest.approx(2 * (BEGINNING_S + 0.02))
    stages.hear(BEGINS)
    stages.hear(BEGINS)  # of another generator
    deadline = time.monotonic() + 10
    while "seen" not in said and time.monotonic() < deadline:
        time.sleep(0.005)
    stages.close()
    main, tail = stages.bounds["main"], stages.bounds["tail"]
    assert main.end_wall_ns - main.begin_wall_ns >= 20_000_000
    assert main.end_wall_ns <= tail.begin_wall_ns
    assert not main.cut
    found = stages.read()
    assert said == ["begin", "end", "begin", "end", "seen", "read", "read"]
    assert planted[1].steps == ["begin"]
    assert planted[2].steps == ["begin", "end"]
    assert found["works"] == found["last"] == ProfileSource(read={"seen": 7.0})
    assert (found["refused"].missing, found["refused"].remedy) == ("no right", "be root")
    assert (found["breaks"].missing, found["garbled"].missing) == ("broken", "no number")


def test_nothing_is_watched_before_the_window_that_the_engine_announces(tmp_path: Path) -> None:
    stages = Stages(watched(tmp_path), [Planted("works")], 0.01)
    epoch_ns = clock.wall_ns() + 50_000_000
    stages.hear(
        Hello(
            build="quick", connections=1, epoch_monotonic_ns=0, epoch_wall_ns=epoch_ns, format=1, pid=1,
            seed=1, threads=1, version="1", workload="oltp_read_only",
        )
    )  # fmt: skip
    stages.hear(PhaseStart(phase="measure", start_ns=100_000_000))
    deadline = time.monotonic() + 10
    while not stages.bounds and time.monotonic() < deadline:
        time.sleep(0.005)
    stages.close()
    assert stages.bounds["main"].begin_wall_ns >= epoch_ns + 100_000_000


def test_a_load_that_ends_early_cuts_the_stretch_and_leaves_later_sources_out(tmp_path: Path) -> None:
    planted = [Planted("works"), Planted("last", "tail")]
    ended: list[str] = []
    stages = Stages(watched(tmp_path), planted, 60.0, lambda: ended.append("a load that is over"))
    stages.hear(BEGINS)
    while "begin" not in planted[0].steps:
        time.sleep(0.001)
    stages.close()
    found = stages.read()
    assert stages.bounds["main"].cut
    assert not ended
    assert found["works"].missing is None
    assert found["last"].missing == "the load ended before this source could begin"


def test_what_a_source_wrote_is_read_back_and_damage_is_said(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    folder = run.rung(1, "threads", 8).profile
    assert read_packed(folder, "stacks", StackProfile) is None
    folder.path.mkdir(parents=True)
    seen = StackProfile(
        period_ns=1_001_001,
        threads=[ThreadName("connection", 8)],
        objects=[ObjectFile("mariadbd", "ab12")],
        functions=[Function("mariadbd+0x10", 0, False)],
        stacks=[SampledStack(0, [0, 0], 3), SampledStack(0, [0], 4)],
    )
    write_packed(folder, "stacks", seen)
    assert read_packed(folder, "stacks", StackProfile) == seen
    assert seen.samples == 7
    content = folder.packed("stacks").read_bytes()
    for broken in (content[:-9], b"x" + content[1:]):
        folder.packed("stacks").path.write_bytes(broken)
        with pytest.raises(Damaged):
            read_packed(folder, "stacks", StackProfile)


@dataclass
class Prepared(Planted):
    """A source that begins early."""

    def prepare(self, watched: Watched) -> None:
        if self.fails == "prepare":
            raise HostError("no program")
        self._step("prepare")

    def abandon(self) -> None:
        self._step("abandon")


def test_what_was_prepared_for_a_load_that_never_came_is_ended(tmp_path: Path) -> None:
    early, refused = Prepared("early"), Prepared("refused", fails="prepare")
    stages = Stages(watched(tmp_path), [early, refused], 0.02)
    stages.prepare()
    stages.close()
    assert early.steps == ["prepare", "abandon"]
    assert "begin" not in refused.steps
    said = stages.read()
    assert said["early"].missing == "the load ended before this source could begin"
    assert said["refused"].missing == "no program"
