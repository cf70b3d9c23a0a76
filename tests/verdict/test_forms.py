"""Every form of a claim, on figures that make it true, that make it false, and that leave it open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from assay.design.study.claims import Among, Summary, parse_claim, rewritten
from assay.results.stats import Gate
from assay.results.verdict.claims import found
from assay.results.verdict.claims.finding import JudgingContext
from assay.results.verdict.claims.weigh import JudgedPart, weigh
from assay.results.verdict.courses import Course
from assay.results.verdict.decision import whole
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment
from spoken import english

LOADS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)
TREATMENTS = [Treatment(f"a={a}, b={b}", {"a": str(a), "b": b}) for a in (1, 2, 4, 8) for b in ("x", "y")]
Value = Callable[[int, str, float], float]  # of a, b and the load
BLOCKS = 6


def weighed(
    claim: str, value: Value, *, noise: float = 0.002, course: float = 0.0, count: int = BLOCKS
) -> tuple[JudgedPart, ...]:
    """What is said of a claim; all measures have the same values. `course`: growth over the window."""
    random = np.random.default_rng(1)
    levels = ("1", "2", "4", "8")

    def filled_in(node: object) -> object:
        """As a study's reader does: the levels that `other` and `some` mean."""
        if isinstance(node, Among) and node.word != "or":
            return replace(node, levels=levels[1:])
        return node

    parsed = rewritten(parse_claim(claim), filled_in)
    cells = {
        (one.name, load): {
            block: value(int(one.levels["a"]), one.levels["b"], load) * float(np.exp(random.normal(0, noise)))
            for block in range(1, count + 1)
        }
        for one in TREATMENTS
        for load in LOADS
    }
    values = {(term.measure, *cell): blocks for term in parsed.terms for cell, blocks in cells.items()}
    values |= {
        ("cpu_busy_pct", *cell): {block: min(of, 99.0) for block, of in blocks.items()}
        for cell, blocks in cells.items()
    }
    values |= {("qps", *cell): blocks for cell, blocks in cells.items() if ("qps", *cell) not in values}
    seconds = np.arange(60.0)
    growth = np.linspace(1.0, 1.0 + course, seconds.size)
    courses = {
        cell: {
            block: Course(
                seconds,
                np.ones(60),
                of * growth * np.exp(random.normal(0, 0.1 * noise, 60)),
                {"full_pool": 20.0},
            )
            for block, of in blocks.items()
        }
        for cell, blocks in cells.items()
    }
    seen = Observations(values, {}, courses=lambda _: courses)
    judging = JudgingContext(seen, TREATMENTS, LOADS, "threads", 0.95, 0.02)
    return weigh(tuple(found(parsed, judging)), seen, Gate.of(0.95))


def outcome(claim: str, value: Value, *, noise: float = 0.002, course: float = 0.0) -> str:
    return whole([one.part.outcome for one in weighed(claim, value, noise=noise, course=course)])


def by_a(*values: float) -> Value:
    """Values of a = 1, 2, 4, 8."""
    return lambda a, b, load: dict(zip((1, 2, 4, 8), values, strict=True))[a]


def by_load(values: Callable[[float], float]) -> Value:
    return lambda a, b, load: values(load)


def wall(at: float) -> Value:
    return by_load(lambda load: min(load, at))


def walls(x: float, y: float) -> Value:
    """A wall for each of b = x and y."""
    return lambda a, b, load: min(load, x if b == "x" else y)


def collapsing(after: float) -> Value:
    return by_load(lambda load: 100.0 if load <= after else 60.0)


def crossing(at: float) -> Value:
    """b=x leads below `at`, and y above."""
    return lambda a, b, load: 100 * (1.2 if (b == "x") == (load < at) else 1.0)


LEVEL = by_a(100, 100, 100, 100)
RISING, FALLING = by_a(100, 120, 150, 180), by_a(180, 150, 120, 100)
FORMS: list[tuple[str, Value, Value]] = [
    ("tps[a=1] < tps[a=2] < tps[a=4]", RISING, FALLING),
    ("tps[a=2] > tps[a=1] and tps[a=4] ~ tps[a=8]", by_a(100, 120, 150, 150), RISING),
    ("tps[a=2] > tps[a=1] by 10 to 30 %", by_a(100, 120, 1, 1), by_a(100, 150, 1, 1)),
    ("tps[a=2] > tps[a=1] by 2 x", by_a(100, 250, 1, 1), by_a(100, 150, 1, 1)),
    ("tps[a=2] >= tps[a=1]", LEVEL, FALLING),
    ("tps[a=2] <= tps[a=1]", LEVEL, RISING),
    ("tps[a=2] ~ tps[a=1]", LEVEL, RISING),
    ("tps[a=2] !~ tps[a=1]", RISING, LEVEL),
    ("tps[a=2]/tps[a=1] ~ 1.2", RISING, LEVEL),
    ("tps[a=8]/tps[a=4] < tps[a=2]/tps[a=1]", by_a(100, 150, 200, 210), by_a(100, 110, 150, 250)),
    ("tps[a=2] - tps[a=1] > 15", RISING, FALLING),
    ("90 <= tps[a=1] <= 110", LEVEL, by_a(150, 1, 1, 1)),
    ("tps[a=1] >= tps[a=other]", FALLING, RISING),
    ("tps[a=some] > tps[a=1]", by_a(100, 90, 90, 150), by_a(100, 90, 80, 70)),
    ("tps rises over a", RISING, FALLING),
    ("tps falls over a", FALLING, RISING),
    ("tps rises over a by 50 %", RISING, by_a(100, 105, 110, 120)),
    ("tps is flat over a", LEVEL, RISING),
    ("tps rises over threads", by_load(lambda load: load), by_load(lambda load: 1 / load)),
    ("tps is flat over threads at threads >= 16", wall(16), by_load(lambda load: load)),
    ("tps[a=2] > tps[a=1] at some threads >= 16", by_a(100, 120, 1, 1), by_a(120, 100, 1, 1)),
    ("best tps over a = 2|4", by_a(100, 150, 149, 90), by_a(150, 100, 100, 90)),
    ("best tps over a is inside", by_a(100, 150, 100, 90), by_a(150, 100, 100, 90)),
    ("best mean_ms over a is first", RISING, FALLING),
    ("worst tps over a is first", RISING, FALLING),
    ("max tps over a < 200", RISING, by_a(100, 120, 150, 280)),
    ("max tps over threads ~ 64", wall(64), wall(16)),
    ("min tps over a > 90", RISING, by_a(100, 50, 100, 100)),
    ("spread tps over a < 5 %", by_a(100, 101, 102, 100), RISING),
    ("spread tps over a > 20 %", RISING, LEVEL),
    ("knee 95 % tps over threads = 16..32", wall(32), wall(128)),
    ("collapse 10 % tps over threads = 32..64", collapsing(32), collapsing(4)),
    ("knee tps[b=x] over threads < knee tps[b=y] over threads", walls(8, 64), walls(64, 8)),
    ("crossover tps[b=x], tps[b=y] over threads = 16..64", crossing(32), crossing(4)),
    ("tps[a=2] > tps[a=1] in last 30s", RISING, FALLING),
    ("tps[a=2] > tps[a=1] after full_pool", RISING, FALLING),
    ("tps < 200 in every run", RISING, by_a(100, 250, 100, 100)),
]  # fmt: skip


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("claim", "true", "false"), FORMS, ids=[claim for claim, _, _ in FORMS])
def test_a_form_is_supported_refuted_and_left_open(claim: str, true: Value, false: Value) -> None:
    assert outcome(claim, true) == "supported"
    assert outcome(claim, false) == "refuted"
    if "every run" in claim:
        return  # one run tells
    noisy = outcome(claim, true, noise=1.0)
    assert noisy == "undecided"


@pytest.mark.parametrize(("claim", "true"), [(claim, true) for claim, true, _ in FORMS])
def test_a_form_is_undecided_after_one_block(claim: str, true: Value) -> None:
    parts = weighed(claim, true, count=1)
    assert parts
    assert all(one.part.outcome == "undecided" for one in parts) or "every run" in claim


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("claim", "growing", "level"),
    [("tps rises over time", "supported", "refuted"), ("tps is flat over time", "refuted", "supported")],
)
def test_a_course_over_time(claim: str, growing: str, level: str) -> None:
    assert outcome(claim, LEVEL, course=0.5) == growing
    assert outcome(claim, LEVEL) in (level, "undecided")


def test_what_leaves_several_assertions_open_is_named() -> None:
    """One step of three is within the noise: the sentence names it with its figure."""
    (one, *_) = weighed("tps falls over a at threads = 8", by_a(180, 150, 150 * 1.021, 100), noise=0.004)
    assert one.part.outcome == "undecided"
    assert one.part.nearest is not None
    assert one.part.nearest.name == "2 / 4"
    assert "nearest 2 / 4" in english(one.said)


def test_a_tie_is_named() -> None:
    one, *_ = weighed("best tps over a = 2", by_a(100, 150, 150, 90))
    assert one.part.answers == ("2", "4")
    assert "lies at 2 or 4" in english(one.said)
    assert one.part.outcome == "undecided"


def test_a_direction_without_a_size_is_said() -> None:
    (one, *_) = weighed("tps[a=2] > tps[a=1] at threads = 8", by_a(100, 101.6, 1, 1), noise=0.006)
    assert one.part.outcome == "undecided"
    assert "It is more, by a margin that is undecided." in english(one.said)


def test_the_figures_of_a_course_have_their_units() -> None:
    """By turns a tenth above and below: a standard deviation of a tenth, 10.4 per cent of the mean."""
    course = Course(np.arange(120.0), np.ones(120), np.repeat([110.0, 90.0] * 6, 10), {})
    figures = {word: course.summary(Summary(word, 10.0)) for word in ("cv", "sd", "median", "max")}
    assert figures == pytest.approx({"cv": 10.4447, "sd": 10.4447, "median": 100.0, "max": 110.0}, rel=1e-4)
