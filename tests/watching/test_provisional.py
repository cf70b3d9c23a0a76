"""Doubts while a study runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from assay.design.folder import Hello, ResultsFolder, Sample
from assay.reporting.live import Doubting, Doubts, EngineEvent, Follower, RungOpened, Sampled
from assay.testing import histogram, interval, label_times, run_result
from assay.testing.results_folder import make_results
from assay.testing.run_folder import Truth
from playing import played


def doubts_of(folder: ResultsFolder, tmp_path: Path) -> list[Doubting]:
    """All that was doubted while the results were played."""
    target = ResultsFolder(tmp_path / "played")
    follower, doubts = Follower(target), Doubts()
    seen: list[Doubting] = []

    def look() -> None:
        for told in follower.read():
            seen.extend(doubts.take(told))

    played(folder, target.path, look)
    assert list(doubts.all.values()) == list({one.key: one for one in seen}.values())
    shutil.rmtree(target.path)
    return seen


def one_run(place: Path, **truth: float) -> ResultsFolder:
    treatments = {"default": {}}
    planted = Truth(measure_s=8, warmup_s=1, **truth)  # type: ignore[arg-type]
    return make_results(place, blocks=1, loads=(8,), treatments=treatments, truth=planted)


def test_nothing_is_doubted_of_a_clean_run(tmp_path: Path) -> None:
    assert doubts_of(one_run(tmp_path / "clean"), tmp_path) == []


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"engine_busy": 0.95}, "generator-busy"),
        ({"lost_time": 0.4}, "littles-law"),
        ({"deadlocks": 5.0}, "error-1213"),
    ],
)
def test_a_planted_fault_is_doubted_while_it_runs(fault: dict[str, float], kind: str, tmp_path: Path) -> None:
    """The doubt appears before the load point is over, and is confirmed at its end."""
    seen = doubts_of(one_run(tmp_path / "faulty", **fault), tmp_path)
    assert {one.kind for one in seen} == {kind}
    assert seen[0].state == "provisional"
    assert seen[-1].state == "confirmed"


def test_what_passes_is_withdrawn() -> None:
    """A generator that was busy at first, and was not over the whole window."""
    doubts = Doubts()
    doubts.take(RungOpened("b01-01-default", "01-threads-8"))
    from assay.design.folder import EngineUse, Hello

    hello = Hello(
        build="release", connections=8, epoch_monotonic_ns=0, epoch_wall_ns=0, format=1, pid=1, seed=1,
        threads=1, version="1", workload="x",
    )  # fmt: skip
    doubts.take(EngineEvent("b01-01-default", "01-threads-8", hello))
    seen = []
    for second in range(30):
        busy = EngineUse(user_us=950_000 if second < 8 else 100_000)
        told = EngineEvent("b01-01-default", "01-threads-8", interval(index=second, engine=busy))
        seen += doubts.take(told)
    assert [one.state for one in seen][:1] == ["provisional"]
    (last,) = doubts.take(RungOpened("b01-01-default", "02-threads-64"))
    assert (last.kind, last.state) == ("generator-busy", "withdrawn")


def test_other_programs_and_swapping_are_doubted() -> None:
    from assay.design.folder import PhaseStart

    run, rung = "b01-01-default", "01-threads-8"
    doubts = Doubts()
    doubts.take(RungOpened(run, rung))
    doubts.take(EngineEvent(run, rung, PhaseStart(phase="measure", start_ns=0)))
    seen = []
    for second in range(1, 12):
        at = second * 1_000_000_000
        used = 1e6 * second
        others = {
            "used_us_total": used, "idle_us_total": used, "irq_us_total": 0.0, "steal_us_total": 0.2 * used,
            "elapsed_us_total": 2 * used, "own_us_total": 0.2 * used, "kernel_us_total": 0.0,
            "processors": 2.0, "program.7.make_us_total": 0.8 * used,
        }  # fmt: skip
        memory = {"swap_in_pages_total": 10.0 * second, "swap_out_pages_total": 0.0}
        for source, values in (("memory", memory), ("others", others)):
            sample = Sample(wall_ns=at, values=values, cost_us=1.0, late_us=1.0)
            seen += doubts.take(Sampled(run, source, sample))
    assert {one.kind for one in seen} == {"foreign-load", "stolen-time", "swapping"}
    (foreign,) = {one.message for one in seen if one.kind == "foreign-load"}
    assert "make" in foreign


@pytest.mark.parametrize(
    ("think_ms", "shared", "state"), [(100.0, False, None), (0.0, False, "confirmed"), (0.0, True, None)]
)
def test_connections_that_think_or_are_shared_lose_no_time(
    think_ms: float, shared: bool, state: str | None
) -> None:
    """Eight connections of which each has 1 ms of work every 101 ms: only the result says why."""
    doubts = Doubts()
    doubts.take(RungOpened("b01-01-default", "01-threads-8"))
    hello = Hello(
        build="release", connections=8, epoch_monotonic_ns=0, epoch_wall_ns=0, format=1, pid=1, seed=1,
        threads=1, version="1", workload="x",
    )  # fmt: skip
    wait = {"wait": histogram([1_000_000] * 79)} if shared else {}
    labels = {"transaction": label_times([1.0] * 79, **wait)}
    seconds = [interval(index=n, labels=labels, transactions=79, in_flight=0) for n in range(10)]
    result = run_result(seconds=10.0, transactions=790, labels=labels, mean_think_ms=think_ms or None)
    seen = []
    for event in (hello, *seconds, result):
        seen += doubts.take(EngineEvent("b01-01-default", "01-threads-8", event))
    seen += doubts.take(RungOpened("b01-01-default", "02-threads-8"))
    found = [one.state for one in seen if one.kind == "littles-law"]
    assert found[-1:] == ([] if state is None else [state])
