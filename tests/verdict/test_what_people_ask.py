"""Sentences of people who run servers: shares of runs, worst seconds, hit rates, memory, either … or, parts
of a window, spreads between runs, means over a ladder.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from assay.design.study import parse_claim
from assay.design.study.claims import Summary
from assay.results.stats import Gate, spread_of_runs
from assay.results.verdict.claims import bounds, found
from assay.results.verdict.claims.finding import JudgingContext
from assay.results.verdict.claims.weigh import JudgedPart, weigh
from assay.results.verdict.courses import Course
from assay.results.verdict.decision import InShare, whole
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment
from spoken import english
from test_forms import FALLING, LEVEL, RISING, Value, by_a, by_load, outcome, weighed

TREATMENTS = [Treatment(f"a={a}", {"a": str(a)}) for a in (1, 2)]
Blocks = dict[int, float]


def judged(
    claim: str,
    of: dict[tuple[str, str], list[float]],
    seconds: dict[str, list[float]] | None = None,
    loads: tuple[float, ...] = (8.0,),
) -> tuple[JudgedPart, ...]:
    """What is said of a claim, of values by measure and level of `a`, one a block; `seconds` are the course
    of each run by level.
    """
    values = {
        (measure, f"a={a}", load): dict(enumerate(blocks, start=1))
        for (measure, a), blocks in of.items()
        for load in loads
    }
    courses = {
        (f"a={a}", load): {
            block: Course(
                np.arange(float(len(run))), np.ones(len(run)), np.array(run) * (1 + 0.001 * block), {}
            )
            for block in range(1, 9)
        }
        for a, run in (seconds or {}).items()
        for load in loads
    }
    seen = Observations(values, {}, courses=lambda _: courses)
    judging = JudgingContext(seen, TREATMENTS, loads, "threads", 0.95, 0.02)
    return weigh(tuple(found(parse_claim(claim), judging)), seen, Gate.of(0.95))


def said(*args: object, **given: object) -> str:
    return whole([one.part.outcome for one in judged(*args, **given)])  # type: ignore[arg-type]


FORMS: list[tuple[str, Value, Value]] = [
    ("best tps over a != 1", RISING, FALLING),
    ("best tps over a != 4|8", FALLING, RISING),
    ("tps[a=2] > tps[a=1] or tps[a=4] > tps[a=1]", by_a(100, 80, 120, 1), by_a(100, 80, 90, 1)),
    ("tps[a=2] < tps[a=1] or tps[a=2] > tps[a=1]", by_a(100, 130, 1, 1), by_a(100, 100, 1, 1)),
    ("tps[a=2] > 200 or tps[a=2] < 100 in every run", by_a(1, 90, 1, 1), by_a(1, 150, 1, 1)),
    ("tps[a=2]/tps[a=1] >= 1.1 over threads", by_a(100, 115, 1, 1), by_a(100, 105, 1, 1)),
    ("tps[a=2] > tps[a=1] over threads", by_a(100, 110, 1, 1), by_a(100, 90, 1, 1)),
    ("tps[a=2] > tps[a=1] by 10 % over threads", by_a(100, 115, 1, 1), by_a(100, 105, 1, 1)),
    ("tps[a=2] > 90 over threads", by_a(1, 100, 1, 1), by_a(1, 80, 1, 1)),
    ("tps[b=x] > tps[b=y] over a", lambda a, b, load: 100 + 20 * (b == "x"), LEVEL),
    ("tps[a=2, b=x] >= 90 in 50 % of runs at threads = 8", LEVEL, by_a(1, 80, 1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "true", "false"), FORMS, ids=[claim for claim, _, _ in FORMS])
def test_a_form_is_supported_and_refuted(claim: str, true: Value, false: Value) -> None:
    assert outcome(claim, true) == "supported"
    assert outcome(claim, false) == "refuted"


def test_a_mean_over_a_ladder_is_one_judgement_not_one_at_each_rung() -> None:
    """Less at one rung, more at the others: the ladder as a whole is more."""
    one_low: Value = lambda a, b, load: 100 * (1.0 if a != 2 else 0.9 if load == 8 else 1.3)  # noqa: E731
    assert outcome("tps[a=2]/tps[a=1] >= 1.1", one_low) == "refuted"
    assert outcome("tps[a=2]/tps[a=1] >= 1.1 over threads", one_low) == "supported"
    (x, _) = weighed("tps[a=2]/tps[a=1] >= 1.1 over threads", one_low)
    assert x.part.figure is not None
    assert x.part.figure.value == pytest.approx((0.9 * 1.3**7) ** (1 / 8), rel=0.01)
    assert x.part.load is None


def test_or_is_about_all_that_each_part_speaks_of() -> None:
    """Each part fails somewhere, although at every load point one of them holds."""
    crossing = by_load(lambda load: 120.0 if load < 8 else 80.0)
    assert outcome("tps[a=1] > 100 or tps[a=1] < 100", crossing) == "refuted"
    (one,) = weighed("tps[a=1] > 100 or tps[a=1] < 100 at threads >= 8", crossing)
    assert one.part.outcome == "supported"
    assert "of 2 parts one is enough" in english(one.said)


@pytest.mark.parametrize(
    ("holding", "runs", "percent", "expected"),
    [
        (6, 6, 90, "undecided"),  # six of six may be 54 % of all
        (40, 40, 90, "supported"),
        (36, 40, 90, "undecided"),
        (20, 40, 90, "refuted"),
        (6, 6, 50, "supported"),
        (0, 6, 50, "refuted"),
    ],
)
def test_a_share_of_runs_is_one_of_all_runs(holding: int, runs: int, percent: float, expected: str) -> None:
    values = [40.0] * holding + [60.0] * (runs - holding)
    claim = f"p99_ms[a=1] < 50 ms in {percent} % of runs"
    (one,) = judged(claim, {("p99_ms", "1"): values})
    assert one.part.outcome == expected
    assert f"below 50 ms in {holding} of {runs} runs" in english(one.said)
    if expected == "undecided":
        assert one.part.more_blocks is not None or one.part.too_many_blocks


def test_shares_of_runs_keep_their_level() -> None:
    """A share that is exactly the claim's is wrongly supported, or refuted, in at most 2.5 % of studies."""
    random = np.random.default_rng(5)
    for runs in (10, 40):
        held = random.binomial(runs, 0.9, 2000)
        words = [InShare(int(one), runs, 0.9 + 1e-9).decide(0.95) for one in held]
        assert words.count("supported") / 2000 < 0.025 + 3 * (0.025 * 0.975 / 2000) ** 0.5
        words = [InShare(int(one), runs, 0.9).decide(0.95) for one in held]
        assert words.count("refuted") / 2000 < 0.025 + 3 * (0.025 * 0.975 / 2000) ** 0.5


STEADY, STOPPING = [100.0] * 60, [100.0] * 29 + [0.0] + [100.0] * 30


@pytest.mark.parametrize(
    ("claim", "steady", "stopping"),
    [
        ("tps(min, 1s)[a=1] > 0 in every run", "supported", "refuted"),
        ("tps[a=1](min, 1s) > 0 in every run", "supported", "refuted"),
        ("tps(min, 1s)[a=1] > 90", "supported", "refuted"),
        ("tps(min, 1s)[a=1]/tps[a=1] >= 0.5", "supported", "refuted"),
    ],
)
def test_the_worst_second(claim: str, steady: str, stopping: str) -> None:
    tps = {("tps", "1"): [100.0, 101.0, 99.0, 100.0, 100.5, 99.5, 100.0, 100.2]}
    assert said(claim, tps, {"1": STEADY}) == steady
    assert said(claim, tps, {"1": STOPPING}) == stopping


def test_a_ratio_of_two_measures_at_one_place_is_a_measure() -> None:
    reads, asks = "status.Innodb_buffer_pool_reads", "status.Innodb_buffer_pool_read_requests"
    claim = f"{reads} per query[a=1]/{asks} per query[a=1] < 1 %"
    names = (f"{reads.removeprefix('status.')}_per_query", f"{asks.removeprefix('status.')}_per_query")
    many = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98]
    for share, expected in ((0.005, "supported"), (0.02, "refuted"), (0.0, "supported")):
        of = {(names[0], "1"): [share * one for one in many], (names[1], "1"): [1.0] * 6}
        assert said(claim, of) == expected
    of = {("p99_ms", "1"): [4 * one for one in many], ("p50_ms", "1"): many}
    (one,) = judged("p99_ms[a=1]/p50_ms[a=1] < 5", of)
    assert one.part.outcome == "supported"
    assert "p99_ms of a=1 is 4 times p50_ms of a=1" in english(one.said)
    of = {("tps", "1"): [100 * one for one in many], ("cpu_busy_pct", "1"): [50.0] * 6}
    of |= {("tps", "2"): [150 * one for one in many], ("cpu_busy_pct", "2"): [60.0] * 6}
    assert said("tps[a=2]/cpu_busy_pct[a=2] > tps[a=1]/cpu_busy_pct[a=1]", of) == "supported"
    (one,) = judged("tps[a=1]/cpu_busy_pct[a=1] > 1.5", of)
    assert "tps / cpu_busy_pct of a=1 at 8 threads is 2.00 " in english(one.said)


def test_parts_of_one_window_are_held_against_each_other() -> None:
    claim = "tps[a=1] in last 10s >= tps[a=1] in first 10s"
    tps = {("tps", "1"): [100.0] * 8}
    assert said(claim, tps, {"1": STEADY}) == "supported"
    assert said(claim, tps, {"1": list(np.linspace(120, 90, 60))}) == "refuted"
    (one,) = judged(claim, tps, {"1": list(np.linspace(120, 90, 60))})
    assert "tps in last 10s of a=1 is 0.7" in english(one.said)
    assert (
        said("tps in last 10s/tps in first 10s ~ 0.8", tps, {"1": list(np.linspace(120, 90, 60))})
        == "refuted"
    )
    assert said("tps[a=1] in last 10s < 100", tps, {"1": list(np.linspace(120, 90, 60))}) == "supported"


def test_spreads_of_runs() -> None:
    random = np.random.default_rng(1)
    wide, narrow = ((100 * np.exp(random.normal(0, sd, 20))).tolist() for sd in (0.2, 0.01))
    of = {("tps", "1"): narrow, ("tps", "2"): wide}
    assert said("tps(cv, runs)[a=1] < tps(cv, runs)[a=2]", of) == "supported"
    assert said("tps(cv, runs)[a=2] < tps(cv, runs)[a=1]", of) == "refuted"
    assert said("tps(cv, runs)[a=1] < 5 %", of) == "supported"
    assert said("tps(cv, runs)[a=2] < 5 %", of) == "refuted"
    (one,) = judged("tps(cv, runs)[a=1] < 5 %", of)
    assert one.part.figure is not None
    assert one.part.figure.unit == "%"
    assert one.part.figure.value == pytest.approx(100 * np.std(narrow, ddof=1) / np.mean(narrow), rel=0.1)


def test_the_interval_of_a_spread_holds_its_truth() -> None:
    """The spread of normal runs is held; what six runs have not met is in no spread."""
    random = np.random.default_rng(2)
    for runs in (6, 20):
        found = [
            np.log(spread_of_runs(row.tolist(), relative=True) or [])
            for row in np.exp(random.normal(0, 0.05, (400, runs)))
        ]
        logs = np.array(found)
        half = {6: 2.571, 20: 2.093}[runs] * logs.std(axis=1, ddof=1) / runs**0.5
        held = np.abs(logs.mean(axis=1) - np.log(5)) <= half
        assert 0.90 < held.mean() < 0.985


def test_a_spread_needs_three_runs_that_differ() -> None:
    assert spread_of_runs([1.0, 2.0], relative=True) is None
    assert spread_of_runs([1.0, 1.0, 1.0], relative=True) == [0.0] * 3
    assert spread_of_runs([1.0, 1.0, 1.0, 2.0], relative=True) is None
    assert spread_of_runs([-1.0, -2.0, -4.0], relative=True) is None


def test_min_of_a_course_is_its_least_value() -> None:
    course = Course(np.arange(120.0), np.ones(120), np.repeat([110.0, 90.0] * 6, 10), {})
    assert course.summary(Summary("min", 10.0)) == 90.0


def at_rates(
    p99: dict[float, float], tps: dict[float, float], claim: str, noise: float = 0.001
) -> JudgedPart:
    random = np.random.default_rng(4)
    values = {
        (measure, "a=1", load): {
            block: value * float(np.exp(random.normal(0, noise))) for block in range(1, 7)
        }
        for measure, of in (("p99_ms", p99), ("tps", tps))
        for load, value in of.items()
    }
    judging = JudgingContext(Observations(values, {}), TREATMENTS[:1], tuple(p99), "rate", 0.95, 0.02)
    (one,) = weigh(tuple(found(parse_claim(claim), judging)), judging.seen, Gate.of(0.95))
    return one


P99, CARRIED = {200.0: 5.0, 500.0: 20.0, 1000.0: 80.0}, {200.0: 200.0, 500.0: 500.0, 1000.0: 999.0}


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("max rate with p99_ms[a=1] < 50 >= 500", "supported"),
        ("max rate with p99_ms[a=1] < 50 >= 1000", "refuted"),
        ("max rate with p99_ms[a=1] < 100 >= 1000", "supported"),
        ("max rate with p99_ms[a=1] < 50 < 1000", "supported"),
        ("max rate with p99_ms[a=1] < 50 <= 200", "refuted"),
        ("max rate with p99_ms[a=1] < 50 >= 2000", "refuted"),
        ("max rate with p99_ms[a=1] < 50 at tps >= 400", "supported"),
        ("max rate with p99_ms[a=1] < 50 at tps >= 600", "refuted"),
        ("max tps[a=1] with p99_ms < 50 over rate >= 400", "supported"),
        ("max tps[a=1] with p99_ms < 50 over rate >= 600", "refuted"),
        ("max tps[a=1] with p99_ms < 50 over rate < 600", "supported"),
        ("max rate with p99_ms[a=1] < 20 >= 500", "undecided"),
    ],
)
def test_how_much_there_is_while_an_objective_is_met(claim: str, expected: str) -> None:
    assert at_rates(P99, CARRIED, claim).part.outcome == expected


def test_a_rate_that_was_not_carried_out_does_not_count() -> None:
    claim = "max rate with p99_ms[a=1] < 100 >= 1000"
    assert at_rates(P99, {**CARRIED, 1000.0: 900.0}, claim).part.outcome == "refuted"
    one = at_rates(P99, {**CARRIED, 1000.0: 900.0}, claim)
    assert one.part.figure is not None
    assert one.part.figure.value == 500.0
    assert "max rate with p99_ms of a=1 < 100 ms is 500" in english(one.said)


def test_an_overloaded_point_with_operations_that_never_ended_fails_its_objective() -> None:
    """Its 99th percentile is a lower bound: whatever the true one, the point does not meet the objective."""
    values = {
        (measure, "a=1", load): dict.fromkeys(range(1, 7), value)
        for measure, of in (("p99_ms", P99), ("tps", CARRIED))
        for load, value in of.items()
    }
    seen = Observations(values, {}, at_least={("p99_ms", "a=1", 1000.0): frozenset({1, 2})})
    judging = JudgingContext(seen, TREATMENTS[:1], tuple(P99), "rate", 0.95, 0.02)
    for text, expected in (
        ("max rate with p99_ms < 50 >= 500", "supported"),
        ("max rate with p99_ms < 100 >= 1000", "undecided"),  # it may be any above
        ("max rate with p99_ms < 50, p99_ms > 1 >= 500", "undecided"),
    ):
        claim = parse_claim(text)
        by_claim = [(claim, tuple(found(claim, judging)))]
        weighed = weigh(by_claim[0][1], seen, Gate.of(0.95))
        for cell in bounds.cells(by_claim, seen):
            others = tuple(found(claim, replace(judging, seen=seen.raised(cell))))
            weighed = bounds.agreed(weighed, weigh(others, seen, Gate.of(0.95)), seen)
        (one,) = bounds.without_two_sides(by_claim, weighed, seen)
        assert one.part.outcome == expected, text


def test_an_objective_that_was_not_measured_decides_nothing() -> None:
    one = at_rates({**P99}, {}, "max rate with p99_ms[a=1] < 50 >= 500")
    assert one.part.outcome == "undecided"
