"""The smallest set of changes that restores a plan is found where one was planted, and no other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from assay.experiments.cause.plan_changes import (
    PlanChange,
    contradicts,
    index_changes,
    setting_changes,
    switches,
    variables_of,
    with_indexes,
)
from assay.experiments.cause.plan_search import smallest_sets
from assay.results.verdict import Step


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_planted_set_is_found_and_no_larger_one(size: int) -> None:
    random = np.random.default_rng(size)
    for _ in range(20):
        planted = {tuple(sorted(random.choice(25, size, replace=False).tolist())) for _ in range(2)}
        found = smallest_sets(range(25), planted.__contains__)
        assert set(found.sets) == planted
        assert found.is_whole


def test_a_change_that_undoes_another_does_not_hide_it() -> None:
    """Plans are not monotonic: two flags together may do what each alone does not, and a third undo it."""
    found = smallest_sets("abcd", lambda one: "a" in one and ("b" in one) != ("c" in one))
    assert found.sets == (("a", "b"), ("a", "c"))


def test_a_search_without_an_answer_says_whether_it_was_whole() -> None:
    whole = smallest_sets(range(6), lambda _: False)
    assert (whole.sets, whole.asked, whole.is_whole) == ((), 6 + 15 + 20, True)
    cut = smallest_sets(range(6), lambda _: False, most_asked=10)
    assert (cut.asked, cut.is_whole) == (10, False)
    late = smallest_sets(range(6), lambda _: False, goes_on=iter([True, True, False]).__next__)
    assert (late.asked, late.is_whole) == (2, False)
    apart = smallest_sets("aab", lambda one: len(one) == 2, excludes=lambda one: len(set(one)) < len(one))
    assert apart.sets == (("a", "b"), ("a", "b"))


def test_flags_that_differ_come_first_and_then_the_others_turned_round() -> None:
    first = {"optimizer_switch": "mrr=on,icp=on,x=default", "join_cache_level": "2", "max_connections": "9"}
    second = {
        "optimizer_switch": "mrr=off,icp=on,x=default,new=on",
        "join_cache_level": "8",
        "max_connections": "5",
    }
    changes = setting_changes(first, second)
    assert list(map(str, changes)) == [
        "optimizer_switch='mrr=on'",
        "join_cache_level=2",
        "optimizer_switch='icp=off'",
        "optimizer_switch='new=off'",
    ]
    assert variables_of(changes[:3], {"optimizer_switch": "icp=on,hash=on"}) == {
        "join_cache_level": 2,
        "optimizer_switch": "icp=off,hash=on,mrr=on",
    }
    assert not any(contradicts(pair) for pair in combinations(changes, 2))
    assert contradicts([changes[1], PlanChange("variable", "join_cache_level", 4)])
    assert switches("A=ON,b=off,c=default") == {"a": "on", "b": "off"}


@pytest.mark.parametrize(
    ("statement", "table", "hinted"),
    [
        ("SELECT c FROM t WHERE a=1", "t", "SELECT c FROM t FORCE INDEX (`k`) WHERE a=1"),
        (
            "SELECT c FROM `t` AS x, u WHERE x.a=1",
            "x",
            "SELECT c FROM `t` AS x FORCE INDEX (`k`), u WHERE x.a=1",
        ),
        (
            "select 1 from u join db.t on t.a = u.a",
            "t",
            "select 1 from u join db.t FORCE INDEX (`k`) on t.a = u.a",
        ),
        ("UPDATE t SET a=1", "t", "UPDATE t FORCE INDEX (`k`) SET a=1"),
        ("SELECT 1 FROM tt, t b WHERE 1", "b", "SELECT 1 FROM tt, t b FORCE INDEX (`k`) WHERE 1"),
        ("SELECT 1 FROM tt", "t", None),
    ],
)
def test_an_index_is_forced_where_the_table_stands(statement: str, table: str, hinted: str | None) -> None:
    (change,) = index_changes([Step(table, "ref", "k", 1, ""), Step("<derived2>", "ref", "key0", 1, "")])
    assert with_indexes(statement, [change]) == hinted
