"""What a failed device did, from series in which it is planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from assay.design.folder import EngineUse, Hello, Interval, IoBytes, RungEntry
from assay.design.folder.findings import FinderRecord, Moment
from assay.design.study.device_failure import FAILED, REBUILT, REPLACED
from assay.results.store.device_failure import failure_measures
from assay.results.store.rung import Rung

SECOND = 1_000_000_000
EPOCH = 1_700_000_000 * SECOND
BEGIN = 3 * SECOND  # of the window, after a warm-up


def rung(done: Sequence[int], moments: Mapping[str, float], *, block: int = 0) -> Rung:
    """Operations of each second of the window; moments in seconds from its beginning; bytes each."""
    hello = Hello(
        format=1,
        version="0",
        build="release",
        pid=1,
        epoch_wall_ns=EPOCH,
        epoch_monotonic_ns=0,
        seed=1,
        threads=1,
        connections=1,
        workload="storage",
    )
    warm = [_interval("warmup", second, 0, 10**6, block) for second in range(3)]
    measured = [_interval("measure", second, BEGIN, count, block) for second, count in enumerate(done)]
    found = FinderRecord(
        by="device-failure",
        moments=[
            Moment(name=name, at_wall_ns=EPOCH + BEGIN + round(at * SECOND)) for name, at in moments.items()
        ],
    )
    entry = RungEntry(dir="rungs/01-threads-1", kind="threads", load=1.0, status="complete")
    return Rung(1, entry, {}, hello=hello, intervals=[*warm, *measured], found=[found])


def _interval(phase: str, second: int, begin: int, count: int, block: int) -> Interval:
    return Interval(
        transactions=count,
        phase=phase,
        index=second,
        start_ns=begin + second * SECOND,
        end_ns=begin + (second + 1) * SECOND,
        in_flight=0,
        queued=0,
        labels={},
        engine=EngineUse(),
        io_bytes=IoBytes(read=count * block // 4, written=count * block * 3 // 4) if block else None,
    )


def found(one: Rung) -> dict[str, float]:
    return {name: value for name, _, value in failure_measures(one)}


def test_a_planted_dip_is_found_exactly() -> None:
    seconds = [1000] * 10 + [200, 0, 0, 400, 600] + [300] * 5 + [800] * 4
    moments = {FAILED: 10.002, REPLACED: 15.1, REBUILT: 20.3}
    assert found(rung(seconds, moments)) == {
        "healthy_per_s": 1000.0,
        "degraded_per_s": 240.0,
        "rebuilding_per_s": 300.0,
        "rebuilt_per_s": 800.0,
        "dip_pct": 100.0,
        "stall_s": 2.0,
        "rebuild_s": pytest.approx(5.2),
    }


def test_without_a_dip_none_is_found() -> None:
    measured = found(rung([500] * 20, {FAILED: 10.0, REPLACED: 15.0, REBUILT: 18.0}))
    assert measured["dip_pct"] == 0.0
    assert measured["stall_s"] == 0.0
    assert {measured[f"{phase}_per_s"] for phase in ("healthy", "degraded", "rebuilding", "rebuilt")} == {
        500.0
    }


def test_a_load_that_is_faster_afterwards_has_no_dip() -> None:
    assert found(rung([500] * 10 + [700] * 10, {FAILED: 10.0}))["dip_pct"] == 0.0


def test_the_worst_second_is_held_against_the_mean_before() -> None:
    assert found(rung([400, 600] * 5 + [450, 125, 450], {FAILED: 10.0}))["dip_pct"] == pytest.approx(75.0)


def test_a_second_belongs_to_the_phase_of_its_middle() -> None:
    late = found(rung([100] * 3 + [40] + [20] * 3, {FAILED: 3.6}))
    assert (late["healthy_per_s"], late["degraded_per_s"]) == (85.0, 20.0)
    early = found(rung([100] * 3 + [40] + [20] * 3, {FAILED: 3.4}))
    assert (early["healthy_per_s"], early["degraded_per_s"]) == (100.0, 25.0)


def test_phases_that_never_came_are_absent() -> None:
    never_replaced = found(rung([100] * 8, {FAILED: 4.0}))
    assert never_replaced.keys() == {"healthy_per_s", "degraded_per_s", "dip_pct", "stall_s"}
    never_rebuilt = found(rung([100] * 8, {FAILED: 4.0, REPLACED: 6.0}))
    assert never_rebuilt.keys() - never_replaced.keys() == {"rebuilding_per_s"}
    assert found(rung([100] * 8, {})) == {}
    at_once = found(rung([100] * 8, {FAILED: 4.0, REPLACED: 6.0, REBUILT: 6.2}))
    assert "rebuilding_per_s" not in at_once
    assert at_once["rebuild_s"] == pytest.approx(0.2)


def test_files_have_their_bytes_too() -> None:
    measured = found(rung([256] * 4 + [64] * 4, {FAILED: 4.0}, block=16384))
    assert (measured["healthy_mib_per_s"], measured["degraded_mib_per_s"]) == (4.0, 1.0)
