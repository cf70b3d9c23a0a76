"""Claims of every kind, on awkward figures: nothing breaks, and no sentence repeats itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from assay.design.plan import make_treatments
from assay.design.study import level_text
from assay.results.stats.region import Gate, around, fewest_blocks
from assay.results.verdict.claims import found
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.weigh import weigh
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import All, Contrast, Edges
from assay.results.verdict.observations import Observations
from assay.results.verdict.phrases import phrase
from assay.results.verdict.question import Question
from assay.results.verdict.screening import Screened
from assay.results.verdict.treatments import Treatment
from believed import ONE, TWO, believed
from each import each
from examples import given, settings, st
from spoken import english

from studies import SHIPPED, shipped

PAIRS = ("tps[a=2] {} tps[a=1]", (">", "<", ">=", "<=", "~"))
RATIOS = ("tps[a=2]/tps[a=1] {} 1.1", (">", "<", ">=", "<=", "~"))
LEVELS = ("tps {} -3", (">", "<", ">=", "<=", "~"))
ZERO = ("tps {} 0", (">", "<", ">=", "<=", "~"))
ABOVE = ("tps {} 100", (">", "<", ">=", "<=", "~"))
EVERY = ("tps {} 0 in every run", ("=", ">", "<", ">=", "<="))
CLAIMS = [
    form.format(relation)
    for form, relations in (PAIRS, RATIOS, LEVELS, ZERO, ABOVE, EVERY)
    for relation in relations
]
rows = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        *(
            st.lists(st.sampled_from([0.0, -5.0, 3.0, 100.0, 101.5, 1e6]), min_size=n, max_size=n)
            for _ in range(2)
        )
    )
)


@given(st.sampled_from(CLAIMS), rows)
@settings(max_examples=300)
def test_no_figures_break_a_claim_and_blocks_to_go_are_honest(
    claim: str, row: tuple[list[float], list[float]]
) -> None:
    judged = believed(claim, {(ONE, 1.0): row[0], (TWO, 1.0): row[1]})
    assert english(judged.explanation)
    for part in (judged, *judged.parts):
        assert part.more_blocks is None or (part.outcome == "undecided" and part.more_blocks > 0)
        assert not (part.too_many_blocks and part.more_blocks is not None)
    if judged.more_blocks is not None:
        assert judged.more_blocks == max(p.more_blocks for p in judged.parts if p.more_blocks is not None)


@given(
    st.floats(-3, 3).filter(lambda mean: abs(mean) > 1e-6),
    st.floats(0, 3),
    st.integers(2, 12),
    st.sampled_from([">", "<", ">=", "<="]),
)
def test_so_many_blocks_with_the_same_mean_and_spread_settle_it(
    mean: float, sd: float, n: int, side: str
) -> None:
    contrast = Contrast(with_moments(mean, sd, n), side)  # type: ignore[arg-type]
    if (more := contrast.blocks_to_go(0.95, 6)) is not None:
        later = replace(contrast, values=with_moments(mean, sd, n + more))
        assert n + more >= 6
        assert later.decide(0.95) != "undecided"


def with_moments(mean: float, sd: float, n: int) -> np.ndarray:
    values = np.arange(n, dtype=float)
    return mean + sd * (values - values.mean()) / values.std(ddof=1)


def test_one_failure_among_zeros_is_not_one_block_from_a_verdict() -> None:
    judged = believed("errors_per_s < 1", {(ONE, 1.0): [0, 0, 0, 0, 0, 3]}, measure="errors_per_s")
    (part,) = (part for part in judged.parts if part.blocks)
    assert part.outcome == "undecided"
    assert part.more_blocks is not None
    assert part.more_blocks > 20
    assert believed("errors_per_s <= 0", {(ONE, 1.0): [2, 3, 4]}, measure="errors_per_s").parts


@given(
    rows,
    st.sampled_from([(">", "<"), ("<", ">"), (">=", "<="), ("<=", ">="), ("~", "~")]),
    st.floats(0.001, 0.5),
)
@settings(max_examples=200)
def test_a_claim_and_its_mirror_image_agree(
    row: tuple[list[float], list[float]], relations: tuple[str, str], margin: float
) -> None:
    values = {(ONE, 1.0): row[0], (TWO, 1.0): row[1]}
    there = believed(f"tps[a=2] {relations[0]} tps[a=1]", values, margin=margin)
    back = believed(f"tps[a=1] {relations[1]} tps[a=2]", values, margin=margin)
    assert (there.outcome, there.more_blocks) == (back.outcome, back.more_blocks)


def test_a_large_margin_means_the_same_from_both_sides() -> None:
    """1.32 to 1.40 is beyond 1.3; the other way round it is 0.71 to 0.76, beyond 1 / 1.3, not beyond 0.7."""
    low = np.array([1000.0, 1100, 900, 1000, 1050, 950])
    values = {(ONE, 1.0): low, (TWO, 1.0): low * np.array([1.33, 1.39, 1.36, 1.34, 1.38, 1.36])}
    assert believed("tps[a=2] > tps[a=1]", values, margin=0.3).outcome == "supported"
    assert believed("tps[a=1] < tps[a=2]", values, margin=0.3).outcome == "supported"


@pytest.mark.long
def test_what_a_shipped_study_compares_is_never_itself() -> None:
    """raid-levels: raid=raid0 and unallocated_pct=15 are both true of one treatment, and of others alone."""
    each(SHIPPED, _compares_others)


def _compares_others(path: Path) -> None:
    study = shipped(path)
    if study.design.screens:  # its claims compare levels of factors
        treatments = list(Screened(study).levels)
    else:
        treatments = [
            Treatment(one.name, {name: level_text(level) for name, level in one.levels.items()})
            for one in make_treatments(study)
        ]
    loads = study.load.rungs
    judging = JudgingContext(Observations({}, {}), treatments, loads, study.load.kind, 0.95, 0.02)
    for hypothesis in study.hypotheses:
        places = [finding.where for claim in hypothesis.claims for finding in found(claim, judging)]
        assert places
        measures = {term.measure for term in hypothesis.terms}
        assert len(measures) > 1 or all(len(set(pair)) == len(pair) for pair in places)


@pytest.mark.parametrize(
    ("ratio", "outcome"), [(1.2, "supported"), (1.0, "supported"), (0.97, "supported"), (0.9, "refuted")]
)
def test_not_less_bears_the_margin(ratio: float, outcome: str) -> None:
    base = np.array([1000.0, 1100, 900, 1000, 1050, 950])
    noise = np.array([1.001, 0.999, 1.002, 0.998, 1.0, 1.0])
    values = {(ONE, 1.0): base, (TWO, 1.0): base * ratio * noise}
    assert believed("tps[a=2] >= tps[a=1]", values, margin=0.05).outcome == outcome
    assert believed("tps[a=1] <= tps[a=2]", values, margin=0.05).outcome == outcome


@pytest.mark.parametrize(
    ("runs", "outcome", "said"),
    [
        (
            [0] * 6,
            "supported",
            "is 0 in every one of 6 runs; at 95 % confidence at most 39 % of runs are otherwise",
        ),
        ([0] * 40, "supported", "at most 7.2 % of runs are otherwise"),
        ([0], "supported", "is 0 in the only run; at 95 % confidence at most 95 % of runs are otherwise"),
        ([0, 0, 0, 0, 0, 1], "refuted", "is not 0 in 1 of 6 runs (1 in block 6)"),
        ([7, 0], "refuted", "is not 0 in 1 of 2 runs (7 in block 1)"),
    ],
)
def test_what_must_never_happen_is_counted_run_by_run(runs: list[float], outcome: str, said: str) -> None:
    judged = believed("lost_commits[a=1] = 0 in every run", {(ONE, 1.0): runs}, measure="lost_commits")
    assert judged.outcome == outcome
    assert said in english(judged.explanation)
    assert judged.more_blocks is None


def test_the_bound_of_the_share_is_that_of_the_study_s_confidence() -> None:
    judged = believed(
        "lost_commits[a=1] < 1 in every run", {(ONE, 1.0): [0] * 6}, measure="lost_commits", confidence=0.99
    )
    assert "below 1 in every one of 6 runs; at 99 % confidence at most 54 %" in english(judged.explanation)
    runs = judged.parts[0].runs
    assert runs is not None
    assert runs.most == pytest.approx(1 - 0.01 ** (1 / 6))


def test_a_bound_of_nearly_all_runs_is_written_in_plain_digits() -> None:
    judged = believed(
        "lost_commits[a=1] = 0 in every run", {(ONE, 1.0): [0]}, measure="lost_commits", confidence=0.999
    )
    assert "at 99.9 % confidence at most 99.9 % of runs are otherwise." in english(judged.explanation)


def test_a_claim_needs_as_many_blocks_as_its_neediest_part() -> None:
    base = np.array([1000.0, 1100, 900, 1000, 1050, 950])
    near, far = (1.02 + gap + 0.03 * np.array([1, -1, 1, -1, 0.5, -0.5]) for gap in (0.012, 0.02))
    values = {(ONE, 1.0): base, (TWO, 1.0): base * far, (ONE, 8.0): base, (TWO, 8.0): base * near}
    judged = believed("tps[a=2] > tps[a=1]", values)
    needed = [part.more_blocks for part in judged.parts]
    assert None not in needed
    assert needed[0] < needed[1] == judged.more_blocks
    assert english(judged.explanation).endswith(f"About {needed[1]} more blocks would probably settle it.")
    assert english(judged.explanation).count("would probably settle it") == 1


def test_a_part_that_no_number_of_blocks_settles_is_said_of_the_whole() -> None:
    base = np.array([1000.0, 1100, 900, 1000, 1050, 950])
    values = {(ONE, 1.0): base, (TWO, 1.0): base * (1.0201 + 0.03 * np.array([1, -1, 1, -1, 1, -1]))}
    judged = believed("tps[a=2] > tps[a=1]", values)
    assert (judged.more_blocks, judged.too_many_blocks) == (None, True)
    assert "more than 200 would be needed" in english(judged.explanation)


def test_one_of_seven_points_must_be_surer_to_refute() -> None:
    question = Question(">=", around(1.0, 0.02), of_treatments=True)
    place = Place(ONE, 1.0)
    fewest = fewest_blocks(0.95)

    def at(mean: float) -> Finding:
        logs = with_moments(mean, 0.01, fewest)
        return Finding(
            (place,), (phrase("no-run"),), fewest, question=question, asserts=Edges(question.of_logs(logs))
        )

    seen = Observations({}, {})
    just_below = at(np.log(1 / 1.02) - 0.0108)
    (alone,) = weigh([just_below], seen, Gate.of(0.95))
    assert alone.part.outcome == "refuted"
    first, *_ = weigh([just_below, *(at(0.1) for _ in range(6))], seen, Gate.of(0.95))
    assert first.part.outcome == "undecided"
    assert "among 7 points one may by chance" in english(first.part.explanation)
    surely, *_ = weigh([at(-0.1), *(at(0.1) for _ in range(6))], seen, Gate.of(0.95))
    assert surely.part.outcome == "refuted"


def test_what_is_said_of_a_whole_ladder_has_the_doubts_of_all_its_points() -> None:
    warned = {(ONE, 1.0): {1: ("unsteady",)}, (ONE, 8.0): {2: ("starved",)}, (TWO, 8.0): {2: ("busy",)}}
    seen = Observations({}, {}, left_out=warned, warned=warned)
    ladder = Place(ONE, None)
    assert seen.warnings(ladder) == ("unsteady", "starved")
    assert seen.warnings(ladder, Place(ONE, 8.0)) == ("unsteady", "starved")
    assert seen.missing(ladder, Place(ONE, 8.0)) == (2, ("unsteady", "starved"))
    assert seen.blocks("tps", ladder) == {}


def test_what_is_asserted_together_is_said_without_one_edge() -> None:
    fewest = fewest_blocks(0.95)
    above = Contrast(with_moments(0.5, 0.01, fewest), ">")
    below = Contrast(with_moments(-0.5, 0.01, fewest), ">")

    def said(*contrasts: Contrast) -> tuple[str, str]:
        (found,) = weigh(
            [
                Finding(
                    (Place(ONE, None),),
                    (phrase("no-run"),),
                    fewest,
                    asserts=All(tuple(Edges((one,)) for one in contrasts)),
                )
            ],
            seen,
            Gate.of(0.95),
        )
        return found.part.outcome, english(found.part.explanation)

    seen = Observations({}, {})
    assert said(above, above) == (
        "supported",
        "No run matches the claim; every interval lies on the claim's side.",
    )
    assert said(above, below) == (
        "refuted",
        "No run matches the claim; an interval lies wholly on the other side.",
    )
