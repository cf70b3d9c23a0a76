from __future__ import annotations

from itertools import pairwise
from typing import get_args

from assay.results.verdict import GRAVEST_FIRST, DoubtNote, Severity, by_severity, gravest


def test_every_severity_has_its_place_and_equal_ones_keep_their_order() -> None:
    assert sorted(GRAVEST_FIRST) == sorted(get_args(Severity))
    notes = [
        DoubtNote(f"{severity}-{turn}", "", None, None, severity)
        for turn in "ab"
        for severity in get_args(Severity)
    ]
    found = [note.kind for note in by_severity(reversed(notes))]
    assert found == [f"{severity}-{turn}" for severity in GRAVEST_FIRST for turn in "ba"]


def test_a_kind_has_its_gravest_severity() -> None:
    for graver, milder in pairwise(GRAVEST_FIRST):
        assert gravest({"x": milder}, {"x": graver}) == gravest({"x": graver}, {"x": milder})
        assert gravest({"x": milder}, {"x": graver})["x"] == graver
