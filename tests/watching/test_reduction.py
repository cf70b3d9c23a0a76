"""An interval of the engine, reduced for displays."""

from __future__ import annotations

import pytest
from assay.base.tally import CELLS, decode, merge
from assay.design.folder import WHOLE, Interval, ResultsFolder, read_events
from assay.reporting.live import cells_of, encode_second, is_a_rate, second_of, seconds_of
from assay.system.engine import interval_p95_ms, per_second
from assay.testing import interval as interval_of


@pytest.fixture(scope="module")
def intervals(recording: ResultsFolder) -> list[Interval]:
    rung = next(recording.finished_runs()).rungs()[1]
    return [event for event in read_events(rung.events) if isinstance(event, Interval)]


def test_a_second_has_the_figures_of_its_interval(intervals: list[Interval]) -> None:
    for interval in intervals:
        second = second_of(interval, epoch_wall_ns=5_000_000)
        seconds = (interval.end_ns - interval.start_ns) / 1e9
        assert second.rate == per_second(interval.transactions, seconds)
        assert second.p95_ms == pytest.approx(interval_p95_ms(interval), rel=1e-4)
        assert second.at_ms == 5 + interval.start_ns // 1_000_000
        assert sum(cells_of(second)) == interval.labels[WHOLE].count
        assert second.processors == pytest.approx(
            (interval.engine.user_us + interval.engine.system_us) / 1e6 / seconds, abs=1e-3
        )
        assert len(encode_second(second)) <= 600 < len(interval.labels) * 100


def test_a_full_second_stays_below_600_bytes(intervals: list[Interval]) -> None:
    """All cells in use, every counter large."""
    from assay.reporting.live import Second

    full = Second(
        t_s=28_799.123,
        at_ms=1_795_202_416_290,
        seconds=1.000123,
        phase="measure",
        transactions=123_456,
        queries=2_469_120,
        times_ms=[0.12345, 1.2345, 12.345, 123.45],
        mean_ms=0.23456,
        heat=[0, *[12_345] * CELLS],
        in_flight=1024,
        queued=100_000,
        errors={1213: 12_345, 1205: 12_345},
        failed=12_345,
        processors=12.345,
    )
    assert len(encode_second(full)) <= 600


def test_seconds_together_are_exact(intervals: list[Interval]) -> None:
    """Counts and histograms are added, and the extremes stay."""
    window = [one for one in intervals if one.phase == "measure"]
    (all_of_them,) = seconds_of(window, together=len(window))
    whole = merge([decode(one.labels[WHOLE].service) for one in window])
    assert all_of_them.transactions == sum(one.transactions for one in window)
    assert all_of_them.times_ms == pytest.approx(
        [value / 1e6 for value in whole.percentiles([0.5, 0.95, 0.99, 1.0])], rel=1e-4
    )
    rates = [second_of(one).rate for one in window]
    assert (all_of_them.slowest, all_of_them.fastest) == pytest.approx((min(rates), max(rates)), abs=0.01)


def test_phases_are_not_mixed(intervals: list[Interval]) -> None:
    found = seconds_of(intervals, together=5)
    assert [(one.phase, round(one.seconds)) for one in found] == [
        ("warmup", 2),
        ("measure", 5),
        ("measure", 1),
    ]
    assert sum(one.transactions for one in found) == sum(one.transactions for one in intervals)


@pytest.mark.parametrize(
    ("phase", "seconds", "nominal_s", "drawn"),
    [
        ("measure", 1.0, 1.0, True),
        ("measure", 0.5, 1.0, True),
        ("measure", 0.4, 1.0, False),
        ("measure", 0.1, 0.1, True),
        ("warmup", 0.2, 1.0, False),
        ("drain", 0.055, 1.0, False),
        ("drain", 1.0, 1.0, False),
    ],
)
def test_what_is_too_short_for_a_rate_or_no_load_is_not_drawn(
    phase: str, seconds: float, nominal_s: float, drawn: bool
) -> None:
    assert is_a_rate(interval_of(phase=phase, seconds=seconds), nominal_s) is drawn
