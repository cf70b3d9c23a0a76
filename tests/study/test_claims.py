"""Claims: the grammar, its complaints, and writing a claim back."""

from __future__ import annotations

import string
from contextlib import suppress

import pytest
from assay.study import (
    MEASURES,
    Claim,
    ClaimSyntaxError,
    EqualClaim,
    EveryRunClaim,
    LevelClaim,
    OrderClaim,
    RatioClaim,
    Selector,
    Term,
    parse_claim,
)
from assay.study.claims import LADDERS
from assay.study.measures import OF_A_KIND
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def term(measure: str, load: float | None = None, **levels: str) -> Term:
    return Term(measure, Selector(tuple(levels.items()), load))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("tps[a=4] > tps[a=1]", OrderClaim(term("tps", a="4"), ">", term("tps", a="1"))),
        ("tps[a=4]<tps[a=1]", OrderClaim(term("tps", a="4"), "<", term("tps", a="1"))),
        ("qps[ a = on ] ~ qps[a=off]", EqualClaim(term("qps", a="on"), term("qps", a="off"))),
        (
            "tps[a=1, threads=64] > tps[a=1, threads=8]",
            OrderClaim(term("tps", 64, a="1"), ">", term("tps", 8, a="1")),
        ),
        ("qps[i=on]/qps[i=off] >= 1000", RatioClaim(term("qps", i="on"), term("qps", i="off"), ">=", 1000)),
        ("qps[i=on] / qps[i=off] ~ 1.3", RatioClaim(term("qps", i="on"), term("qps", i="off"), "~", 1.3)),
        ("p95_ms[a=1] < 20", LevelClaim(term("p95_ms", a="1"), "<", 20)),
        ("p95_ms[a=1] < 20 ms", LevelClaim(term("p95_ms", a="1"), "<", 20)),
        ("p95[a=1] < 1.5s", LevelClaim(term("p95_ms", a="1"), "<", 1500)),
        ("p99_9[a=1] < 900 µs", LevelClaim(term("p99_9_ms", a="1"), "<", 0.9)),
        ("p95[a=1] < p95_ms[a=2]", OrderClaim(term("p95_ms", a="1"), "<", term("p95_ms", a="2"))),
        ("errors_per_s <= 0", LevelClaim(term("errors_per_s"), "<=", 0)),
        ("tps > 12_000", LevelClaim(term("tps"), ">", 12000)),
        ("tps > 1.2e4 /s", LevelClaim(term("tps"), ">", 12000)),
        ("iowait_pct[a=1] < 5 %", LevelClaim(term("iowait_pct", a="1"), "<", 5)),
        ("new_order.p90_ms < 5 s", LevelClaim(term("new_order.p90_ms"), "<", 5000)),
        (
            "a.tps[x=1, y=2] > b.tps[y=2, x=1]",
            OrderClaim(term("a.tps", x="1", y="2"), ">", term("b.tps", y="2", x="1")),
        ),
        ("a.b-c.p99[a=1] < 5 ms", LevelClaim(term("a.b-c.p99_ms", a="1"), "<", 5)),
        ("pay.tps[a=2] ~ pay.tps[a=1]", EqualClaim(term("pay.tps", a="2"), term("pay.tps", a="1"))),
        ("4k.iops[a=2] > 4k.iops", OrderClaim(term("4k.iops", a="2"), ">", term("4k.iops"))),
        ("pay.p95/order.p95_ms < 1", RatioClaim(term("pay.p95_ms"), term("order.p95_ms"), "<", 1)),
        ("new_order.tps / tps > 0.4", RatioClaim(term("new_order.tps"), term("tps"), ">", 0.4)),
        ("pay.max_ms[a=1] < max[a=1]", OrderClaim(term("pay.max_ms", a="1"), "<", term("max_ms", a="1"))),
        ("tps[a=1] >= tps[a=2]", OrderClaim(term("tps", a="1"), ">=", term("tps", a="2"))),
        ("lost_commits = 0 in every run", EveryRunClaim(term("lost_commits"), "=", 0)),
        ("lost_commits[a=1]=0 in  every run", EveryRunClaim(term("lost_commits", a="1"), "=", 0)),
        ("pay.p95[a=1] < 2 s in every run", EveryRunClaim(term("pay.p95_ms", a="1"), "<", 2000)),
        ("server_cpu_us_per_query < 0.1 ms", LevelClaim(term("server_cpu_us_per_query"), "<", 100)),
    ],
)  # fmt: skip
def test_grammar(text: str, claim: Claim) -> None:
    assert parse_claim(text) == claim


def test_a_rate_may_be_named_instead_of_threads() -> None:
    claim = parse_claim("tps[rate=500] ~ 500")
    assert claim.terms[0].selector == Selector((), 500.0, "rate")


def test_a_quoted_level_may_hold_anything() -> None:
    claim = parse_claim(r'tps[use="dsn:mysql://a@b/c?socket=\"x\",y]"] > 5')
    assert claim.terms[0].selector.levels == (("use", 'dsn:mysql://a@b/c?socket="x",y]'),)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("", "a measure is expected here", 0),
        ("4 > 5", "a measure is expected here", 0),
        ("p99.9 < 20 ms", 'unknown measure "p99.9"; did you mean "p99_9_ms"?', 0),
        ("tpz[a=1] > 5", 'unknown measure "tpz"; did you mean "tps"?', 0),
        ("p95ms[a=1] > 5", 'did you mean "p95_ms"?', 0),
        ("new_order.p95ms > 5", '"p95ms" is not measured of a kind; did you mean "p95_ms"?', 0),
        ("new_order.tpmc > 5", '"tpmc" is not measured of a kind; known: tps', 0),
        ("new_order. > 5", '"" is not measured of a kind; known: tps, errors_per_s, iops', 0),
        ("new_order.p95 < 5", "say the unit: 5 ms, or write new_order.p95_ms", 17),
        ("a.tps > a.mean_ms", "compares a.tps with a.mean_ms; both sides need the same measure", 6),
        ("a.tps[x=1] > b.tps[x=2]", "two kinds are compared where they ran together", 11),
        ("a.tps[x=1]/tps > 1", "compares a.tps with tps elsewhere; two kinds are compared where", 11),
        ("tps[a=1", 'a "," or a "]" is expected here', 7),
        ("tps[a=1 b=2] > 5", 'a "," or a "]" is expected here', 8),
        ("tps[a] > 5", '"a" needs "=" and a level', 5),
        ("tps[a=] > 5", 'a level of "a" is expected here', 6),
        ("tps[] > 5", "a factor is expected here", 4),
        ("tps[a=1, a=2] > 5", '"a" stands here twice', 9),
        ("tps[threads=4, threads=8] > 5", '"threads" stands here twice', 15),
        ("tps[threads=0] > 5", 'threads needs a number above 0, not "0"', 12),
        ("tps[threads=many] > 5", 'threads needs a number above 0, not "many"', 12),
        ("tps[a=1]", "one of > < >= <= ~ is expected here", 8),
        ("tps[a=1] = tps[a=2]", '"=" is no relation here; for "the same within the margin" write ~', 9),
        ("tps[a=1] == 5", '"==" is no relation here', 9),
        ("tps = 5", '"=" needs "in every run" after its figure', 4),
        ("tps = 5 in every block", 'tps is not measured in "in"; its unit is /s', 8),
        ("tps ~ 5 in every run", '"~" has no meaning in every run', 4),
        ("tps = 5 in every run now", "the claim should end here", 21),
        ("tps[a=1]/tps[a=2] > 1 in every run", "the claim should end here", 22),
        ("tps[a=1] > qps[a=2]", "compares tps with qps; both sides need the same measure", 9),
        ("tps[a=1] > tps[a=1]", "both sides are the same", 9),
        ("tps[a=1] > tps[a=2] > 5", "the claim should end here", 20),
        ("tps[a=1, threads=8] > tps[a=2]", "name threads on both sides or on neither", 20),
        ("tps[a=1]/tps[a=2]", "one of > < >= <= ~ is expected here", 17),
        ("tps[a=1]/tps[a=2] > tps[a=3]", "a ratio is compared with a figure", 20),
        ("tps[a=1]/tps[a=2] > 0", "a ratio is compared with a figure above 0", 20),
        ("tps[a=1]/qps[a=2] > 2", "a ratio of tps and qps; both need the same measure", 9),
        ("p95[a=1] < 20", "say the unit: 20 ms, or write p95_ms", 13),
        ("p95_ms[a=1] < 20 MB", 'p95_ms is not measured in "MB"; its unit is ms', 17),
        ("tps[a=1] > 20 ms", 'tps is not measured in "ms"; its unit is /s', 14),
        ("load_average < 20 ms", "its unit is a plain number", 18),
        ("tps[a=1] > 5 5", "the claim should end here", 13),
        (r'tps[a="\q"] > 5', "this quoted level is not valid", 6),
    ],
)  # fmt: skip
def test_complaints_say_where(text: str, message: str, at: int) -> None:
    with pytest.raises(ClaimSyntaxError) as caught:
        parse_claim(text)
    assert message in str(caught.value)
    assert caught.value.at == at
    assert caught.value.drawing == f"{text}\n{' ' * at}^"


letters, signs = string.ascii_letters + "_", string.ascii_letters + string.digits + "_"
names = st.builds(
    lambda first, rest, parts: ".".join((first + rest, *parts)),
    st.sampled_from(letters),
    st.text(signs, max_size=10),
    st.lists(st.text(signs, min_size=1, max_size=8), max_size=2),
).filter(lambda name: name not in LADDERS)
levels = st.text(min_size=1, max_size=12) | st.text(alphabet=string.digits, min_size=1, max_size=5)
selectors = st.builds(
    lambda pairs, load: Selector(tuple(pairs.items()), load),
    st.dictionaries(names, levels, max_size=3),
    st.none() | st.integers(1, 4096).map(float),
)
kinds = st.builds("{}{}".format, st.sampled_from(signs), st.text(signs + ".-", max_size=8))
measures = st.sampled_from(sorted(MEASURES)) | st.builds("{}.{}".format, kinds, st.sampled_from(OF_A_KIND))
figures = st.floats(min_value=1e-6, max_value=1e12)
orders = st.sampled_from([">", "<", ">=", "<="])
relations = st.sampled_from([">", "<", ">=", "<=", "~"])


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    measure, left = draw(measures), draw(selectors)
    kind = draw(st.sampled_from(["order", "equal", "ratio", "level", "every run"]))
    one = other = Term(measure, left)
    if kind not in ("level", "every run"):
        right = draw(selectors)
        if left == right or (left.load is None) != (right.load is None):
            kind = "level"
        other = Term(measure, right)
    match kind:
        case "order":
            return OrderClaim(one, draw(orders), other)
        case "equal":
            return EqualClaim(one, other)
        case "ratio":
            return RatioClaim(one, other, draw(relations), draw(figures))
        case "every run":
            return EveryRunClaim(one, draw(orders | st.just("=")), draw(figures))
    return LevelClaim(one, draw(relations), draw(figures))


@given(claims())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_back_parses_to_the_same(claim: Claim) -> None:
    assert parse_claim(str(claim)) == claim


@given(st.text(max_size=40) | st.text(alphabet='tps[a=1]>~/ .,"5e', max_size=30))
def test_any_text_is_a_claim_or_a_complaint(text: str) -> None:
    with suppress(ClaimSyntaxError):
        parse_claim(text)
