"""The effect of watching: what each stretch of a profile window did, beside the measured window."""

from __future__ import annotations

from assay.design.folder import ProfileWindow, Stretch
from assay.results.ledger import MeasuredLoad, WatchedLoad
from assay.results.store.profiles import source_rows, watched_measures
from assay.results.verdict.why.unwatched import SOURCES
from assay.results.verdict.why.watching import STRETCHES


def stretch(transactions: float, *, cut: bool = False) -> Stretch:
    return Stretch(begin_wall_ns=0, end_wall_ns=2 * 10**9, queries=9, transactions=transactions, cut=cut)


def test_a_stretch_that_the_load_left_belongs_to_ledgers() -> None:
    cut = {"main": stretch(9, cut=True), "tail": stretch(9, cut=True), "counting": stretch(9, cut=True)}
    rows = source_rows(WatchedLoad(ProfileWindow(**cut)))
    noted = {source for source, what, _, _ in rows if what == "note"}
    assert len(noted) == 3
    assert all(SOURCES[source] for source in noted)


def test_each_stretch_has_its_effect_and_one_that_the_load_left_has_none() -> None:
    closed = MeasuredLoad(4.0, "threads", {"tps": 100.0})
    window = ProfileWindow(main=stretch(198), tail=stretch(180), counting=stretch(160))
    found = {one.name: one.value for one in watched_measures(window, closed)}
    assert found == {"watched_tps_pct": 99.0, "recorded_tps_pct": 90.0, "counted_tps_pct": 80.0}
    assert list(found) == list(STRETCHES)
    cut = ProfileWindow(main=stretch(198), tail=stretch(10, cut=True))
    assert [one.name for one in watched_measures(cut, closed)] == ["watched_tps_pct"]
    assert not list(watched_measures(window, MeasuredLoad(50.0, "rate", {"tps": 100.0})))
    assert not list(watched_measures(window, MeasuredLoad(4.0, "threads", {})))
