"""The comparison of what a server counts of two tools that run the same script."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from benchmarks.counts.cases import read_cases
from benchmarks.counts.comparison import compare
from benchmarks.counts.tools import Ended
from benchmarks.counts.trial import Run, Trial


def trial(events: int, errors: int = 0, *, each: dict[str, float], around: dict[str, int]) -> Trial:
    """A trial with so many statements of each kind an event, and some that belong to the run."""

    def run(count: int, of_errors: int) -> Run:
        kinds = {*each, *around}
        counted = Counter({kind: round(each.get(kind, 0) * count) + around.get(kind, 0) for kind in kinds})
        return Run(Ended(0, "", count, of_errors), counted)

    return Trial(run(1, 0), run(events, errors))


THEIRS = trial(500, each={"Com_select": 14.0, "Com_begin": 1.0}, around={"Com_stmt_prepare": 36})


def test_more_events_and_questions_of_our_own_are_no_difference() -> None:
    around = {"Com_stmt_prepare": 36, "Com_select": 4}
    ours = trial(90_000, each={"Com_select": 14.0, "Com_begin": 1.0}, around=around)
    compared = compare(ours, THEIRS, 16, loose=False)
    assert compared.is_equal, compared
    assert compared.ours["Com_select"] == 14


@pytest.mark.parametrize(
    ("each", "around", "named"),
    [
        ({"Com_select": 14.01, "Com_begin": 1.0}, {"Com_stmt_prepare": 36}, "Com_select: 14.0100 and 14.0"),
        ({"Com_select": 14.0}, {"Com_stmt_prepare": 36}, "Com_begin: 0.0000 and 1.0000"),
        ({"Com_select": 14.0, "Com_begin": 1.0}, {"Com_stmt_prepare": 35}, "Com_stmt_prepare: -1 a run"),
        ({"Com_select": 14.0, "Com_begin": 1.0}, {"Com_stmt_prepare": 36, "Com_set_option": 1}, "Com_set_"),
    ],
)
def test_a_difference_is_named(each: dict[str, float], around: dict[str, int], named: str) -> None:
    compared = compare(trial(900, each=each, around=around), THEIRS, 16, loose=False)
    assert any(named in one for one in compared.differences), compared.differences


def test_an_event_that_was_repeated_is_no_difference() -> None:
    each = {"Com_select": 14.0, "Com_begin": 1.0}
    ours = trial(1000, errors=3, each=each, around={"Com_stmt_prepare": 36})
    assert ours.whole is not None
    ours.whole.counted["Com_begin"] += 3
    assert compare(ours, THEIRS, 16, loose=False).is_equal
    ours.whole.counted["Com_begin"] += 10
    assert not compare(ours, THEIRS, 16, loose=False).is_equal


def test_the_one_event_of_a_short_run_by_chance_has_any_statements() -> None:
    each, around = {"Com_insert": 5.7}, {"Com_stmt_prepare": 36}
    ours, theirs = (trial(1000, each=each, around=around) for _ in range(2))
    assert ours.short is not None
    assert ours.whole is not None
    for run in (ours.short, ours.whole):
        run.counted["Com_insert"] += 15
    assert compare(ours, theirs, 1, loose=True).is_equal
    assert not compare(ours, theirs, 1, loose=False).is_equal
    ours.whole.counted["Com_insert"] += 2000
    assert not compare(ours, theirs, 1, loose=True).is_equal


def test_a_run_without_events_is_no_agreement() -> None:
    ours = trial(1, each={"Com_select": 14.0}, around={})
    assert not compare(ours, THEIRS, 1, loose=True).is_equal


def test_cases_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "cases.toml"
    file.write_text('[[case]]\nscript = "a.lua"\nbefore = ["load"]\nloose = true\n')
    (case,) = read_cases(file)
    assert (case.title, case.before, case.after, case.loose) == ("a.lua", ["load"], ["cleanup"], True)
    file.write_text('[[case]]\nscript = "a.lua"\nopts = []\n')
    with pytest.raises(msgspec.ValidationError, match="opts"):
        read_cases(file)
