"""Where to look first: the one line that has most of a difference, whichever ledger it is in."""

# ruff: noqa: E501 (one row a case)

from __future__ import annotations

import pytest
from assay.reporting.report.first_look import first_looks
from assay.reporting.report.ledger_sentences import Telling
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict import COUNTERS, LedgerShift, LineShift, LineWord, PlanChange, Step

HOW = Telling(load_words("en"), {}, "threads", 6)


def line(group: str, change: float, name: str = "", word: LineWord = "moved", unit: str = "us") -> LineShift:
    return LineShift(group, name, unit, 100.0, 100.0 + change, change, change - 1, change + 1, word)


def ledger(name: str, before: float, *lines: LineShift, moved: bool = True) -> LedgerShift:
    change = sum(one.change for one in lines if not one.line)
    ends = {"low": change - 1, "high": change + 1}
    return LedgerShift("a", "b", 4, name, 6, lines, before, before + change, change, **ends, moved=moved)


LOCKS = ledger(
    "time", 1000, line("row-locks", 400), line("row-locks", 390, "auto-increment lock"), line("on-cpu", 20)
)
BUSY = ledger("time", 1000, line("runnable", 150), line("on-cpu", 60), line("client", -20))
FAR = ledger("time", 1000, line("client", 150), line("on-cpu", 60))
CHARSET = ledger(
    "cpu", 100, line("charset", 25), line("charset", 20, "my_uca"), line("commit", -2), line("sort", 2)
)
IDLE = ledger("cpu", 100, line("charset", 1, word="bounded"), moved=False)
COUNTS = ledger(
    COUNTERS,
    100,
    line("server_cpu_us_per_query", 50),
    line("sorted_rows_per_query", 3, unit="1"),
    line("full_scans_per_query", 0.1, word="by-the-clock", unit="1"),
)


@pytest.mark.parametrize(
    ("shifts", "said"),
    [
        ((LOCKS, CHARSET), "row locks, auto-increment lock (+400 µs per transaction)"),
        ((BUSY, CHARSET), "character sets, my_uca (+25 µs per query on processors)"),
        ((FAR, CHARSET), "character sets, my_uca (+25 µs per query on processors)"),
        ((FAR, IDLE), "client and network (+150 µs per transaction)"),
        ((BUSY, IDLE), "waiting for a processor (+150 µs per transaction)"),
        ((CHARSET,), "character sets, my_uca (+25 µs per query on processors)"),
        ((COUNTS,), "3.0 more sorted rows per query"),
        ((BUSY, IDLE, COUNTS), "waiting for a processor (+150 µs per transaction), 3.0 more sorted rows per query"),
    ],
)  # fmt: skip
def test_the_line_that_has_most_of_it_is_named(shifts: tuple[LedgerShift, ...], said: str) -> None:
    assert first_looks(shifts, (), HOW) == [f"b against a, at 4 threads: look first at {said}."]


def test_where_nothing_moved_nothing_is_said() -> None:
    still = ledger("time", 1000, line("row-locks", 1, word="bounded"), moved=False)
    assert first_looks((still, IDLE), (), HOW) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_is_named_where_all_blocks_have_it(language: str) -> None:
    before, after = ((Step("t", access, key, 10, ""),) for access, key in (("ref", "k_1"), ("ALL", "")))
    how = Telling(load_words(language), {}, "threads", 6)
    for blocks in (5, 6):
        plan = PlanChange("SELECT c FROM t WHERE k = 5", "a", ("b",), before, after, blocks)
        found = first_looks((IDLE,), (plan,), how)
        assert len(found) == (blocks == 6)
        assert all("SELECT c FROM t" in one and "k_1" in one and "ALL" in one for one in found)
