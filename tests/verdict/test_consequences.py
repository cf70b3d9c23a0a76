"""The word for what a kind of doubt can do is right, where doubts are planted whose word follows from how
they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from assay.design.study import Study, load_study
from assay.results.stats import Gate
from assay.results.verdict import Consequence, DoubtNote
from assay.results.verdict.claims import judge_hypotheses, judged_again
from assay.results.verdict.consequence.counting import consequences
from assay.results.verdict.observations import Observations
from assay.results.verdict.results import Severity
from assay.results.verdict.treatments import Treatment
from assay.testing.results_folder import STUDY_TOML

ONE, FOUR = "innodb_purge_threads=1", "innodb_purge_threads=4"
FACTOR = "server.variables.innodb_purge_threads"
TREATMENTS = tuple(Treatment(f"innodb_purge_threads={level}", {FACTOR: level}) for level in ("1", "4"))
LOADS = (8.0, 64.0)
MORE = f"tps[{FOUR}] > tps[{ONE}]"
RATIO = f"tps[{FOUR}]/tps[{ONE}] >= 1.5"
SAME = f"tps[{FOUR}] ~ tps[{ONE}]"
FAST, SLOW = f"p95_ms[{FOUR}] < 20", f"p95_ms[{FOUR}] > 5"
CHEAP = f"server_cpu_us_per_query[{FOUR}] < server_cpu_us_per_query[{ONE}]"
EVERY = f"tps[{FOUR}] > 1000 in every run"
AT_ONE_LOAD = f"tps[{FOUR}, threads=64] > tps[{ONE}, threads=64]"

Facts = Mapping[str, str | int | float]
HEAVY = ("torn-block", "other-measurement", "starved-connection", "variable-drift", "conservation")
"""Kinds of which nobody knows how much they change."""
SHARES = ("stolen-time", "foreign-load", "generator-share", "watched")
"""Kinds that say which share of the processors the server did not get."""


@dataclass(frozen=True)
class Planted:
    """One planted study: the ratio of the treatments' throughput in each block, the doubted blocks, and the
    word that must come out.
    """

    claim: str
    kind: str
    word: str
    ratios: Sequence[float]
    doubted: Sequence[int]  # blocks, from 1
    of: tuple[str, ...] = (ONE, FOUR)
    facts: Facts | None = None
    loads: tuple[float, ...] = LOADS
    severity: Severity = "warning"
    left_out: bool = False


def planted() -> Iterator[Planted]:
    effect, nothing = [1.3] * 12, [1.3] * 8 + [1.0] * 6
    everywhere = range(1, 13)
    for kind in HEAVY:
        # The doubted blocks alone carry the effect; they carry none of their own; no block is without.
        yield Planted(MORE, kind, "could-turn", nothing, range(1, 9))
        yield Planted(MORE, kind, "cannot-turn", effect, range(1, 5))
        yield Planted(MORE, kind, "cannot-turn", effect[:8], range(1, 5))  # four are left: a strong effect
        yield Planted(MORE, kind, "could-turn", effect, everywhere)
    for number, kind in enumerate(SHARES):
        # The ratio is 2 and its limit 1.5: without a quarter of the machine the baseline could do as much.
        limit, two = 0.25, [2.0] * 12
        yield Planted(
            RATIO, kind, "cannot-turn", two, everywhere, facts={"value": limit * (0.3 + 0.1 * number)}
        )
        yield Planted(
            RATIO, kind, "could-turn", two, everywhere, facts={"value": limit * (1.2 + 0.3 * number)}
        )
        # What takes from the winning side alone cannot be why it wins.
        yield Planted(RATIO, kind, "cannot-turn", two, everywhere, of=(FOUR,), facts={"value": 0.9})
        yield Planted(RATIO, kind, "could-turn", two, everywhere, of=(ONE,), facts={"value": 0.9})
    ten_ms = effect  # the 95th percentile of FOUR is 10 ms
    for size, word in ((0.05, "cannot-turn"), (0.4, "could-turn")):
        # Each of the 20 answers of a transaction waits for so many ms.
        late = {"reading_lateness_p99_ms": size}
        yield Planted(SLOW, "late-reading", word, ten_ms, everywhere, facts=late)
        yield Planted(FAST, "late-reading", "cannot-turn", ten_ms, everywhere, facts=late)
    # The generator was the limit, nobody knows how much: of the faster side, or of the slower one.
    yield Planted(MORE, "generator-busy", "cannot-turn", effect, everywhere, of=(FOUR,))
    yield Planted(MORE, "generator-busy", "could-turn", effect, everywhere, of=(ONE,))
    yield Planted(SAME, "unsteady", "cannot-turn", [1.0] * 12, everywhere, facts={"change": -0.003})
    yield Planted(SAME, "unsteady", "could-turn", [1.0] * 12, everywhere, facts={"change": -0.03})
    yield Planted(EVERY, "stalled", "cannot-turn", effect, everywhere, facts={"part": 0.2})
    # Of measures and places that no claim is about.
    yield Planted(MORE, "samples-missing", "cannot-turn", effect, everywhere)
    yield Planted(CHEAP, "samples-missing", "could-turn", effect, everywhere)
    yield Planted(CHEAP, "late-reading", "cannot-turn", effect, everywhere)
    yield Planted(AT_ONE_LOAD, "torn-block", "cannot-turn", effect, everywhere, loads=(8.0,))
    yield Planted(AT_ONE_LOAD, "torn-block", "could-turn", effect, everywhere, loads=(64.0,))
    # Values that a doubt makes invalid are not there: too few are left, or enough.
    yield Planted(
        MORE, "lost-figures", "has-turned", effect[:8], range(1, 5), severity="invalid", left_out=True
    )
    yield Planted(MORE, "lost-figures", "cannot-turn", effect, range(1, 5), severity="invalid", left_out=True)
    # Two noisy blocks leave it open; without them it is decided.
    noisy = [1.3] * 10 + [0.3, 3.0]
    yield Planted(MORE, "torn-block", "has-turned", noisy, (11, 12))
    yield Planted(MORE, "torn-block", "cannot-turn", noisy, (1, 2))


@cache
def study_of(claim: str, folder: Path) -> Study:
    file = folder / "study.toml"
    head = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", str([int(load) for load in LOADS]))
    file.write_text(f"{head}[[hypothesis]]\nclaim = '{claim}'\n", encoding="utf-8")
    return load_study(file)


def observations(case: Planted) -> Observations:
    """A baseline of 1,000 transactions a second in each block, with noise of 0.5 %."""
    random = np.random.default_rng(3)
    values: dict[tuple[str, str, float], dict[int, float]] = {}
    left_out: dict[tuple[str, float], dict[int, tuple[str, ...]]] = {}
    for load in LOADS:
        for name in (ONE, FOUR):
            for block, ratio in enumerate(case.ratios, start=1):
                if case.left_out and block in case.doubted:
                    left_out.setdefault((name, load), {})[block] = (case.kind,)
                    continue
                tps = 1000 * (ratio if name == FOUR else 1.0) * float(np.exp(random.normal(0, 0.005)))
                made = {
                    "tps": tps,
                    "qps": 20 * tps,
                    "mean_ms": 1e3 * load / tps,
                    "p95_ms": 13e3 / tps,
                    "server_cpu_us_per_query": 1e5 / tps,
                }
                for measure, value in made.items():
                    values.setdefault((measure, name, load), {})[block] = value
    return Observations(values, {"tps": "/s", "p95_ms": "ms"}, left_out=left_out)


def rows(case: Planted, folder: Path) -> tuple[Consequence, ...]:
    study, seen, gate = study_of(case.claim, folder), observations(case), Gate.of(0.95)
    runs = {
        f"b{block}-{name}": (name, block) for name in (ONE, FOUR) for block in range(1, len(case.ratios) + 1)
    }
    notes = [
        DoubtNote(case.kind, "said", run, load, case.severity, case.facts or {})
        for run, (name, block) in runs.items()
        if name in case.of and block in case.doubted
        for load in case.loads
    ]
    verdicts = tuple(judge_hypotheses(study, seen, TREATMENTS, LOADS, gate))
    return consequences(
        study,
        notes,
        verdicts,
        seen,
        {run: (name, block) for run, (name, block) in runs.items()},
        gate,
        lambda one, other, needed: judged_again(study, one, other, TREATMENTS, LOADS, needed),
    )


def test_the_word_is_right_wherever_a_doubt_is_planted(tmp_path: Path) -> None:
    cases = list(planted())
    assert len(cases) >= 40
    assert {case.word for case in cases} == {"cannot-turn", "could-turn", "has-turned"}
    for number, case in enumerate(cases):
        (row,) = rows(case, tmp_path)
        assert row.word == case.word, (number, case, row.why)
        assert row.claims == (() if case.word == "cannot-turn" else (1,))
        assert row.runs == len(case.of) * len(case.doubted)
