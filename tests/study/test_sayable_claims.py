"""What people want to say of a server is a claim, and what is none is refused with what to write instead."""

from __future__ import annotations

import pytest
from assay.design.study import ClaimSyntaxError, EveryRunClaim, Term, parse_claim
from assay.design.study.claims import Axis, BestClaim, ComparisonClaim, OneOf, Quotient, Selector
from assay.design.study.claims.terms import Summary
from assay.design.study.claims.windows import Window

ONE = Selector((("a", "1"),))


def of(text: str) -> object:
    (part,) = parse_claim(text).parts
    return part


SAID = {
    "p99_ms[a=1] < 50 in 90 % of runs": EveryRunClaim(Term("p99_ms", ONE), "<", 50, 90),
    "p99_ms[a=1] < 50 in 100 % of all runs": EveryRunClaim(Term("p99_ms", ONE), "<", 50),
    "tps[a=1](min, 1s) > 0 in every run": EveryRunClaim(Term("tps", ONE, Summary("min", 1)), ">", 0),
    "tps(min, 1s)[a=1] > 0 in every run": EveryRunClaim(Term("tps", ONE, Summary("min", 1)), ">", 0),
    "tps in last 2m > 5 in every run": EveryRunClaim(Term("tps", window=Window("last", 120)), ">", 5),
    "status.n[a=1] per query < 5 in every run": EveryRunClaim(Term("status.n per query", ONE), "<", 5),
    "status.n per query[a=1] < 5 in every run": EveryRunClaim(Term("status.n per query", ONE), "<", 5),
    "best tps over a != 1": BestClaim("best", Term("tps"), Axis("a"), OneOf((1.0,)), negated=True),
}


@pytest.mark.parametrize("text", SAID)
def test_a_sentence_is_read_as_it_reads(text: str) -> None:
    assert of(text) == SAID[text]


@pytest.mark.parametrize(
    "text",
    [
        *SAID,
        "tps[a=2] > tps[a=1] or tps[a=3] > tps[a=1]",
        "tps[a=2] > tps[a=1] or tps[a=3] > 5 in every run at threads >= 8 in last 10s",
        "tps[a=1] in last 2m >= tps[a=1] in first 2m",
        "tps before full_pool / tps after full_pool < 2",
        "tps in last 10s - tps in first 10s < 5",
        "tps[a=2] / tps[a=1] >= 1.1 over threads",
        "tps[a=2] > tps[a=1] by 10 % over threads",
        "tps(cv, runs)[a=2] < tps(cv, runs)[a=1]",
        "tps(sd, runs) < 5",
        "p99_ms[a=1] / p50_ms[a=1] < 5",
        "tps(min, 1s)[a=1] / tps[a=1] >= 0.5",
        "status.pool_reads per query / status.pool_read_requests per query < 0.01",
        "tps[a=2] / cpu_busy_pct[a=2] > tps[a=1] / cpu_busy_pct[a=1]",
        "server_rss_mib[a=1] < 2 GiB",
        "max rate with p99_ms[a=1] < 50 >= 1000",
        "max rate with p99_ms < 50 at tps >= 1000",
        "max tps[a=1] with p99 < 50 ms over threads >= 1000 in last 10s",
        "max threads with p99_ms < 50, errors_per_s <= 0.1 > 32",
        'max tps[x="a with b"] over threads > 5',
    ],
)
def test_what_is_written_back_is_the_same_claim(text: str) -> None:
    claim = parse_claim(text)
    assert parse_claim(str(claim)) == claim


def test_a_window_is_the_claims_unless_a_side_has_its_own() -> None:
    whole = parse_claim("tps[a=1] > tps[a=2] in last 2m")
    assert whole.window == Window("last", 120)
    assert [term.window for term in whole.terms] == [None, None]
    sides = parse_claim("tps[a=1] in last 2m > tps[a=1] in first 2m")
    assert sides.window is None
    assert [str(term.window) for term in sides.terms] == ["in last 120s", "in first 120s"]
    with pytest.raises(ClaimSyntaxError, match="parts of the window of their own"):
        parse_claim("tps in last 2m > 5 and qps > 5 in first 2m")


def test_a_figure_beside_a_ratio_may_be_a_share() -> None:
    compared = of("status.a per query / status.b per query < 1 %")
    assert isinstance(compared, ComparisonClaim)
    assert str(compared.sides[1]) == "0.01"
    assert isinstance(compared.sides[0], Quotient)
    assert compared.sides[0].of_measures


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tps[a=1]/max tps over threads >= 0.8", "write collapse 20 % tps over threads > 128"),
        ("tps[a=2] > 2 * tps[a=1]", 'write "by 2 x" behind the relation'),
        ("tps[a=2] != tps[a=1]", 'for "different beyond the margin" write !~'),
        ("tps > 5 at threads >= 32 and tps > 3 at threads < 32", "write several claims"),
        ("tps > 5 and qps > 5 or tps > 6", 'joins parts by "and" and by "or"'),
        ("cv tps[a=2] < cv tps[a=1]", '"cv" stands behind its measure: tps(cv, 1s)'),
        ("cv tps[a=2] < cv tps[a=1]", "tps(cv, runs) of the runs"),
        ("tps(max, runs) > 5", '"max" over runs is said by "in every run"'),
        ("tps(cv, runs) < 5 in every run", "it has no value in one"),
        ("status.a[a=1] > 5", 'say "per query", "per transaction" or "per s" after it'),
        ("tps > 5 in 90 % runs", 'expected "% of runs"'),
        ("tps > 5 in 120 % of runs", "above 0 and at most 100 %"),
        ("tps[a=1]/qps[a=2] > 2", "two measures have a ratio at one place"),
        ("p99_ms/p50_ms > p95_ms/p50_ms", "both sides need the same measure"),
        ("tps/cpu_busy_pct < 5 ms", 'tps / cpu_busy_pct is not measured in "ms"; its unit is /s per %'),
        ("tps[threads=8] > 5 over threads", "name no threads in [ ]"),
        ("max tps over a > 5 over threads", "the mean over an axis is of measures and ratios"),
        ("tps > 5 over time", "the mean over an axis is of measures and ratios"),
        ("tps > 1.5k", "write the number in full: 1500"),
        ("max rate with p99_ms < 50", "expected how much there must be"),
        ("max tps[a=1] with p99_ms[a=2] < 50 over threads > 5", "write the same [ ] everywhere, or once"),
        ("max tps with p99_ms ~ 5 over threads > 5", "an objective has a limit"),
        ("tps in last 2m > tps in first 2m at threads > 8 in last 9m", "parts of the window of their own"),
    ],
)
def test_what_cannot_be_said_is_refused_with_what_can(text: str, message: str) -> None:
    with pytest.raises(ClaimSyntaxError) as caught:
        parse_claim(text)
    assert message in str(caught.value)
