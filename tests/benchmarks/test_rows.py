from __future__ import annotations

from benchmarks.rows import Conditions, Line, Samples
from benchmarks.spread import State, at_most
from benchmarks.wording import checked, figure, mark


def _samples() -> Samples:
    return Samples(
        cell="point_select, 64",
        by_contestant={
            "ours": ({"cpu": 2.0, "rss": 30.0}, {"cpu": 3.0, "rss": 50.0}, None),
            "sysbench": ({"cpu": 8.0}, None, {"cpu": 9.0}),
        },
        conditions=Conditions(1.5, 0.0),
        failures={"sysbench": "error 1461"},
    )


def test_a_ratio_takes_the_pairs_in_which_both_worked() -> None:
    found = Line("", "cpu", "CPU us/query", {"sysbench": at_most(0.55)}).row(_samples())
    assert found.medians == {"ours": 2.5, "sysbench": 8.5}
    (check,) = found.checks
    assert check.value is not None
    assert (check.value.median, check.value.count) == (0.25, 1)
    assert found.state is State.REACHED
    assert "error 1461" in found.note


def test_a_figure_has_its_own_limit_beside_the_ratio() -> None:
    found = Line("", "rss", "MB", {"sysbench": None}, at_most(30.0), "MB").row(_samples())
    ratio, absolute = found.checks
    assert ratio.state is None, "no target, no mark"
    assert checked(ratio) == "not measured x sysbench"
    assert absolute.state is State.SHORT
    assert checked(absolute) == "40.0 MB (30.0 to 50.0), at most 30.0"


def test_what_could_not_be_measured_falls_short() -> None:
    found = Line("", "qps", "queries/s", {"sysbench": at_most(1.0)}).row(_samples())
    assert found.state is State.SHORT


def test_figures_have_three_digits() -> None:
    told = [figure(value) for value in (None, 0.0, 0.0123, 0.456, 7.891, 65.43, 123.4, 65_432.1)]
    assert told == ["-", "0", "0.012", "0.46", "7.89", "65.4", "123", "65 432"]
    assert [mark(None), mark(State.WITHIN_NOISE)] == ["", "~"]
