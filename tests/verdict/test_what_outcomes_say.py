"""An outcome says in words what its formula would overstate: "not less by more than 2 %" beside `>=`."""

from __future__ import annotations

import pytest
from assay.results.verdict import wording
from assay.results.verdict.answers import NotBeyond, said_by
from spoken import english
from test_forms import by_a, weighed

PAIRS = "tps[a=2] {} tps[a=1]"
RATIOS = "tps[a=2]/tps[a=1] {} tps[a=8]/tps[a=4]"
SAYS = [
    (">=", 0.99, "supported", "not-less"),
    (">=", 1.05, "supported", None),  # it is more, as the formula reads
    ("<=", 1.01, "supported", "not-more"),
    ("<=", 0.9, "supported", None),
    (">", 1.01, "refuted", "not-more"),
    (">", 0.9, "refuted", None),
    ("<", 0.99, "refuted", "not-less"),
    ("<", 1.1, "refuted", None),
    (">", 1.1, "supported", None),
    ("~", 1.0, "supported", None),
    ("!~", 1.1, "supported", None),
]


@pytest.mark.parametrize("form", [PAIRS, RATIOS])
@pytest.mark.parametrize(("relation", "ratio", "outcome", "word"), SAYS)
def test_an_outcome_says_what_its_formula_overstates(
    form: str, relation: str, ratio: float, outcome: str, word: str | None
) -> None:
    parts = weighed(form.format(relation), by_a(100, 100 * ratio, 100, 100), noise=0.0005)
    assert {one.part.outcome for one in parts} == {outcome}
    assert {one.part.says and one.part.says.word for one in parts} == {word}
    said = {"not-less": "not less by more than 2 %", "not-more": "not more by more than 2 %"}
    for one in parts:
        for key, words in said.items():
            assert (words in english(one.said)) == (word == key)


def test_the_largest_of_several_says_so_too() -> None:
    parts = weighed("max tps[b=x] over a >= max tps[b=y] over a", lambda a, b, load: 99 if b == "x" else 100)
    assert said_by([one.part for one in parts]) == NotBeyond("not-less", 0.02)


def test_a_figure_and_a_band_are_compared_without_a_margin() -> None:
    for claim in ("tps[a=2]/tps[a=1] >= 0.97", "tps[a=2] > tps[a=1] by 10 %", "tps[a=2] >= 95"):
        assert {one.part.says for one in weighed(claim, by_a(100, 99, 1, 1))} == {None}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (("tps", "p95_ms"), "no “point_select”; p95_ms is that of all of them"),
        (("tps", "new_order.p95_ms", "payment.tps"), "kinds that are counted: new_order, payment"),
        (("tps", "point_select.p95_ms"), ""),
    ],
)
def test_a_kind_that_no_run_counted_is_named(known: tuple[str, ...], said: str) -> None:
    found = wording.uncounted_kinds(["tps", "point_select.p95_ms"], known)
    assert said in english(found)
    assert bool(found) == bool(said)
    assert wording.uncounted_kinds(["tps", "status.Com_commit per s", "fact.aio_nr"], known) == ()
