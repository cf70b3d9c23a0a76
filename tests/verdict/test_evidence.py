"""A decision rests on blocks, an interval, doubts and a kind of work, or it is an estimate."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from assay.design.study import Work, work_of
from assay.results.verdict import Decision, Side, unpaired_decision

FIRM: dict[str, Any] = {
    "work": Work("server"),
    "figure": 1.02,
    "low": 1.0,
    "high": 1.04,
    "blocks": (6, 6),
    "fewest": 6,
    "confidence": 0.95,
    "doubts": {},
}


@pytest.mark.parametrize("missing", [field.name for field in fields(Decision)])
def test_nothing_that_a_decision_rests_on_has_a_default(missing: str) -> None:
    with pytest.raises(TypeError, match=missing):
        Decision(**{name: value for name, value in FIRM.items() if name != missing})


@pytest.mark.parametrize(
    ("changes", "obstacles"),
    [
        ({}, ()),
        ({"doubts": {"other-measurement": "warning"}}, ()),
        ({"blocks": (6, 5)}, ("few-blocks",)),
        ({"blocks": (6, 0)}, ("few-blocks",)),  # a printed figure
        ({"fewest": 0, "blocks": (1,)}, ("few-blocks",)),
        ({"doubts": {"shared-history": "warning"}}, ("shared-history",)),
        ({"doubts": {"debug-build": "invalid"}, "blocks": (1,)}, ("few-blocks", "invalid")),
    ],
)
def test_an_estimate_has_no_interval(changes: dict[str, Any], obstacles: tuple[str, ...]) -> None:
    found = Decision(**(FIRM | changes))
    assert found.obstacles == obstacles
    assert found.interval == (None if obstacles else (1.0, 1.04))


def test_the_smallest_ratio_follows_from_the_interval_and_so_do_the_blocks_for_a_smaller_one() -> None:
    found = Decision(**FIRM)
    assert found.smallest_ratio == pytest.approx(1.028, abs=0.001)
    assert found.blocks_for(found.smallest_ratio or 0) == 6
    needed = found.blocks_for(1.01)
    assert needed is not None
    assert 25 < needed < 60
    assert found.blocks_for(1.0001) is None
    assert Decision(**(FIRM | {"low": None, "high": None})).smallest_ratio is None


def side(*blocks: float, doubts: Any = None, value: float = 5.0) -> Side:
    return Side(
        work=Work("server"), value=value, blocks=blocks, fewest=6, confidence=0.95, doubts=doubts or {}
    )


def test_sides_that_were_measured_apart_have_a_ratio_and_an_interval_only_by_blocks() -> None:
    six = (10.0, 11.0, 10.5, 9.5, 10.2, 10.4)
    firm = unpaired_decision(side(*six), side(*(one / 2 for one in six)))
    assert firm is not None
    assert firm.figure == pytest.approx(2.0)
    assert firm.interval is not None
    for other in (side(*six[:2]), side(), side(*six, doubts={"shared-history": "warning"})):
        found = unpaired_decision(side(*six), other)
        assert found is not None
        assert found.interval is None
    assert unpaired_decision(side(*six), side(value=0.0)) is None


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("oltp_read_write", "oltp_read_write", True),
        ("oltp_read_write", "lua:/usr/share/sysbench/oltp_read_write.lua", True),
        ("oltp_read_write", "tpcc", False),
        ("lua:shop.lua", "lua:own.lua", False),
        ("oltp_read_write", "imported:sysbench", True),  # which test it was is not known
        ("oltp_read_write", "imported-files:fio", False),
        ("fileio", "select", False),
        ("fileio", "fio:five-jobs.fio", True),
        ("fileio", "innodb-pattern", False),
        ("fileio", "imported-files:fio", True),
    ],
)
def test_work_of_two_kinds_is_told_apart(one: str, other: str, like: bool) -> None:
    assert work_of([one]).is_like(work_of([other])) is like
    assert work_of([other]).is_like(work_of([one])) is like
