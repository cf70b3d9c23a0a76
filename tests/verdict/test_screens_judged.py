"""A screen: planted effects of factors are found over all treatments, and claims can be about them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import Study, parse_study, screen_rows
from assay.results.store import build_store, open_store
from assay.results.verdict import FactorEffect, HypothesisVerdict, Results, judge
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Observations
from assay.results.verdict.screening import Screened
from assay.testing.results_folder import Truth, make_results
from spoken import english

QUICK = Truth(measure_s=10, warmup_s=1)
A, B, C, D = (f"server.variables.{name}" for name in "abcd")
EFFECTS = {(A, 2): 1.3, (B, 2): 0.9, (C, 2): 1.0, (D, 2): 1.0}


def toml(*claims: str, kind: str = "plackett-burman", levels: str = "[1, 2]", design: str = "") -> str:
    factors = "".join(f'[[factor]]\nname = "{name}"\nlevels = {levels}\n' for name in (A, B, C, D))
    hypotheses = "".join(f"[[hypothesis]]\nclaim = '{claim}'\n" for claim in claims)
    return f"""\
[study]
name = "screen"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = [8]
warmup = "1s"
measure = "10s"
{factors}
[design]
kind = "{kind}"
blocks = 6
{design}
{hypotheses}"""


def made(
    path: Path,
    text: str,
    effects: dict[tuple[str, int], float],
    together: float = 1.0,
    blocks: int = 6,
    fail: tuple[tuple[int, str], ...] = (),
) -> tuple[Study, ResultsFolder]:
    """Results in which levels have these ratios, and `a=2` with `b=2` one more."""
    study = parse_study(text, Path("s.toml"))
    rows = screen_rows(study.design, study.factors)
    names = [f"row {number}" for number in range(1, len(rows) + 1)]
    ratios = {}
    for name, row in zip(names, rows, strict=True):
        ratio = math.prod(effects.get((factor, int(level)), 1.0) for factor, level in row.items())
        ratios[name] = ratio * (together if row[A] == row[B] == 2 else 1.0)
    folder = make_results(
        path,
        study_toml=text,
        treatments=dict(zip(names, rows, strict=True)),
        loads=(8,),
        effect=ratios,
        truth=QUICK,
        seed=3,
        blocks=blocks,
        fail=fail,
    )
    build_store(folder)
    return study, folder


def judged(found: tuple[Study, ResultsFolder]) -> Results:
    study, folder = found
    with open_store(folder) as store:
        return judge(study, store)


def of(results: Results, factor: str, measure: str = "tps") -> FactorEffect:
    assert results.screening is not None
    return next(
        one for one in results.screening.effects if one.factor == factor and one.comparison.measure == measure
    )


CLAIMS = (
    "tps[a=2] > tps[a=1]",
    "tps[b=2] > tps[b=1]",
    "tps[c=2] ~ tps[c=1]",
    "tps[a=2]/tps[a=1] > 1.25",
    "tps[a=2]/tps[a=1] > tps[c=2]/tps[c=1]",
    "best tps over a = 2",
    "errors_per_s[a=2] = 0 in every run",
    "mean_ms[a=2] < mean_ms[a=1]",
)


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return judged(made(tmp_path_factory.mktemp("screen"), toml(*CLAIMS), EFFECTS))


def verdicts(results: Results) -> dict[str, HypothesisVerdict]:
    return {one.claim: one for one in results.hypotheses}


def test_every_factor_has_its_own_effect(screen: Results) -> None:
    for name, ratio, word in (
        ("a", 1.3, "worth-a-study"),
        ("b", 0.9, "worth-a-study"),
        ("c", 1.0, "same"),
        ("d", 1.0, "same"),
    ):
        effect = of(screen, name)
        assert (effect.first, effect.level) == ("1", "2")
        assert effect.comparison.ratio == pytest.approx(ratio, rel=0.02)
        assert effect.comparison.word == word
        assert effect.comparison.blocks == 6
        assert effect.follow_up == ("no" if word == "same" else "yes")
        assert effect.family_p is not None
        assert effect.comparison.beyond_p is not None
        assert effect.family_p >= effect.comparison.beyond_p
        assert effect.alone is None
    assert of(screen, "a", "p95_ms").comparison.word == "worth-a-study"


def test_levels_are_compared_and_no_treatment(screen: Results) -> None:
    assert {(one.baseline, one.other) for one in screen.comparisons} == {
        (f"{name}=1", f"{name}=2") for name in "abcd"
    }
    assert screen.treatments == tuple(f"row {number}" for number in range(1, 17))
    assert screen.blocks_complete == 6


@pytest.mark.parametrize("claim", CLAIMS)
def test_claims_about_a_factor_average_over_the_others(screen: Results, claim: str) -> None:
    verdict = verdicts(screen)[claim]
    if "every run" in claim:  # of single treatments
        assert (verdict.outcome, verdict.word) == ("supported", "supported")
        return
    if "~" in claim:
        assert verdict.word == "supported"
        return
    assert (verdict.outcome, verdict.word) == ("undecided", "worth-a-study"), english(verdict.explanation)
    assert "three factors together" in english(verdict.explanation)
    assert verdict.parts[0].figure or verdict.parts[0].answers


def test_a_claim_about_every_run_is_about_treatments(screen: Results) -> None:
    parts = verdicts(screen)["errors_per_s[a=2] = 0 in every run"].parts
    assert sum(len(part.where) for part in parts) == 8
    assert verdicts(screen)["tps[a=2] > tps[a=1]"].parts[0].treatments == ("a=2", "a=1")


@pytest.mark.long
def test_pairs_that_act_together_stand_out_and_leave_effects_alone(tmp_path: Path) -> None:
    """`b=2` costs 10 % without `a=2` and gains 8 % with it: on the average it does nothing much."""
    found = judged(made(tmp_path, toml(), EFFECTS, together=1.2))
    assert found.screening is not None
    pairs = {one.factors: one for one in found.screening.interactions if one.measure == "tps"}
    assert pairs["a", "b"].ratio == pytest.approx(1.2, rel=0.02)
    assert pairs["a", "b"].word == "worth-a-study"
    assert pairs["a", "b"].q_value is not None
    assert pairs["a", "b"].q_value < 0.05
    for names, one in pairs.items():
        if names != ("a", "b"):
            assert one.word in ("same", "undecided"), names
    assert of(found, "a").comparison.ratio == pytest.approx(1.3 * 1.2**0.5, rel=0.02)
    assert of(found, "b").comparison.ratio == pytest.approx(0.9 * 1.2**0.5, rel=0.02)
    assert of(found, "c").comparison.word == of(found, "d").comparison.word == "same"


@pytest.mark.long
def test_without_folding_over_pairs_are_not_told(tmp_path: Path) -> None:
    found = judged(made(tmp_path, toml(CLAIMS[0], design="fold_over = false"), EFFECTS))
    assert found.screening is not None
    assert len(found.treatments) == 8
    assert not found.screening.folded
    assert found.screening.interactions == ()
    assert {one.comparison.word for one in found.screening.effects} == {"estimate-only"}
    assert {one.comparison.q_value for one in found.screening.effects} == {None}
    assert [one.outcome for one in found.hypotheses] == ["undecided"]
    assert "not folded over" in english(found.hypotheses[0].explanation)


@pytest.mark.long
def test_a_block_without_one_of_its_treatments_is_left_out(tmp_path: Path) -> None:
    found = judged(made(tmp_path, toml(CLAIMS[0]), EFFECTS, fail=((2, "row 5"),)))
    assert of(found, "a").comparison.blocks == 5
    assert of(found, "a").comparison.word == "estimate-only"
    assert of(found, "a").follow_up == "yes"  # an estimate whose interval is sure
    assert verdicts(found)[CLAIMS[0]].outcome == "undecided"


def test_one_block_has_lenths_intervals_and_no_words(tmp_path: Path) -> None:
    found = judged(made(tmp_path, toml(), EFFECTS, blocks=1))
    effect = of(found, "a")
    assert effect.comparison.word == "estimate-only"
    assert effect.comparison.low is None
    assert effect.alone is not None
    assert effect.together is not None
    assert effect.together[0] < effect.alone[0] < effect.comparison.ratio < effect.alone[1]
    assert of(found, "c").follow_up == "open"


@pytest.mark.long
def test_a_hypercube_has_slopes_over_its_levels(tmp_path: Path) -> None:
    effects = {(A, level): 1.1 ** (level - 1) for level in (1, 2, 3)} | {(B, 3): 0.8, (B, 2): 0.8**0.5}
    text = toml(
        "tps[a=3] > tps[a=1]",
        "tps rises over a",
        "tps[a=2]/tps[a=1] > 1.05",
        "tps[c=3] ~ tps[c=1]",
        kind="latin-hypercube",
        levels="[1, 2, 3]",
        design="treatments = 12",
    )
    found = judged(made(tmp_path, text, effects))
    assert len(found.treatments) == 12
    assert of(found, "a").comparison.ratio == pytest.approx(1.21, rel=0.02)
    assert (of(found, "a").first, of(found, "a").level) == ("1", "3")
    assert of(found, "b").comparison.ratio == pytest.approx(0.8, rel=0.02)
    assert of(found, "c").comparison.word == "same"
    assert [one.word for one in found.hypotheses] == [*["worth-a-study"] * 3, "supported"]
    assert found.screening is not None
    assert found.screening.interactions == ()


def test_one_window_on_its_way_warns_and_half_of_them_count() -> None:
    """A mean of eight windows is moved little by one that was still approaching its level."""
    screened = Screened(parse_study(toml(), Path("s.toml")))
    values = {("tps", row, 8.0): {1: 100.0} for row in screened.rows}
    seen = Observations(values, {"tps": "1/s"})
    few = {("row 1", 8.0): {1: ("not-reached",)}}
    of_few = screened.within(replace(seen, approaching=few, warned=few))
    assert of_few.settled.blocks("tps", _place("a=1")) == {1: pytest.approx(100.0)}
    assert of_few.warnings(_place("a=1")) == ("not-reached",)
    many = {(row, 8.0): {1: ("not-reached",)} for row in screened.rows[:8]}
    of_many = screened.within(replace(seen, approaching=many, warned=many))
    assert of_many.settled.blocks("tps", _place("a=1")) == {}


def test_a_measure_with_zeros_has_arithmetic_means() -> None:
    screened = Screened(parse_study(toml(), Path("s.toml")))
    values = {("errors_per_s", row, 8.0): {1: float(number % 2)} for number, row in enumerate(screened.rows)}
    found = screened.within(Observations(values, {"errors_per_s": "1/s"}))
    both = [found.blocks("errors_per_s", _place(f"a={level}"))[1] for level in (1, 2)]
    assert sum(both) == pytest.approx(1.0)


def _place(treatment: str) -> Place:
    return Place(treatment, 8.0)
