"""The word for what a kind of doubt can do is right, where doubts are planted whose word follows from how
they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from assay.base.errors import InputError
from assay.design.study import Study, load_study
from assay.experiments.lab.known_doubts import known_kinds, with_known_doubts
from assay.reporting.report.doubts_said import doubts_sentence, said_of
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.stats import Gate
from assay.results.verdict import KINDS_OF_DOUBT, Consequence, DoubtNote, with_known
from assay.results.verdict.claims import judge_hypotheses, judged_again
from assay.results.verdict.consequence.counting import consequences
from assay.results.verdict.observations import Observations
from assay.results.verdict.results import Results, Severity
from assay.results.verdict.treatments import Treatment
from assay.system.host import Machine
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
SHARES = ("stolen-time", "foreign-load", "generator-share", "quick-build", "watched")
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
    two = [2.0] * 12
    for number, kind in enumerate(SHARES):
        # The ratio is 2 and its limit 1.5: without a quarter of the machine the baseline could do as much.
        limit = 0.25
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
    for size, word in ((0.05, "cannot-turn"), (0.2, "cannot-turn"), (0.4, "could-turn")):
        # Each of the 20 answers of a transaction waits for so many ms.
        late = {"reading_lateness_p99_ms": size}
        yield Planted(SLOW, "late-reading", word, ten_ms, everywhere, facts=late)
        yield Planted(FAST, "late-reading", "cannot-turn", ten_ms, everywhere, facts=late)
    # A mean of 8 ms is that of the baseline with 8 threads: half of it is time that the server had for more.
    for size, word in ((0.05, "cannot-turn"), (0.2, "could-turn")):
        late = {"reading_lateness_p99_ms": size}
        yield Planted(RATIO, "late-reading", word, two, everywhere, of=(ONE,), facts=late)
    # The doubted blocks alone carry the effect, though the doubt says that it is small.
    yield Planted(MORE, "stolen-time", "could-turn", nothing, range(1, 9), facts={"value": 0.01})
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


def test_every_kind_of_doubt_declares_what_it_can_do() -> None:
    words = load_words("en")
    named = {key.removeprefix("doubt.") for key in sorted(words.keys()) if key.startswith("doubt.")}
    assert named <= {*KINDS_OF_DOUBT}


def test_an_accepted_kind_is_counted_and_is_said_where_it_could_turn_a_claim(tmp_path: Path) -> None:
    """In both languages; what no claim can be turned by is a number of kinds."""
    harmless = Planted(RATIO, "stolen-time", "", [2.0] * 12, range(1, 13), facts={"value": 0.1})
    for facts, said in (
        (
            {"value": 0.1},
            ("1 kind of warning, which cannot turn a verdict.", "1 类警告，均不会改变任何裁决。"),
        ),
        ({"value": 0.6}, ("stolen time could turn claim 1", "可能改变第 1 条假设的裁决")),
    ):
        found = rows(replace(harmless, facts=facts), tmp_path)
        (row,) = found
        assert row.of_machine
        results = _results(found)
        known = with_known(results, ["stolen-time"])
        for words, phrase in zip(map(load_words, LANGUAGES), said, strict=True):
            assert phrase in doubts_sentence(words, results)
            accepted = doubts_sentence(words, known)
            assert (phrase in accepted) == bool(row.claims)
            assert words("doubt.stolen-time") in accepted
            assert said_of(words, row) in phrase or not row.claims


def _results(found: tuple[Consequence, ...]) -> Results:
    nothing: dict[str, Any] = dict.fromkeys(
        ("treatments", "loads", "estimates", "comparisons", "hypotheses", "runs_failed"), ()
    )
    return Results(
        study="s",
        load_kind="threads",
        doubts=tuple(one.worst for one in found),
        blocks_planned=12,
        blocks_complete=12,
        gate=Gate.of(0.95),
        consequences=found,
        **nothing,
    )


def test_a_file_of_the_machine_accepts_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    assert known_kinds() == ()
    file = tmp_path / "host.toml"
    file.write_text('[host]\nknown = ["stolen-time"]\n', encoding="utf-8")
    assert known_kinds() == ("stolen-time",)
    for text, why in (
        ('[host]\nknown = ["stolen-tine"]', 'did you mean "stolen-time"'),
        ('[host]\nknown = "stolen-time"', "must be a list"),
        ("host = 1", "must be a list"),
        ("[host", "is not TOML"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=why):
            known_kinds()
    for number, here in ((1, ["this"]), (0, ["this", "that"]), (0, [None])):
        store = duckdb.connect()
        store.execute("create table runs (host text, status text)")
        store.executemany("insert into runs values (?, 'complete')", [[name] for name in here])
        monkeypatch.setattr(Machine, "text", lambda *_: "this")
        file.write_text('[host]\nknown = ["stolen-time"]\n', encoding="utf-8")
        row = Consequence("stolen-time", "warning", "cannot-turn", "too-small", (), 1, 1, 1, (), (), NOTE)
        found = with_known_doubts(_results((row,)), store)
        assert sum(one.known for one in found.consequences) == number


NOTE = DoubtNote("stolen-time", "said", "r", 8.0, "warning", {"value": 0.1})
