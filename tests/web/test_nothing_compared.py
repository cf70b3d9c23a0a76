from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from assay.front.web.compare.compare_tables import rows_table
from assay.front.web.compare.compared import Compared, ComparedRow, Side
from assay.reporting.report import load_words
from assay.results.verdict import Estimate

NOWHERE = cast(Side, None)  # tables of rows do not look at the sides


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_difference_and_nothing_compared_are_two_answers(language: str) -> None:
    words = load_words(language)
    found = Compared(NOWHERE, NOWHERE, False, 0, 0.02, (), (), (None, None), None, obstacles=("load",))
    nothing = rows_table(words, found, every=True)
    value = cast(Estimate, None)
    row = ComparedRow("tps", "1/s", 1.0, value, value, 1.0, 0.99, 1.01, "", 3, True, False, 0.0)
    alike = rows_table(words, replace(found, rows=(row,)), every=False)
    assert not nothing.rows
    assert not alike.rows
    assert nothing.empty != alike.empty
