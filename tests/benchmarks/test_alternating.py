from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from assay.base.format.event import EngineUse, LabelTimes
from assay.design.folder import Event, Hello, Interval, PhaseStart
from hdrh.histogram import HdrHistogram

from benchmarks.alternating import Plan, Window, alternated, awaited, figures, share
from benchmarks.child import ContestantFailed, meanwhile

_EPOCH_NS = 5_000_000_000
_MS = 1_000_000
_NAMES = ("on", "off")


def _hello(epoch_ns: int) -> Hello:
    return Hello(
        build="release",
        connections=1,
        epoch_monotonic_ns=epoch_ns,
        epoch_wall_ns=0,
        format=1,
        pid=1,
        seed=1,
        threads=1,
        version="0",
        workload="w",
    )


def _interval(at_ms: int, queries: int, *, phase: str = "measure") -> Interval:
    """An interval of a second; the mean time of its transactions is as many ms as it has queries."""
    times = HdrHistogram(1, 3_600_000_000_000, 3)
    times.record_value(queries * _MS, 2)
    label = LabelTimes(count=2, service=times.encode().decode())
    return msgspec.convert(
        {
            "event": "interval",
            "phase": phase,
            "index": 0,
            "start_ns": at_ms * _MS,
            "end_ns": (at_ms + 1000) * _MS,
            "queries": queries,
            "transactions": queries // 2,
            "engine": msgspec.to_builtins(EngineUse()),
            "labels": {"transaction": msgspec.to_builtins(label)},
            "in_flight": 0,
            "queued": 0,
        },
        Interval,
    )


def _written(path: Path, events: Iterable[Event]) -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    return path


def _window(name: str, turn: int, start_ms: int, end_ms: int, used_s: float = 0.0) -> Window:
    return Window(name, turn, _EPOCH_NS + start_ms * _MS, _EPOCH_NS + end_ms * _MS, used_s)


def test_a_window_has_the_intervals_that_lie_wholly_inside_it(tmp_path: Path) -> None:
    intervals = [_interval(1000 * second, queries) for second, queries in enumerate((10, 20, 900, 40, 60))]
    events = _written(
        tmp_path / "events.jsonl",
        [_hello(_EPOCH_NS), _interval(-1000, 700, phase="warmup"), *intervals],
    )
    windows = [_window("on", 0, -1000, 2990, used_s=0.5), _window("off", 0, 2991, 5000)]
    found = figures(windows, events)
    assert found["on, qps 0"] == 15.0
    assert found["on, tps 0"] == 7.5
    assert found["on, mean_ms 0"] == pytest.approx(15.0, rel=1e-3)
    assert found["off, qps 0"] == 50.0
    assert found["on, used_us 0"] == pytest.approx(0.5 / 3.99 / 15 * 1e6)
    assert share(windows) == pytest.approx(0.5 / (3.99 + 2.009))


def test_a_window_after_the_load_is_no_measurement(tmp_path: Path) -> None:
    events = _written(tmp_path / "events.jsonl", [_hello(_EPOCH_NS), _interval(0, 10)])
    with pytest.raises(ContestantFailed, match="nothing happened"):
        figures([_window("on", 0, 0, 1000), _window("off", 0, 1000, 2000)], events)


def test_each_pair_has_both_in_a_drawn_order_and_each_window_ends_before_the_next_switch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "sample", random.Random(0).sample)
    began_ns = time.monotonic_ns()
    events = _written(
        tmp_path / "events.jsonl",
        [
            _hello(began_ns),
            PhaseStart(phase="warmup", start_ns=0),
            PhaseStart(phase="measure", start_ns=100 * _MS),
        ],
    )
    switched: list[tuple[str, int]] = []
    used = iter(range(100))
    with subprocess.Popen(["sleep", "60"]) as process:
        windows = alternated(
            process,
            events,
            Plan(pairs=3, window_s=0.05),
            _NAMES,
            lambda name: switched.append((name, time.monotonic_ns())),
            lambda: float(next(used)),
        )
        process.kill()
    order = [name for name, _ in switched]
    pairs = {tuple(order[at : at + 2]) for at in (0, 2, 4)}
    assert pairs == {("on", "off"), ("off", "on")}
    assert [(one.name, one.turn) for one in windows] == [
        (name, number // 2) for number, (name, _) in enumerate(switched)
    ]
    turned = [at_ns for _, at_ns in switched]
    assert turned[0] >= began_ns + 90 * _MS, "the measured window is told ahead"
    assert all(at <= one.start_ns <= one.end_ns for at, one in zip(turned, windows, strict=True))
    assert all(one.end_ns <= at for one, at in zip(windows, turned[1:], strict=False))
    assert [one.used_s for one in windows] == [1.0] * 6


def test_what_a_process_never_does_is_not_awaited_beyond_its_end() -> None:
    with subprocess.Popen(["true"]) as process, pytest.raises(ContestantFailed, match="has not begun"):
        awaited(process, lambda: None)


def test_a_process_beside_a_block_says_why_it_failed(tmp_path: Path) -> None:
    said, told = tmp_path / "said", tmp_path / "told"
    command = [
        sys.executable,
        "-c",
        "import sys; print(input()); sys.exit('no server' if sys.argv[1:] else 0)",
    ]
    with meanwhile(command, said, told, stdin=b"a job\n"):
        pass
    assert said.read_text() == "a job\n"
    with (
        pytest.raises(ContestantFailed, match="no server"),
        meanwhile([*command, "x"], said, told, stdin=b"a job\n") as process,
    ):
        awaited(process, lambda: None)


@pytest.mark.parametrize(
    ("command", "code"), [("echo; exec sleep 60", -15), ("trap '' TERM; echo; while :; do :; done", -9)]
)
def test_a_process_that_does_not_end_is_ended(tmp_path: Path, command: str, code: int) -> None:
    said = tmp_path / "said"
    with (
        pytest.raises(ContestantFailed, match="not done"),
        meanwhile(["sh", "-c", command], said, tmp_path / "told", ends_s=0.05) as process,
    ):
        awaited(process, lambda: said.read_text() or None)
    assert process.returncode == code
