"""`by` says a share of the right side, or how many times as much, whichever way the relation points."""

from __future__ import annotations

import pytest
from assay.design.study import Factor, Load, parse_claim
from assay.design.study.checks.cross_check import resolve, unreachable
from assay.design.study.claims import Band
from assay.design.study.model.design import Design
from spoken import english
from test_forms import by_a, outcome, weighed

EDGES = [
    # the claim's end, with the ratio of the left side to the right one at which it begins to hold
    ("> {} by 50 %", 1.5),
    ("< {} by 50 %", 0.5),
    ("> {} by 10 %", 1.1),
    ("< {} by 10 %", 0.9),
    ("< {} by 90 %", 0.1),
    ("> {} by 2 x", 2.0),
    ("< {} by 2 x", 0.5),
    ("> {} by 200 %", 3.0),
]


@pytest.mark.parametrize(("said", "edge"), EDGES)
def test_a_pair_is_supported_from_the_named_ratio_on(said: str, edge: float) -> None:
    claim = f"tps[a=2] {said.format('tps[a=1]')}"
    nearer, further = (edge * 0.96, edge * 1.04) if edge > 1 else (edge * 1.04, edge * 0.96)
    assert outcome(claim, by_a(100, 100 * further, 1, 1)) == "supported"
    assert outcome(claim, by_a(100, 100 * nearer, 1, 1)) == "refuted"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("said", "edge"), EDGES)
def test_so_is_the_largest_along_an_axis(said: str, edge: float) -> None:
    claim = f"max tps[b=x] over a {said.format('max tps[b=y] over a')}"
    nearer, further = (edge * 0.96, edge * 1.04) if edge > 1 else (edge * 1.04, edge * 0.96)
    assert outcome(claim, lambda a, b, load: 100 * (further if b == "x" else 1.0)) == "supported"
    assert outcome(claim, lambda a, b, load: 100 * (nearer if b == "x" else 1.0)) == "refuted"


@pytest.mark.parametrize(
    ("claim", "ratio", "expected"),
    [
        ("tps[a=2] < tps[a=1] by 20 to 40 %", 0.7, "supported"),
        ("tps[a=2] < tps[a=1] by 20 to 40 %", 0.82, "refuted"),
        ("tps[a=2] < tps[a=1] by 20 to 40 %", 0.58, "refuted"),
        ("tps[a=2] < tps[a=1] by 1 to 4 x", 0.3, "supported"),
        ("tps[a=2] < tps[a=1] by 1 to 4 x", 0.2, "refuted"),
        ("tps[a=1] < tps[a=2] < tps[a=4] by 50 %", 1.6, "refuted"),  # 1.6 times is 38 % less, not half
    ],
)
def test_a_band_has_both_ends(claim: str, ratio: float, expected: str) -> None:
    assert outcome(claim, by_a(100, 100 * ratio, 100 * ratio**2, 1)) == expected


@pytest.mark.parametrize(
    ("claim", "last", "expected"),
    [
        ("tps falls over a by 50 %", 48, "supported"),
        ("tps falls over a by 50 %", 60, "refuted"),
        ("tps falls over a by 10 to 30 %", 80, "supported"),
        ("tps falls over a by 10 to 30 %", 60, "refuted"),
        ("tps rises over a by 50 %", 155, "supported"),
    ],
)
def test_what_falls_falls_by_a_share_of_the_first(claim: str, last: float, expected: str) -> None:
    middle = (100 * last) ** 0.5
    assert outcome(claim, by_a(100, middle, middle, last)) == expected


def test_the_sentence_has_the_figure_that_the_claim_is_about() -> None:
    (one, *_) = weighed("tps[a=2] < tps[a=1] by 50 % at threads = 8", by_a(100, 62, 1, 1))
    assert "is 0.62" in english(one.said)
    assert "none of the interval lies below 0.5" in english(one.said)


@pytest.mark.parametrize("said", ["by 100 %", "by 120 %", "by 20 to 120 %"])
def test_nothing_is_less_by_all_of_it(said: str) -> None:
    factors = (Factor(name="a", levels=(1, 2)),)

    def complaints(claim: str) -> list[str]:
        return list(
            unreachable(resolve(parse_claim(claim), factors), Load(threads=(1, 8)), Design(), factors)
        )

    for claim in (f"tps[a=2] < tps[a=1] {said}", f"tps falls over a {said}"):
        (complaint,) = complaints(claim)
        assert "nothing positive is less by 100 %" in complaint
        assert "to" in said or outcome(claim, by_a(100, 50, 40, 30)) == "refuted"
    assert not complaints(f"tps[a=2] > tps[a=1] {said}")


def test_both_ends_of_a_band_are_ratios_of_left_to_right() -> None:
    assert Band(20, 40).ratios("<") == pytest.approx((0.8, 0.6))
    assert Band(20, 40).ratios(">") == pytest.approx((1.2, 1.4))
    assert Band(2, None, "x").ratios("<") == (0.5, None)
