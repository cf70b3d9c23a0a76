from __future__ import annotations

import math
from dataclasses import replace
from typing import cast, get_args

import pytest
from assay.front.web.compare.compared import Compared, ComparedRow, Lack, Side
from assay.front.web.compare.matrix import headline_table
from assay.reporting.report import load_words
from assay.results.verdict import Estimate

NOWHERE = cast(Side, None)  # tables of rows look neither at the sides
UNSEEN = cast(Estimate, None)  # nor, where a row is hidden, at its values
SHARED = Compared(NOWHERE, NOWHERE, False, 0, 0.02, (), (), (None, None), None)
WITHIN = ComparedRow("tps", "1/s", 1.0, UNSEEN, UNSEEN, 1.0, 0.99, 1.01, "", 6, False, False, -0.5)
UNBOUNDED = replace(WITHIN, low=None, high=None, distance=-math.inf)
CASES: dict[Lack, Compared] = {
    "": replace(SHARED, rows=(UNBOUNDED, WITHIN)),
    "bounded": replace(SHARED, rows=(UNBOUNDED,)),
    "shared": SHARED,
    "work": replace(SHARED, obstacles=("work",)),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_difference_and_nothing_compared_are_two_answers(language: str) -> None:
    assert set(CASES) == set(get_args(Lack))
    said = set()
    for lack, found in CASES.items():
        table = headline_table(load_words(language), found, "threads")
        assert found.lack == lack
        assert not table.rows
        said.add(table.empty)
    assert len(said) == len(CASES)
