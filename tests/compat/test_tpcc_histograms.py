"""What clause 5.6 wants drawn."""

from __future__ import annotations

import io

import pytest
from assay.design.folder import Interval, KindTally
from assay.front.compat.tpcc_mysql import OverTime, print_histograms, tpcc_figures
from assay.testing import builders, kind_tally
from rich.console import Console
from test_tpcc_figures import result


def interval(phase: str, index: int, start_s: float, orders: int) -> Interval:
    kinds = {"new_order": kind_tally([1.0] * orders) if orders else KindTally()}
    start_ns, end_ns = int(start_s * 1e9), int((start_s + 1) * 1e9)
    return builders.interval(kinds, index=index, phase=phase, start_ns=start_ns, end_ns=end_ns)


def test_bins_reach_four_times_the_90th_percentile() -> None:
    orders = kind_tally([10.0] * 90 + [35.0] * 9 + [500.0])
    found = tpcc_figures(result({"new_order": orders}))["response_histograms"]["new_order"]
    assert found["bin_ms"] == pytest.approx(1.0, rel=1e-2)
    assert (len(found["counts"]), sum(found["counts"]), found["beyond"]) == (40, 99, 1)
    assert max(found["counts"]) == 90


def test_think_times_are_of_the_type_that_was_thought_about() -> None:
    thought = kind_tally([4_000.0, 12_000.0, 100_000.0]).times
    assert thought is not None
    found = tpcc_figures(
        result({"new_order": KindTally(think=thought.service), "payment": kind_tally([1.0])})
    )
    histogram = found["think_histograms"]["new_order"]
    assert histogram["mean_ms"] == pytest.approx(38_667, rel=1e-2)
    assert (sum(histogram["counts"]), histogram["beyond"]) == (3, 0)
    assert "payment" not in found["think_histograms"]


def test_throughput_over_time_has_bins_of_at_most_30_s_and_the_warmup_apart() -> None:
    over = OverTime()
    for second in range(-100, 1500):
        phase = "warmup" if second < 0 else "measure"
        over.note(interval(phase, 0, second + 100, 2 if second < 0 else 5))
    bins = over.bins(int(100e9))
    assert {round(one["end_s"] - one["start_s"]) for one in bins} == {30, 10}  # 100 s end with 10
    assert [one["start_s"] for one in bins[:2]] == [-100.0, -70.0]
    assert {one["orders_per_minute"] for one in bins if one["phase"] == "measure"} == {300.0}
    assert {one["orders_per_minute"] for one in bins if one["phase"] == "warmup"} == {120.0}

    short = OverTime()
    for second in range(40):
        short.note(interval("measure", second, second, 1))
    assert len(short.bins(0)) == 20


def test_a_mean_above_the_90th_percentile_is_said() -> None:
    kinds = {
        "payment": kind_tally([10.0] * 95 + [4_000.0] * 5),
        "order_status": kind_tally([10.0] * 99 + [500.0]),
    }
    limits = tpcc_figures(result(kinds))["limits"]
    assert (limits["payment"]["ok"], limits["payment"]["mean_ok"]) == (True, False)
    assert limits["order_status"]["mean_ok"] is True


def test_work_left_for_later_has_its_own_limit_and_no_share_of_the_mix() -> None:
    kinds = {"delivery": kind_tally([1.0] * 10), "delivery_deferred": kind_tally([70_000.0] * 10)}
    found = tpcc_figures(result(kinds))
    assert found["limits"]["delivery_deferred"]["ok"] is True
    shares = {line["name"]: line["value"] for line in found["audit"]}
    assert shares["share of delivery"] == 100.0


def test_histograms_are_printed() -> None:
    found = tpcc_figures(result({"new_order": kind_tally([10.0] * 9 + [500.0])}))
    found["over_time"] = [{"phase": "warmup", "start_s": -1.0, "end_s": 0.0, "orders_per_minute": 30.0}]
    console = Console(file=io.StringIO(), width=120)
    print_histograms(found, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "new_order  response times" in text
    assert "-1.0 (warm-up)" in text
    assert "#" * 50 in text
