from __future__ import annotations

from types import SimpleNamespace
from typing import Any, get_args

from assay.front.web.result.run_page import doubts_of
from assay.reporting.report import load_words
from assay.results.verdict import GRAVEST_FIRST, DoubtNote, Severity

NOTES = [
    DoubtNote("throttled", f"{run} {load} {severity}", run, load, severity)
    for severity in get_args(Severity)
    for run in (None, "one", "other")
    for load in (None, 1.0, 8.0)
]
ONE: Any = SimpleNamespace(words=load_words("en"))
OPENED: Any = SimpleNamespace(judged=SimpleNamespace(results=SimpleNamespace(doubts=NOTES)))


def test_doubts_of_runs_are_listed_with_the_most_serious_first() -> None:
    assert [note.severity for note in NOTES] != sorted(
        (note.severity for note in NOTES), key=GRAVEST_FIRST.index
    )
    for runs, load, count in ((["one"], None, 9), (["one"], 8.0, 6), ([None, "one", "other"], 1.0, 18)):
        found = doubts_of(ONE, OPENED, runs, load)
        assert [severity for severity, *_ in found] == [s for s in GRAVEST_FIRST for _ in range(count // 3)]
        assert {run for *_, run in found} == set(runs)
