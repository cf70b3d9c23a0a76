"""Probes of a search for the highest rate: what fails an objective, and a whole search on the null server."""

from __future__ import annotations

import io
import itertools
import json
import os
import signal
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import pytest
from assay.base.errors import InputError, Interrupted
from assay.base.format.event import LabelTimes
from assay.base.format.job import Job
from assay.design.folder import Event, PhaseStart, RunResult
from assay.experiments.bench import Bench, Searched, SearchedStarts
from assay.experiments.bench import rate_search as knee
from assay.experiments.bench.probe import Objective, Probe, Queue, judge
from assay.front.cli.bench_shown import find_rate_shown
from assay.front.cli.search_options import Duration, question
from assay.front.terminal import print_searched
from assay.system.engine.nullserver import null_server
from assay.system.engine.process import JobOutcome
from assay.testing import histogram, interval, run_result
from bench_request import bench
from click import BadParameter
from rich.console import Console

WITHIN_10_MS = Objective(0.99, 10.0)


def window(response_ms: Iterable[float], **counts: int) -> RunResult:
    text = histogram(int(value * 1e6) for value in response_ms)
    labels = {"transaction": LabelTimes(count=1000, service=text, wait=text, response=text)}
    return run_result(labels=labels, **{"transactions": 1000, **counts})


def probed(result: RunResult, queue: Queue | None = None) -> Probe:
    return judge(result, queue or Queue(), WITHIN_10_MS, rate=1000, connections=4)


@pytest.mark.parametrize(("slow", "met"), [(0, True), (10, True), (11, False), (500, False)])
def test_the_share_that_is_too_slow_decides(slow: int, met: bool) -> None:
    probe = probed(window([2.0] * (1000 - slow) + [30.0] * slow))
    assert (probe.beyond, probe.total, probe.met) == (slow, 1000, met)
    assert probe.overload is None


@pytest.mark.parametrize(
    ("counts", "queue", "why"),
    [
        ({"dropped": 3}, Queue(), "3 dropped"),
        ({}, Queue(before=5, after=60), "queue grew to 60"),
        ({"failed": 100}, Queue(), "100 failed"),
        ({"transactions": 0}, Queue(), "nothing ended"),
    ],
)
def test_an_overload_fails_whatever_it_timed(counts: dict[str, int], queue: Queue, why: str) -> None:
    probe = probed(window([1.0] * 1000, **counts), queue)
    assert (probe.met, probe.overload) == (False, why)
    assert probe.beyond == probe.total


@pytest.mark.parametrize("fate", ["abandoned", "failed", "dropped"])
@pytest.mark.parametrize(("count", "met"), [(9, True), (10, True), (11, False), (900, False)])
def test_a_transaction_without_an_end_took_too_long(fate: str, count: int, met: bool) -> None:
    """The server fell silent: those that ended were quick, and say nothing about the others."""
    ended = 1000 - count
    probe = probed(window([1.0] * ended, **{fate: count, "transactions": ended}))
    if probe.overload is None:
        assert (probe.beyond, probe.total, probe.met) == (count, 1000, met)
        assert probe.quantile_at_least is not met
    else:
        assert not probe.met


def test_a_queue_that_only_wobbles_is_no_overload() -> None:
    assert probed(window([1.0] * 1000), Queue(before=10, after=30)).met


def test_the_queue_is_read_at_the_ends_of_the_window() -> None:
    queue = Queue()
    for phase, queued in (("warmup", 3), ("warmup", 7), ("measure", 50), ("measure", 9), ("drain", 0)):
        queue.heard(interval(phase=phase, queued=queued))
    assert (queue.before, queue.after) == (7, 9)


@pytest.mark.parametrize(("text", "ms"), [("10ms", 10), ("1.5s", 1500), ("500us", 0.5), ("2 ms", 2)])
def test_times_have_units(text: str, ms: float) -> None:
    assert Duration().convert(text, None, None) == pytest.approx(ms)


@pytest.mark.parametrize("text", ["10", "ms", "0ms", "-1ms", "10m"])
def test_others_are_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="10ms"):
        Duration().convert(text, None, None)


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ({"find_rate": True}, "--p99 10ms"),
        ({"find_rate": True, "p95": 5.0, "p99": 10.0}, "--p99 10ms"),
        ({"find_rate": False, "p99": 10.0}, "--find-rate"),
        ({"find_rate": False, "probes": 10}, "--find-rate"),
    ],
)
def test_questions_that_are_none(said: dict[str, object], hint: str) -> None:
    with pytest.raises(InputError) as caught:
        question(**said)
    assert hint in (caught.value.hint or "")


def test_a_search_on_the_null_server(capsys: pytest.CaptureFixture[str]) -> None:
    asked = question(find_rate=True, p95=20.0, probes=4, probe_time=0.5)
    assert asked is not None
    with null_server("unix", arguments=("--delay", "constant:2ms")) as target:
        sought = bench(target.socket)
        find_rate_shown(sought, lambda: nullcontext(sought), asked, restarted=False, as_json=True)

    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["objective"] == {"share": 0.95, "limit_ms": 20.0}
    assert 0 < found["capacity_tps"] <= 1000  # two connections of at least 2 ms
    assert 1 <= len(found["probes"]) <= 4
    assert {"rate", "achieved", "quantile_ms", "queue_after", "met"} <= found["probes"][0].keys()
    assert "p95 ≤ 20 ms" in said.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_probes_until_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    asked = question(find_rate=True, p95=20.0, probes=9, probe_time=0.5)
    assert asked is not None
    measure, windows = knee.run_job, itertools.count(1)

    def third_is_interrupted(job: Job, *, on_event: Callable[[Event], None], **rest: Any) -> JobOutcome:
        window = next(windows)

        def hear(event: Event) -> None:
            if window == 3 and isinstance(event, PhaseStart):
                os.kill(os.getpid(), number)
            on_event(event)

        return measure(job, on_event=hear, **rest)

    monkeypatch.setattr(knee, "run_job", third_is_interrupted)
    with null_server("unix", arguments=("--delay", "constant:2ms")) as target:
        sought = bench(target.socket)
        with pytest.raises(Interrupted, match="measured until then"):
            find_rate_shown(sought, lambda: nullcontext(sought), asked, restarted=False, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert (len(found["probes"]), found["complete"]) == (1, False)


@pytest.mark.long
def test_starts_are_searched_one_after_another_and_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    asked = question(find_rate=True, p95=20.0, probes=3, probe_time=0.5, starts=2)
    assert asked is not None
    begun = []
    with null_server("unix", arguments=("--delay", "constant:2ms")) as target:
        sought = bench(target.socket)

        def start() -> AbstractContextManager[Bench]:
            begun.append(len(begun))
            return nullcontext(sought)

        find_rate_shown(sought, start, asked, restarted=False, as_json=True)
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert begun == [0, 1]
    assert len(found["starts"]) == 2
    assert (found["restarted"], found["complete"]) == (False, True)
    assert "Start 2 of 2, about" in said.err


class Knee(NamedTuple):
    rate: float | None
    low: float | None = None
    high: float | None = None
    end: str = "precise"


def over_starts(*found: Knee) -> SearchedStarts:
    asked = question(find_rate=True, p99=10.0)
    assert asked is not None
    searches = [Searched(bench("/x"), asked, 1000.0, knee, [], complete=True) for knee in found]
    return SearchedStarts(searches, len(found), restarted=True)


def test_the_interval_is_over_starts_and_not_of_their_windows() -> None:
    """Three starts whose own intervals are ten times narrower than they differ."""
    rates = (800.0, 900.0, 1000.0)
    found = over_starts(*(Knee(rate, rate * 0.995, rate * 1.005) for rate in rates)).found
    assert found.rate == pytest.approx(720_000_000 ** (1 / 3))
    assert found.low is not None
    assert found.high is not None
    assert found.low < 700
    assert found.high > 1100


def test_one_start_has_its_own_answer() -> None:
    assert over_starts(Knee(800, 790, 810)).found == (800, 790, 810, "precise")


def test_a_start_without_a_rate_leaves_the_whole_open() -> None:
    searched = over_starts(Knee(800, 790, 810), Knee(None, None, 40, "never-met"))
    assert (searched.found.rate, searched.found.end) == (None, "never-met")
    shown = io.StringIO()
    print_searched(searched, Console(file=shown, width=200))
    assert "was met at no rate tried in 1 of 2 starts" in shown.getvalue()
    assert searched.record()["starts"][0]["rate"] == 800
