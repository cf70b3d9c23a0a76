"""Where to look first: the one line that has most of a difference, whichever ledger it is in."""

# ruff: noqa: E501 (one row a case)

from __future__ import annotations

from dataclasses import replace

import pytest
from assay.reporting.report.first_look import first_sentences, looks_of
from assay.reporting.report.ledger_sentences import Telling
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict import (
    COUNTERS,
    LedgerShift,
    LineShift,
    LineWord,
    PlanChange,
    SeenPlans,
    StatementChange,
    Step,
    WatchedShare,
)

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
TRADED = ledger("time", 1000, line("client", -466), line("runnable", 356), line("on-cpu", 104), moved=False)
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
        ((TRADED, CHARSET), "character sets, my_uca (+25 µs per query on processors)"),
        ((FAR, IDLE), "client and network (+150 µs per transaction)"),
        ((BUSY, IDLE), "waiting for a processor (+150 µs per transaction)"),
        ((CHARSET,), "character sets, my_uca (+25 µs per query on processors)"),
        ((COUNTS,), "3.0 more sorted rows per query"),
        ((BUSY, IDLE, COUNTS), "waiting for a processor (+150 µs per transaction), 3.0 more sorted rows per query"),
    ],
)  # fmt: skip
def test_the_line_that_has_most_of_it_is_named(shifts: tuple[LedgerShift, ...], said: str) -> None:
    assert sentences(*shifts) == [f"b against a, at 4 threads: look first at {said}."]


def sentences(
    *shifts: LedgerShift,
    plans: tuple[PlanChange, ...] = (),
    statements: tuple[StatementChange, ...] = (),
    shares: tuple[WatchedShare, ...] = (),
    how: Telling = HOW,
) -> list[str]:
    seen = SeenPlans(plans, (), (), (), statements=statements)
    return first_sentences(looks_of(shifts, seen, shares, how.needed), shifts, how)


READS = line("data-reads", 200)


@pytest.mark.parametrize(
    ("waits", "first"),
    [
        ((line("runnable", 450), READS, line("on-cpu", 173)), "reading data"),
        ((line("runnable", 450), READS, line("on-cpu", 210)), "waiting for a processor"),
        ((line("runnable", 390), READS, line("on-cpu", 210)), "reading data"),
        ((line("runnable", 900), READS, line("on-cpu", 20)), "waiting for a processor"),
    ],
)
def test_a_wait_stands_before_what_follows_from_processors(waits: tuple[LineShift, ...], first: str) -> None:
    """Waiting for a processor follows from all that takes longer: the larger of its causes is named."""
    (said,) = sentences(ledger("time", 1000, *waits), CHARSET)
    assert said.partition("look first at ")[2].startswith(first)


def test_where_nothing_moved_nothing_is_said() -> None:
    still = ledger("time", 1000, line("row-locks", 1, word="bounded"), moved=False)
    assert sentences(still, IDLE) == []
    assert sentences(still, IDLE, statements=(StatementChange("a", "b", ("SELECT 1",), (), 6),)) == []


def test_what_is_certain_and_too_small_to_be_of_use_is_not_looked_at_first() -> None:
    small = line("sort", 0.2)
    assert sentences(ledger("cpu", 100, small)) == []
    assert sentences(ledger("cpu", 50, small)) == [
        "b against a, at 4 threads: look first at sorting and temporary tables (+0.20 µs per query on processors)."
    ]


def test_estimates_are_looks_that_no_sentence_has() -> None:
    """Few blocks give no word, but a program may ask what is largest."""
    waits = line("row-locks", 9, word="estimate-only"), line("client", 2, word="estimate-only")
    found = ledger("time", 1000, *waits, moved=False)
    (looks,) = looks_of((found,), SeenPlans((), (), (), ()), (), 6).values()
    assert [(one.ledger, one.line and one.line.group, one.is_certain) for one in looks] == [
        ("time", "row-locks", False)
    ]
    assert sentences(found) == []
    certain = ledger("cpu", 100, line("charset", 25))
    assert sentences(found, certain) == [
        "b against a, at 4 threads: look first at character sets (+25 µs per query on processors)."
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_is_named_where_all_blocks_have_it(language: str) -> None:
    before, after = ((Step("t", access, key, 10, ""),) for access, key in (("ref", "k_1"), ("ALL", "")))
    how = Telling(load_words(language), {}, "threads", 6)
    for blocks in (5, 6):
        plan = PlanChange("SELECT c FROM t WHERE k = 5", "a", ("b",), before, after, blocks)
        found = sentences(IDLE, plans=(plan,), how=how)
        assert len(found) == (blocks == 6)
        assert all("SELECT c FROM t" in one and "k_1" in one and "ALL" in one for one in found)


def test_a_plan_stands_before_what_it_costs() -> None:
    plan = PlanChange(
        "SELECT 1", "a", ("b",), (Step("t", "ref", "k", 1, ""),), (Step("t", "ALL", "", 1, ""),), 6
    )
    (said,) = sentences(LOCKS, plans=(plan,))
    assert said.index("another plan of SELECT 1") < said.index("row locks")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("before", "after"), [(("SELECT a",), ("SELECT b",)), (("SELECT a",), ()), ((), ("SELECT b",))]
)
def test_a_statement_that_one_side_alone_sends_is_named_after_the_line(
    language: str, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    how = Telling(load_words(language), {}, "threads", 6)
    changes = StatementChange("a", "b", before, after, 6), StatementChange("a", "c", ("SELECT c",), (), 6)
    (said,) = sentences(CHARSET, COUNTS, statements=changes, how=how)
    assert all(one in said for one in (*before, *after))
    assert "SELECT c" not in said
    assert said.index("my_uca") < min(said.index(one) for one in (*before, *after))


TWENTY = ledger(COUNTERS, 0, LineShift("statements_per_transaction", "", "1", 20, 20, 0, 0, 0, "bounded"))
MORE = ledger(
    COUNTERS, 0, line("statements_per_transaction", 30, unit="1"), line("sorted_rows_per_query", 3, unit="1")
)


def opened(connections: float) -> LedgerShift:
    """Returns counters of a load that opens so many more connections for each transaction."""
    return ledger(COUNTERS, 0, line("connections_per_transaction", connections, unit="1"))


def tried_again(rollbacks: float) -> LedgerShift:
    """Returns counters of transactions with 30 % more statements, and so many more rollbacks of each."""
    more = LineShift("rollbacks_per_transaction", "", "1", 0.1, 0.1 + rollbacks, rollbacks, 0, 0, "moved")
    return replace(MORE, lines=(*MORE.lines, more))


@pytest.mark.parametrize(
    ("shifts", "first"),
    [
        ((FAR, MORE), "30 more statements per transaction"),
        ((FAR, opened(1.0)), "1.0 more connections per transaction"),
        ((FAR, opened(0.01)), "client and network"),
        ((FAR, tried_again(0.1)), "30 more statements per transaction"),
        ((ledger("time", 100, line("row-locks", 50)), tried_again(0.3)), "row locks"),
        ((CHARSET, MORE), "30 more statements per transaction"),
        ((ledger("time", 100, line("row-locks", 70)), MORE), "row locks"),
        ((ledger("time", 1000, line("client", 200), line("data-reads", 120)),), "reading data"),
        ((ledger("time", 1000, line("client", 200), line("data-reads", 80)),), "client and network"),
        ((LOCKS, CHARSET, TWENTY), "character sets"),
        ((ledger("time", 1000, line("row-locks", 600)), CHARSET, TWENTY), "row locks"),
        ((ledger("cpu", 100, line("unnamed", 20), line("charset", 15)),), "character sets"),
        ((ledger("time", 1000, line("unnamed", 200), line("client", 20)), COUNTS), "3.0 more sorted rows"),
    ],
)  # fmt: skip
def test_a_consequence_makes_room_for_its_cause(shifts: tuple[LedgerShift, ...], first: str) -> None:
    (said,) = sentences(*shifts)
    assert said.partition("look first at ")[2].startswith(first)


def test_a_watched_load_that_was_another_one_explains_nothing() -> None:
    """A window that begins with a cold pool is measured while it reads, and watched when it does no more."""
    counts = ledger(COUNTERS, 0, line("pages_read_per_query", 3, unit="1"))
    for share, first in ((3.0, "3.0 more pages read"), (1.2, "row locks")):
        watched = WatchedShare("b", 4, "recorded_tps_pct", share, share - 0.1, share + 0.1, share)
        (said,) = sentences(LOCKS, counts, shares=(watched,))
        assert said.partition("look first at ")[2].startswith(first)
