"""No duration comes from the wall clock, which somebody may set while a run goes on."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from pathlib import Path

import assay
import pytest
from assay.base import clock
from assay.design.folder import Hello, Interval
from assay.measurement.run.experiments.background_load import BackgroundLoad
from assay.measurement.run.experiments.heartbeat import Heartbeat
from assay.measurement.run.one_run import _clock_was_set
from assay.testing.builders import interval

ROOT = Path(assay.__file__).parent
MEASURING = ("run", "fleet", "host", "bench", "calibration", "dataset", "source", "server", "engine", "live")
#: How long ago files were left, and runs of earlier processes ended: before this machine started, perhaps.
SINCE_ANOTHER_PROCESS = {
    ("run/execute.py", "clear_away"),
    ("run/hosts/execute.py", "clear_away"),
    ("fleet/agents/hosted.py", "oldest"),
    ("fleet/agents/hosted.py", "path"),
}


def wall_readings(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Each reading of the wall clock, with the name of what it goes to: an argument, a call, a variable."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="time"), attr="time" | "time_ns"):
                pass
            case ast.Attribute(value=ast.Name(id="datetime"), attr="now"):
                pass
            case _:
                continue
        above: ast.AST = node
        gone_to = ""
        while above in parents and not gone_to:
            above = parents[above]
            match above:
                case ast.keyword(arg="default_factory"):
                    pass
                case ast.keyword(arg=str(name)) | ast.AnnAssign(target=ast.Name(id=name)):
                    gone_to = name
                case ast.Assign(targets=[ast.Name(id=name)]):
                    gone_to = name
                case ast.Call(func=ast.Attribute(attr=name)) if name not in ("time", "time_ns", "now"):
                    gone_to = name
                case _:
                    pass
        yield node, gone_to


def test_measuring_code_reads_the_wall_clock_for_labels_alone() -> None:
    wrong = []
    for room in MEASURING:
        for file in sorted((ROOT / room).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            text = file.read_text(encoding="utf-8")
            for node, gone_to in wall_readings(ast.parse(text)) if "time.time" in text else ():
                is_label = gone_to.endswith(("_wall_ns", "_wall_s"))
                if not is_label and (name, gone_to) not in SINCE_ANOTHER_PROCESS:
                    wrong.append(f"{name}:{node.lineno} {gone_to}")  # type: ignore[attr-defined]
    assert wrong == []


@pytest.fixture
def set_forward(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The wall clock is set forward by an hour while a run goes on."""
    clock.follow_wall()
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 3_600 * 10**9)
    yield
    monkeypatch.undo()
    clock.follow_wall()


def test_times_of_a_run_go_on_when_the_wall_clock_is_set(set_forward: None) -> None:
    before, at = clock.wall_ns(), time.monotonic_ns()
    assert 0 <= clock.wall_ns() - before < 60 * 10**9
    assert abs(clock.wall_of(at) - before) < 60 * 10**9
    (doubt,) = _clock_was_set()
    assert (doubt.kind, round(doubt.value or 0)) == ("clock-set", 3_600)
    clock.follow_wall()
    assert list(_clock_was_set()) == []
    assert clock.wall_ns() - before > 3_500 * 10**9


def test_an_experiment_finds_its_load_s_intervals_by_the_engine_s_clock(set_forward: None) -> None:
    """The engine began after the wall clock was set: its epoch is an hour away there, and not here."""
    at = time.monotonic_ns()
    load, heart = BackgroundLoad(), Heartbeat(seen=[{}])
    load.hear(
        Hello(
            format=1, version="1", build="release", pid=1, seed=1, threads=1, connections=1, workload="w",
            epoch_wall_ns=time.time_ns(), epoch_monotonic_ns=at,
        )
    )  # fmt: skip
    second: Interval = interval(seconds=1.0)
    load.hear(second)
    started = clock.wall_of(at)
    assert len(load.tps(started, started + 10**9)) == 1
    heart.sent[1], heart.seen[0][1] = started, started + 5 * 10**6
    assert heart.lags_ms(started, started + 1) == [(started, 5.0)]
