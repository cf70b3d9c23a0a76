"""Claims: the grammar, its complaints, and writing a claim back."""

from __future__ import annotations

import string
from contextlib import suppress

import pytest
from assay.design.study import (
    MEASURES,
    Claim,
    ClaimPart,
    ClaimSyntaxError,
    ComparisonClaim,
    EveryRunClaim,
    Selector,
    Term,
    parse_claim,
)
from assay.design.study.claims import (
    LADDERS,
    BestClaim,
    CauseClaim,
    CourseClaim,
    CrossoverClaim,
    Difference,
    Extreme,
    Figure,
    KneeClaim,
    Quotient,
)
from assay.design.study.claims.axes import At, Axis, Between, Beyond, OneOf, Window
from assay.design.study.claims.knee import Bend
from assay.design.study.claims.reader import KEYWORDS
from assay.design.study.claims.sides import Band, Side
from assay.design.study.claims.terms import Among, Summary
from assay.design.study.measures import OF_A_KIND
from examples import given, st


def term(measure: str, load: float | None = None, **levels: str | Among) -> Term:
    return Term(measure, Selector(tuple(levels.items()), load))


INDEXED = Quotient(term("qps", i="on"), term("qps", i="off"))


def compared(*said: object) -> ComparisonClaim:
    """`compared(a, ">", b, "<", 5)`."""
    sides = tuple(Figure(one) if isinstance(one, int | float) else one for one in said[::2])
    return ComparisonClaim(sides, said[1::2], (None,) * (len(sides) - 1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("tps[a=4] > tps[a=1]", compared(term("tps", a="4"), ">", term("tps", a="1"))),
        ("tps[a=4]<tps[a=1]", compared(term("tps", a="4"), "<", term("tps", a="1"))),
        ("qps[ a = on ] ~ qps[a=off]", compared(term("qps", a="on"), "~", term("qps", a="off"))),
        (
            "tps[a=1, threads=64] > tps[a=1, threads=8]",
            compared(term("tps", 64, a="1"), ">", term("tps", 8, a="1")),
        ),
        ("qps[i=on]/qps[i=off] >= 1000", compared(INDEXED, ">=", 1000)),
        ("qps[i=on] / qps[i=off] ~ 1.3", compared(INDEXED, "~", 1.3)),
        ("p95_ms[a=1] < 20", compared(term("p95_ms", a="1"), "<", 20)),
        ("p95_ms[a=1] < 20 ms", compared(term("p95_ms", a="1"), "<", 20)),
        ("p95[a=1] < 1.5s", compared(term("p95_ms", a="1"), "<", 1500)),
        ("p99_9[a=1] < 900 µs", compared(term("p99_9_ms", a="1"), "<", 0.9)),
        ("p95[a=1] < p95_ms[a=2]", compared(term("p95_ms", a="1"), "<", term("p95_ms", a="2"))),
        ("errors_per_s <= 0", compared(term("errors_per_s"), "<=", 0)),
        ("tps > 12_000", compared(term("tps"), ">", 12000)),
        ("tps > 1.2e4 /s", compared(term("tps"), ">", 12000)),
        ("iowait_pct[a=1] < 5 %", compared(term("iowait_pct", a="1"), "<", 5)),
        ("new_order.p90_ms < 5 s", compared(term("new_order.p90_ms"), "<", 5000)),
        (
            "a.tps[x=1, y=2] > b.tps[y=2, x=1]",
            compared(term("a.tps", x="1", y="2"), ">", term("b.tps", y="2", x="1")),
        ),
        ("a.b-c.p99[a=1] < 5 ms", compared(term("a.b-c.p99_ms", a="1"), "<", 5)),
        ("pay.tps[a=2] ~ pay.tps[a=1]", compared(term("pay.tps", a="2"), "~", term("pay.tps", a="1"))),
        ("4k.iops[a=2] > 4k.iops", compared(term("4k.iops", a="2"), ">", term("4k.iops"))),
        ("pay.p95/order.p95_ms < 1", compared(Quotient(term("pay.p95_ms"), term("order.p95_ms")), "<", 1)),
        ("new_order.tps / tps > 0.4", compared(Quotient(term("new_order.tps"), term("tps")), ">", 0.4)),
        ("pay.max_ms[a=1] < max[a=1]", compared(term("pay.max_ms", a="1"), "<", term("max_ms", a="1"))),
        ("tps[a=1] >= tps[a=2]", compared(term("tps", a="1"), ">=", term("tps", a="2"))),
        ("lost_commits = 0 in every run", EveryRunClaim(term("lost_commits"), "=", 0)),
        ("lost_commits[a=1]=0 in  every run", EveryRunClaim(term("lost_commits", a="1"), "=", 0)),
        ("pay.p95[a=1] < 2 s in every run", EveryRunClaim(term("pay.p95_ms", a="1"), "<", 2000)),
        ("server_cpu_us_per_query < 0.1 ms", compared(term("server_cpu_us_per_query"), "<", 100)),
    ],
)  # fmt: skip
def test_grammar(text: str, claim: ClaimPart) -> None:
    assert parse_claim(text) == Claim((claim,))


def test_a_rate_may_be_named_instead_of_threads() -> None:
    claim = parse_claim("tps[rate=500] ~ 500")
    assert claim.terms[0].selector == Selector((), 500.0, "rate")


def test_a_quoted_level_may_hold_anything() -> None:
    claim = parse_claim(r'tps[use="dsn:mysql://a@b/c?socket=\"x\",y]"] > 5')
    assert claim.terms[0].selector.levels == (("use", 'dsn:mysql://a@b/c?socket="x",y]'),)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("", "expected a measure", 0),
        ("4 > 5", "expected a measure", 0),
        ("p99.9 < 20 ms", 'unknown measure "p99.9"; did you mean "p99_9_ms"?', 0),
        ("tpz[a=1] > 5", 'unknown measure "tpz"; did you mean "tps"?', 0),
        ("p95ms[a=1] > 5", 'did you mean "p95_ms"?', 0),
        ("new_order.p95ms > 5", '"p95ms" is not a measure of one kind; did you mean "p95_ms"?', 0),
        ("new_order.tpmc > 5", '"tpmc" is not a measure of one kind; known: tps', 0),
        ("new_order. > 5", '"" is not a measure of one kind; known: tps, errors_per_s, iops', 0),
        ("new_order.p95 < 5", "the unit is missing: write 5 ms, or new_order.p95_ms", 17),
        ("a.tps > a.mean_ms", "compares a.tps with a.mean_ms; both sides need the same measure", 6),
        ("a.tps[x=1] > b.tps[x=2]", "two kinds can be compared", 11),
        ("a.tps[x=1]/tps > 1", "compares a.tps with tps at another place; two kinds can be", 11),
        ("tps[a=1", 'expected "," or "]"', 7),
        ("tps[a=1 b=2] > 5", 'expected "," or "]"', 8),
        ("tps[a] > 5", '"a" needs "=" and a level', 5),
        ("tps[a=] > 5", 'expected a level of "a"', 6),
        ("tps[] > 5", "expected a factor", 4),
        ("tps[a=1, a=2] > 5", '"a" is given twice', 9),
        ("tps[threads=4, threads=8] > 5", '"threads" is given twice', 15),
        ("tps[threads=0] > 5", 'threads needs a number above 0, not "0"', 12),
        ("tps[threads=many] > 5", 'threads needs a number above 0, not "many"', 12),
        ("tps[a=1]", "expected one of > < >= <= ~ !~", 8),
        ("tps[a=1] = tps[a=2]", '"=" is not a relation; for "the same within the margin" write ~', 9),
        ("tps[a=1] == 5", '"==" is not a relation', 9),
        ("tps = 5", '"=" needs "in every run" after its figure', 4),
        ("tps = 5 in every block", '"=" needs "in every run" after its figure', 4),
        ("tps ~ 5 in every run", '"~" has no meaning in every run', 4),
        ("tps = 5 in every run now", "the claim should end here", 21),
        ("tps[a=1]/tps[a=2] > 1 in every run", '"first" or "last" and a length of time', 25),
        ("tps[a=1] > qps[a=2]", "compares tps with qps; both sides need the same measure", 9),
        ("tps[a=1] > tps[a=1]", "both sides are the same", 9),
        ("tps[a=1, threads=8] > tps[a=2]", "name threads on both sides or on neither", 20),
        ("tps[a=1]/tps[a=2]", "expected one of > < >= <= ~ !~", 17),
        ("tps[a=1]/tps[a=2] > tps[a=3]", "a ratio must be compared with a figure, or with another ratio", 20),
        ("tps[a=1]/tps[a=2] > 0", "a ratio must be compared with a figure above 0", 20),
        ("tps[a=1]/qps[a=2] > 2", "a ratio of tps and qps; both need the same measure", 9),
        ("p95[a=1] < 20", "the unit is missing: write 20 ms, or p95_ms", 13),
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


WORDS = ("time", "some", *KEYWORDS)
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
relations = st.sampled_from([">", "<", ">=", "<=", "~", "!~"])
axes = (st.sampled_from([*LADDERS]) | names.filter(lambda name: "." not in name and name not in WORDS)).map(
    Axis
)
points = st.integers(1, 10_000).map(float)
ranges = (
    st.builds(Beyond, orders, points)
    | st.builds(lambda low, more: Between(low, low + more), points, points)
    | st.builds(OneOf, st.lists(points, min_size=1, max_size=3).map(tuple))
)
places = st.none() | st.builds(At, axes, ranges, st.booleans())
windows = (
    st.none()
    | st.builds(Window, st.sampled_from(["first", "last"]), st.integers(1, 9999).map(float))
    | st.builds(Window, st.sampled_from(["before", "after"]), st.just("full_pool") | st.just(60.0))
)
bands = st.none() | st.builds(Band, points, st.none(), st.just("%")) | st.just(Band(2.0, 3.5, "x"))
summaries = st.none() | st.builds(Summary, st.sampled_from(["cv", "sd"]), st.integers(1, 99).map(float))
counters = st.builds("status.{} per {}".format, st.text(letters, min_size=1, max_size=8), st.just("query"))


@st.composite
def parts(draw: st.DrawFn) -> ClaimPart:
    measure, summary = draw(measures | counters), draw(summaries)
    left, right = draw(selectors), draw(selectors)
    if left == right or (left.load is None) != (right.load is None):
        left, right = Selector((("a", "1"),)), Selector((("a", "2"),))
    one, other = Term(measure, left, summary), Term(measure, right, summary)
    plain = Term(measure, Selector((("a", draw(levels)),)), summary)
    axis = draw(axes.filter(lambda found: found.name != "a"))
    match draw(st.integers(0, 8)):
        case 0:
            relation = draw(relations)
            band = draw(bands) if relation in (">", "<") else None
            return ComparisonClaim((one, other), (relation,), (band,))
        case 1:
            return compared(Quotient(one, other), draw(relations), Figure(draw(figures)))
        case 2:
            return compared(Figure(draw(figures)), "<", one, "<=", Figure(draw(figures)))
        case 3:
            extreme = Extreme(draw(st.sampled_from(["max", "min", "spread"])), plain, (axis,))
            return compared(extreme, draw(relations), Figure(draw(figures)))
        case 4:
            return EveryRunClaim(one, draw(orders | st.just("=")), draw(figures))
        case 5:
            ends = st.sampled_from(["inside", "first", "last"])
            return BestClaim(draw(st.sampled_from(["best", "worst"])), plain, axis, draw(ranges | ends))
        case 6:
            knee = Bend(draw(st.sampled_from(["knee", "collapse"])), 12.5, plain, axis)
            if draw(st.booleans()):
                return KneeClaim(knee, "=", draw(ranges))
            beside = Bend("knee", 90.0, plain, axis)
            return KneeClaim(knee, draw(st.sampled_from([">", "<", ">=", "<=", "~"])), beside)
        case 7:
            side = Difference(one, other) if one.selector.load is None else plain
            clear = draw(
                axes.filter(lambda found: not any(found.name == name for name, _ in levels_of(side)))
            )
            return CourseClaim(side, draw(st.sampled_from(["rises", "falls"])), clear, draw(bands))
    return CauseClaim(left, draw(st.sampled_from(["=", "!="])), "disk")


def levels_of(side: Side) -> list[tuple[str, object]]:
    terms = (side.left, side.right) if isinstance(side, Difference) else (side,)
    return [pair for one in terms for pair in one.selector.levels]  # type: ignore[union-attr]


@given(st.lists(parts(), min_size=1, max_size=3), places, windows)
def test_what_is_written_back_parses_to_the_same(
    several: list[ClaimPart], at: At | None, window: Window | None
) -> None:
    claim = Claim(tuple(several), at, window)
    if at is not None and at.axis.is_load and any(one.selector.load is not None for one in claim.terms):
        claim = Claim(tuple(several), None, window)
    assert parse_claim(str(claim)) == claim


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("tps[a=1] > tps[a=2] > 5", compared(term("tps", a="1"), ">", term("tps", a="2"), ">", 5)),
        ("40 <= tps <= 50 /s", compared(40, "<=", term("tps"), "<=", 50)),
        ("tps[a=0] >= tps[a=other]", compared(term("tps", a="0"), ">=", term("tps", a=Among("other")))),
        ("tps[a=1|2] > 5", compared(term("tps", a=Among("or", ("1", "2"))), ">", 5)),
        ("max[a=1] < 1 s", compared(term("max_ms", a="1"), "<", 1000)),
        (
            "max max over threads, a < 1 s",
            compared(Extreme("max", term("max_ms"), (Axis("threads"), Axis("a"))), "<", 1000),
        ),
        ("spread tps over a < 5 %", compared(Extreme("spread", term("tps"), (Axis("a"),)), "<", 5)),
        ("qps rises over threads", CourseClaim(term("qps"), "rises", Axis("threads"))),
        (
            "tps falls over time by 1 to 30 %",
            CourseClaim(term("tps"), "falls", Axis("time"), Band(1, 30)),
        ),
        (
            "collapse qps over threads >= 512",
            KneeClaim(Bend("collapse", 10, term("qps"), Axis("threads")), "=", Beyond(">=", 512)),
        ),
        (
            "crossover qps[u=5], qps[u=9] over threads = 68..240",
            CrossoverClaim(term("qps", u="5"), term("qps", u="9"), Axis("threads"), Between(68, 240)),
        ),
        ("best tps over s = none|bfq", BestClaim("best", term("tps"), Axis("s"), OneOf(("none", "bfq")))),
        ("best tps over p = 1G..4G", BestClaim("best", term("tps"), Axis("p"), Between("1G", "4G"))),
        ("bottleneck[u=5] != disk", CauseClaim(Selector((("u", "5"),)), "!=", "disk")),
        (
            "status.Com_commit  per s > 5 /s",
            compared(term("status.Com_commit per s"), ">", 5),
        ),
    ],
)
def test_forms_of_parts(text: str, claim: ClaimPart) -> None:
    assert parse_claim(text) == Claim((claim,))


def test_place_and_window_are_of_all_parts() -> None:
    claim = parse_claim("tps[a=1] > tps[a=2] and qps is flat over b at some threads < 20 in last 10m")
    assert len(claim.parts) == 2
    assert claim.at == At(Axis("threads"), Beyond("<", 20.0), some=True)
    assert claim.window == Window("last", 600.0)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("tps[a=1] ~ tps[a=2] by 5 %", '"by" says how much greater one side is', 20),
        ("tps[a=1] > 5 by 5 %", '"by" needs two sides that are measured', 13),
        ("tps[a=1] > tps[a=2] by 5", 'expected "%" or "x" (times as much)', 24),
        ("tps[a=1] > tps[a=2] by 5 to 4 %", "a band must start at 0", 23),
        ("5 < 6 < tps", "expected a measure to compare the figure with", 0),
        ("tps[a=1] - tps[a=2] > tps", "are not of one kind", 20),
        ("best tps over threads = 32..16", "a range goes from the smaller to the greater", 24),
        ("best tps over s = none..bfq", '"none" has no place in an order', 18),
        ("best tps over s > none", '"none" has no place in an order', 18),
        ("best tps over threads is outside", 'expected "inside", "first" or "last"', 25),
        ("best tps[threads=4] over threads = 4", "goes over threads: name no threads in [ ]", 25),
        ("tps[a=4] rises over a", 'goes over a: name no level of it in [ ], as "tps[a=4]" does', 20),
        ("tps is flat over threads by 5 %", '"is flat" is within the margin', 25),
        ("tps rises", 'expected "over" and an axis', 9),
        ("knee tps over threads ~ 32", 'write "= 16..32"', 24),
        ("bottleneck = cpus", '"cpus" is not a bottleneck; did you mean "cpu"?', 13),
        ("tps falls over time before ful_pool", 'did you mean "full_pool"?', 27),
        ("tps[threads=4] > 5 at threads < 20", "has its own threads: keep one of them", 19),
        ("tps[threads=4|8] > 5", "for several write at threads = 8|64", 12),
        ("tps(mean, 10s) > 5", '"mean" is not a statistic of a course; did you mean "median"?', 4),
        ("tps(cv, 10) > 5", "expected a length of time", 8),
        ("status.Com_commit > 5", 'say "per query", "per transaction" or "per s"', 18),
    ],
)  # fmt: skip
def test_complaints_about_forms_say_where(text: str, message: str, at: int) -> None:
    with pytest.raises(ClaimSyntaxError) as caught:
        parse_claim(text)
    assert message in str(caught.value)
    assert caught.value.at == at


@given(st.text(max_size=40) | st.text(alphabet='tps[a=1]>~/ .,"5e-|', max_size=30))
def test_any_text_is_a_claim_or_a_complaint(text: str) -> None:
    with suppress(ClaimSyntaxError):
        parse_claim(text)
