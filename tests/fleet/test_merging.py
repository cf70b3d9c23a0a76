"""Events of generators become those of one load, on one clock."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean, pstdev
from typing import Any, cast, get_args, get_origin, get_type_hints

import msgspec
import pytest
from assay.base.format.event import Connections, Deferred, Pacing, Reading, Ready, Started, UnendedTimes
from assay.base.format.job import Job
from assay.base.tally import decode
from assay.design.folder import (
    Counts,
    Doubt,
    EngineUse,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    KindTally,
    LabelTimes,
    PhaseStart,
    Progress,
)
from assay.measurement.fleet import Generator, Share, sums
from assay.measurement.fleet.conducting import Questions
from assay.measurement.fleet.doubts import fleet_doubts
from assay.measurement.fleet.merging import Merger
from assay.testing import histogram, interval, label_times, run_result

_MS = 10**6


class _Placed:
    """What the merger knows of a generator: its name."""

    def __init__(self, name: str) -> None:
        self.share = Share(name, "here", 1, cast(Job, None))


def _merger(offsets: Mapping[str, int]) -> Merger:
    return Merger([cast(Generator, _Placed(name)) for name in offsets], offsets)


def _hello(epoch_ns: int, **more: Any) -> Hello:
    fields: dict[str, Any] = {
        "build": "release",
        "connections": 2,
        "epoch_monotonic_ns": epoch_ns,
        "epoch_wall_ns": 5,
        "format": 1,
        "pid": 1,
        "seed": 7,
        "threads": 1,
        "version": "1",
        "workload": "w",
    }
    return Hello(**{**fields, **more})


def _hear(merger: Merger, *said: tuple[str, Event]) -> list[Event]:
    return [event for name, one in said for event in merger.hear(name, one)]


def _greeted(offsets: Mapping[str, int] | None = None) -> Merger:
    """Two generators whose epochs are 1 s and, 3 ms later by the coordinator's clock, the second's."""
    merger = _merger(offsets or {"g1": 0, "g2": 3_600 * 10**9})
    _hear(merger, ("g1", _hello(10**9)), ("g2", _hello(3_601 * 10**9 + 3 * _MS)))
    return merger


def test_the_first_word_is_of_all() -> None:
    merger = _merger({"g1": 0, "g2": 0})
    early = Progress(phase="connect", done=1, total=2, unit="connections", elapsed_s=0.1)
    assert _hear(merger, ("g1", _hello(10**9)), ("g1", early)) == []
    hello, progress = _hear(merger, ("g2", _hello(2 * 10**9, build="debug", threads=3, connections=5)))
    assert isinstance(hello, Hello)
    assert isinstance(progress, Progress)
    assert (hello.threads, hello.connections, hello.build) == (4, 7, "debug")
    assert hello.epoch_monotonic_ns == 10**9
    assert (progress.done, progress.total) == (1, 2)


def test_instants_are_of_the_coordinators_clock() -> None:
    merger = _greeted()
    (notice,) = _hear(merger, ("g2", ErrorEvent(kind="server", message="slow", at_ns=4 * _MS, fatal=False)))
    assert isinstance(notice, ErrorEvent)
    assert (notice.at_ns, notice.message) == (7 * _MS, "g2: slow")
    started = [("g1", Started(first_operation_ns=9 * _MS)), ("g2", Started(first_operation_ns=5 * _MS))]
    assert _hear(merger, *started) == [Started(first_operation_ns=8 * _MS)]


def test_an_interval_is_whole_when_all_have_said_it() -> None:
    merger = _greeted()

    def part(index: int, times_ms: list[float], shift_ms: int, **more: Any) -> Interval:
        return interval(
            index=index,
            seconds=0.1,
            start_ns=(index * 100 + 10 - shift_ms) * _MS,
            end_ns=(index * 100 + 110 - shift_ms) * _MS,
            transactions=len(times_ms),
            labels={"transaction": label_times(times_ms)},
            in_flight=2,
            errors={1213: 1},
            **more,
        )

    lateness = Pacing(arrivals=4, prompt=1, lateness=histogram([7]))
    assert _hear(merger, ("g1", part(0, [1.0, 2.0], 0)), ("g1", part(1, [1.0], 0))) == []
    (first,) = _hear(merger, ("g2", part(0, [2.0, 9.0], 3, pacing=lateness)))
    assert isinstance(first, Interval)
    assert (first.start_ns, first.end_ns) == (10 * _MS, 110 * _MS)
    assert (first.transactions, first.in_flight, first.errors) == (4, 4, {1213: 2})
    times = first.labels["transaction"]
    assert times.count == 4
    assert times.response is None
    expected = decode(label_times([1.0, 2.0, 2.0, 9.0]).service)
    assert decode(times.service).counts.tolist() == expected.counts.tolist() == [1, 2, 1]
    assert first.pacing == lateness
    # The second is gone: what waited for it comes without it.
    (second,) = merger.end("g2")
    assert isinstance(second, Interval)
    assert (second.index, second.transactions) == (1, 1)


def test_phases_are_said_once_and_readiness_when_all_are() -> None:
    merger = _greeted()
    phases = [
        (name, PhaseStart(phase="measure", start_ns=start * _MS)) for name, start in (("g1", 9), ("g2", 6))
    ]
    assert _hear(merger, *phases) == [PhaseStart(phase="measure", start_ns=9 * _MS)]
    ready = [
        ("g1", Ready(connections=2, loops=1, engine_sha256="a", max_fds=99)),
        ("g2", Ready(connections=3, loops=2, engine_sha256="b", max_fds=77)),
    ]
    assert _hear(merger, *ready) == [Ready(connections=5, loops=3, engine_sha256=None, max_fds=77)]


def test_a_generator_that_never_logged_in_is_heard() -> None:
    merger = _merger({"g1": 0, "g2": 0})
    fatal = ErrorEvent(kind="connect", message="nobody there", at_ns=5, fatal=True)
    assert _hear(merger, ("g1", fatal), ("g2", fatal)) == []
    said = [*merger.end("g1"), *merger.end("g2")]
    assert [event.message for event in said if isinstance(event, ErrorEvent)] == [
        "g1: nobody there",
        "g2: nobody there",
    ]
    assert merger.heard["g1"].fatal == fatal
    assert merger.result([], whole=False) is None


def test_what_all_doubt_is_said_once() -> None:
    merger = _greeted()
    alike = Doubt(kind="debug-build", message="a debug build", value=1.0, limit=0.0)
    own = Doubt(kind="generator-busy", message="90 % busy", value=0.9, limit=0.8)
    _hear(merger, ("g1", alike), ("g2", alike), ("g2", own))
    assert [doubt.message for doubt in merger.doubts()] == ["a debug build", "g2: 90 % busy"]


def test_results_are_added() -> None:
    merger = _greeted()
    parts = [
        run_result(
            seconds=2.0,
            transactions=count,
            start_ns=start * _MS,
            end_ns=(start + 2000) * _MS,
            connections=Connections(count=connections, min=low, mean=count / connections, max=high),
            mean_in_flight=float(connections),
            mean_think_ms=think,
            complete=True,
        )
        for count, start, connections, low, high, think in (
            (60, 50, 2, 20, 40, 1.0),
            (20, 47, 1, 20, 20, 5.0),
        )
    ]
    _hear(merger, ("g1", parts[0]), ("g2", parts[1]))
    whole = merger.result([], whole=True)
    assert whole is not None
    assert (whole.start_ns, whole.elapsed_s, whole.transactions) == (50 * _MS, 2.0, 80)
    spread = whole.connections
    assert (spread.count, spread.min, spread.max) == (3, 20, 40)
    assert spread.mean == pytest.approx(80 / 3)
    assert (whole.mean_in_flight, whole.mean_think_ms) == (3.0, 2.0)
    assert whole.complete
    cut = merger.result([], whole=False)
    assert cut is not None
    assert not cut.complete


def test_generators_that_are_uneven_or_of_two_builds_are_doubted() -> None:
    merger = _greeted()
    for name, count, build in (("g1", 1000, "a"), ("g2", 500, "b")):
        connections = Connections(count=2, min=count // 2, mean=count / 2, max=count // 2)
        result = run_result(seconds=1.0, transactions=count, connections=connections)
        own = Ready(connections=2, loops=1, engine_sha256=build, max_fds=99)
        _hear(merger, (name, own), (name, result))
    whole = merger.result([], whole=True)
    assert whole is not None
    kinds = {
        doubt.kind: doubt for doubt in fleet_doubts(merger.heard.values(), whole, steady=False, clocks={})
    }
    assert set(kinds) == {"not-steady", "uneven-generators", "mixed-engines"}
    assert kinds["uneven-generators"].value == pytest.approx(500 / 750)
    assert kinds["uneven-generators"].message.startswith("g2: ")
    starved = run_result(connections=Connections(count=4, min=10, mean=60.0, max=90))
    (only,) = fleet_doubts([], starved, steady=True, clocks={})
    assert (only.kind, only.value) == ("starved-connection", pytest.approx(10 / 60))


@pytest.mark.parametrize(
    ("server", "planted", "whose"),
    [
        (10_000, {}, None),
        (9_980, {}, None),
        (9_900, {}, "some were lost"),
        (10_024 + 4 * 5, {}, None),  # goodbyes of four connections, and a lab that samples for four seconds
        (10_100, {}, "other clients of this server"),
        (10_100, {"labels": {"connect": label_times([1.0])}}, None),  # goodbyes that nobody has counted
        (9_900, {"errors": {1213: 8}}, None),
        (9_990, {"abandoned": 4}, None),
    ],
)
def test_statements_of_all_generators_are_those_of_the_server(
    server: int, planted: dict[str, object], whose: str | None
) -> None:
    four = Connections(count=4, min=250, mean=250.0, max=250)
    result = run_result(transactions=1000, connections=four)
    result = msgspec.structs.replace(result, sent_statements=10_000, **planted)
    found = list(fleet_doubts([], result, steady=True, clocks={}, questions=Questions(server, 3.2)))
    assert [doubt.kind for doubt in found] == ([] if whose is None else ["conservation"])
    assert whose is None or whose in found[0].message


def test_a_rate_above_half_of_what_all_generators_reach_is_doubted() -> None:
    result = msgspec.structs.replace(run_result(seconds=2.0), queries=12_000)
    assert not list(fleet_doubts([], result, steady=True, clocks={}, ceiling_qps=12_001))
    (doubt,) = fleet_doubts([], result, steady=True, clocks={}, ceiling_qps=10_000)
    assert (doubt.kind, doubt.value) == ("near-ceiling", pytest.approx(0.6))


def filled(kind: Any, number: int = 7) -> Any:
    """Returns a struct of a type in which no field has its default."""
    known = {int: number, float: number + 0.5}
    text = histogram([number * 1_000_000])
    hints = get_type_hints(kind)
    found = {}
    for place, (name, hint) in enumerate(hints.items()):
        inner = next((one for one in get_args(hint) if one is not type(None)), hint)
        if get_origin(hint) is dict:
            key, value = get_args(hint)
            found[name] = {1213 if key is int else "a": 3 if value is int else filled(value, number)}
        elif inner in known:
            found[name] = known[inner] + place
        elif inner is str:
            found[name] = text
        elif isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            found[name] = filled(inner, number)
    return kind(**found)


@pytest.mark.parametrize(
    ("kind", "merge"),
    [
        (Connections, sums.connections),
        (Deferred, sums.deferred),
        (EngineUse, sums.engine_use),
        (Counts, sums.counts),
        (LabelTimes, sums._times),
        (UnendedTimes, sums._unended),
        (KindTally, sums._kind),
        (Pacing, sums._pacing),
        (Reading, sums._reading),
    ],
)
def test_what_one_generator_tells_is_told_whole_by_the_fleet(kind: Any, merge: Any) -> None:
    """A field that the merging forgets would have its default, and look as if it had been measured."""
    one = filled(kind)
    left = {name for name in kind.__struct_fields__ if getattr(one, name) in (None, 0, {})}
    assert not left, "every field is filled"
    assert merge([one]) == one


def test_the_spread_over_connections_is_that_of_all_of_them() -> None:
    parts = [[10, 30], [100, 300], [7, 7, 7]]
    each = [Connections(count=len(p), min=min(p), max=max(p), mean=fmean(p), stdev=pstdev(p)) for p in parts]
    every = [number for part in parts for number in part]
    merged = sums.connections(each)
    assert (merged.stdev, merged.mean) == (pytest.approx(pstdev(every)), pytest.approx(fmean(every)))
    old = msgspec.structs.replace(each[0], stdev=None)
    assert sums.connections([old, *each[1:]]).stdev is None, "not known of one is not known of all"
