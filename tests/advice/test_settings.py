"""Which settings are advised by the words of comparisons, and what several studies say together."""

from __future__ import annotations

import pytest
from assay.results.advice import (
    Effect,
    Finding,
    ServerAdvice,
    Source,
    TriedFactor,
    TriedLevel,
    choose,
    combined,
)
from assay.testing.builders import decision

A, B, C = "innodb_io_capacity", "innodb_purge_threads", "innodb_page_cleaners"


def level(value: str, *words: str, ratio: float = 1.2, tails: str = "", name: str = A) -> TriedLevel:
    """A level with one word for each load point, and one for the tail of latency at each."""
    effects = [
        Effect("tps", 8.0 * at, "threads", decision(ratio, ratio - 0.1, ratio + 0.1), word)
        for at, word in enumerate(words, start=1)
    ]
    tail = [Effect("p95_ms", 8, "threads", decision(0.9), tails)] if tails else []
    return TriedLevel({name: value}, (*effects, *tail))


def outcome(*others: TriedLevel) -> tuple[str, str]:
    found = choose(TriedFactor("a", (TriedLevel({A: "1"}), *others)))
    return found.outcome, found.level.settings[A]


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        ([level("2", "better", "same")], ("take", "2")),
        ([level("2", "better", "better", tails="undecided")], ("take", "2")),
        ([level("2", "better", "better", tails="worse")], ("depends", "2")),
        ([level("2", "better"), level("3", "better", ratio=1.5)], ("take", "3")),
        ([level("2", "better"), level("3", "worse", ratio=0.5)], ("take", "2")),
        ([level("2", "better", "undecided")], ("undecided", "2")),
        ([level("2", "better", "more")], ("undecided", "2")),
        ([level("2", "better", "worse")], ("depends", "2")),
        ([level("2", "worse", "same", ratio=0.8)], ("keep", "1")),
        ([level("2", "worse", ratio=0.8), level("3", "undecided")], ("undecided", "2")),
        ([level("2", "same", "same")], ("no-difference", "1")),
        ([level("2", "same"), level("3", "undecided")], ("undecided", "2")),
        ([level("2", "same", tails="better")], ("undecided", "2")),
        ([level("2")], ("undecided", "2")),
    ],
)
def test_words_decide(others: list[TriedLevel], wanted: tuple[str, str]) -> None:
    assert outcome(*others) == wanted


def finding(
    study: str, *levels: TriedLevel, first: dict[str, str] | None = None, **conditions: str
) -> Finding:
    """What a study found of a variable whose first value is 1."""
    tried = TriedFactor("a", (TriedLevel(first or {A: "1"}), *levels))
    return Finding(Source(study, 8, conditions), choose(tried))


def concluded(*findings: Finding) -> list[tuple[str, dict[str, str]]]:
    advice = ServerAdvice("mysql", "8.0.36", findings)
    return [(one.conclusion, dict(one.settings)) for one in advice.conclusions()]


TAKES_2 = finding("takes", level("2", "better"))


@pytest.mark.parametrize(
    ("other", "wanted"),
    [
        (finding("same", level("2", "better")), ("set", {A: "2"})),
        (finding("equal", level("2", "same")), ("set", {A: "2"})),
        (finding("open", level("2", "undecided")), ("set", {A: "2"})),
        (finding("keeps", level("2", "worse", ratio=0.8)), ("conflict", {})),
        (finding("more", level("3", "better")), ("conflict", {})),
        (finding("mixed", level("2", "better", "worse")), ("conflict", {})),
        (finding("tail", level("2", "undecided", tails="worse")), ("conflict", {})),
        (finding("three", level("3", "worse", ratio=0.8)), ("set", {A: "2"})),
    ],
)
def test_two_studies_of_one_variable(other: Finding, wanted: tuple[str, dict[str, str]]) -> None:
    assert concluded(TAKES_2, other) == [wanted]
    assert concluded(other, TAKES_2) == [wanted]


def test_a_study_that_compared_both_values_prevails() -> None:
    both = finding("both", level("2", "better"), level("3", "better", ratio=1.5))
    assert concluded(TAKES_2, both) == [("set", {A: "3"})]
    other = finding("other", level("3", "worse", ratio=0.8), first={A: "2"})
    assert concluded(both, other) == [("conflict", {})]


def test_studies_that_advise_nothing_agree_only_where_both_found_no_difference() -> None:
    same, open_ = finding("same", level("2", "same")), finding("open", level("2", "undecided"))
    mixed = finding("mixed", level("2", "better", "worse"))
    assert concluded(same, same) == [("no-difference", {})]
    assert concluded(same, open_) == [("undecided", {})]
    assert concluded(same, mixed) == [("depends", {})]


def test_spellings_of_one_value_do_not_conflict() -> None:
    one = finding("one", level("16M", "better"))
    assert concluded(one, finding("other", level("16777216", "better")))[0][0] == "set"
    assert concluded(one, finding("other", level("32M", "better")))[0][0] == "conflict"
    on = finding("on", level("ON", "better"), first={A: "OFF"})
    assert concluded(on, finding("1", level("1", "better"), first={A: "0"}))[0][0] == "set"


def test_findings_about_different_variables_stay_apart() -> None:
    other = finding("other", level("2", "same", name=B), first={B: "1"})
    assert concluded(TAKES_2, other) == [("set", {A: "2"}), ("no-difference", {})]


def test_variables_that_one_study_ties_are_concluded_together() -> None:
    tied = finding("tied", TriedLevel({A: "2", B: "9"}, level("2", "better").effects), first={A: "1", B: "1"})
    assert concluded(TAKES_2, tied) == [("set", {A: "2", B: "9"})]
    b = finding("b", level("3", "better", name=B), first={B: "1"})
    assert concluded(TAKES_2, b, tied) == [("conflict", {})]


FLUSH = "innodb_flush_log_at_trx_commit"


@pytest.mark.parametrize(
    ("first", "value", "conclusion"),
    [("1", "2", "risky"), ("1", "0", "risky"), ("2", "0", "risky"), ("0", "2", "risky"), ("2", "1", "set")],
)
def test_a_level_that_gives_up_durability_is_not_set(first: str, value: str, conclusion: str) -> None:
    found = finding("s", level(value, "better", name=FLUSH), first={FLUSH: first})
    assert concluded(found) == [(conclusion, {FLUSH: value})]


def test_advice_is_combined_by_flavour_and_version() -> None:
    mysql, other = ServerAdvice("mysql", "8.0.36", (TAKES_2,)), finding("keeps", level("2", "worse"))
    newer, maria = ServerAdvice("mysql", "8.4.0", (other,)), ServerAdvice("mariadb", "10.11.14", (other,))
    again = ServerAdvice("mysql", "8.0.36", (other,), names_known=False)
    found = combined([mysql, newer, maria, again])
    assert [(one.flavour, one.version, len(one.findings)) for one in found] == [
        ("mysql", "8.0.36", 2),
        ("mysql", "8.4.0", 1),
        ("mariadb", "10.11.14", 1),
    ]
    assert [one.names_known for one in found] == [False, True, True]
    assert [one.conclusions()[0].conclusion for one in found] == ["conflict", "set", "set"]


def test_only_conditions_that_differ_are_listed() -> None:
    here = finding("here", level("2", "better"), host="one", data="d")
    there = finding("there", level("2", "better"), host="other", data="d")
    advice = ServerAdvice("mysql", "8.0.36", (here, there))
    assert {name: [text for _, text in each] for name, each in advice.differing.items()} == {
        "host": ["one", "other"]
    }
