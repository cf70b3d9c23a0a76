"""The matrix of a comparison: one row a measure, one column a load, in the order of evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from assay.front.web.compare.compare_tables import differences_table
from assay.front.web.compare.compared import Compared, ComparedRow, Side
from assay.front.web.compare.matrix import explaining, explaining_table, headline_table, hidden
from assay.reporting.report import Figure, Ratio, Word, load_words
from assay.results.verdict import Estimate

NOWHERE = cast(Side, None)
LOADS = (1.0, 8.0, 64.0)


def row(measure: str, load: float, ratio: float, distance: float, word: str = "") -> ComparedRow:
    before, after = (
        Estimate(name, load, measure, "1/s", value, None, None, ((1, value),))
        for name, value in (("off", 100.0), ("on", 100.0 * ratio))
    )
    return ComparedRow(
        measure, "1/s", load, before, after, ratio, ratio / 1.01, ratio * 1.01, word, 6, bool(word),
        bool(word) or distance > 0, distance,
    )  # fmt: skip


ROWS = (
    *(row("tps", load, 1.2, 9, "better") for load in LOADS),
    *(row("p95_ms", load, 1.0, -1, "same") for load in LOADS[1:]),
    *(row("status.Handler_read_next per query", load, 3.0, 20 - load / 8) for load in LOADS),
    *(row("server_cpu_us_per_query", load, 1.5, 5) for load in LOADS),
    *(row("status.Bytes_sent per query", load, 1.0, -2) for load in LOADS),
)
FACTS = (("dataset", "a", "b"), ("kernel", "6.1", "6.2"), ("processor", "x", "x"))
FOUND = Compared(NOWHERE, NOWHERE, True, 6, 0.02, ROWS, FACTS, (None, None), None)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_measure_has_one_row_and_a_load_one_column(language: str) -> None:
    words = load_words(language)
    tables = [headline_table(words, FOUND, "threads"), explaining_table(words, FOUND, "threads", every=True)]
    measures = {one.measure for one in ROWS}
    assert sum(len(table.rows) for table in tables) == len(measures)
    for table in tables:
        ratios = [column for column in table.columns if column.kind == "ratio"]
        assert [column.label for column in ratios] == [words.load(load, "threads") for load in LOADS]
        assert [name for name, _ in table.groups][1:] == [
            words("web.compare.at", load=words.load(64, "threads")), words("web.compare.axis"),
        ]  # fmt: skip
    tps, p95 = tables[0].rows
    assert [cell.word for cell in tps[4:] if isinstance(cell, Ratio)] == ["better"] * 3
    assert p95[4] is None  # nothing was measured at one thread
    assert isinstance(tps[3], Figure)
    assert tps[3].value == pytest.approx(120)
    assert not [cell for cells in tables[1].rows for cell in cells if isinstance(cell, Ratio)]


def test_what_explains_is_in_the_order_of_evidence() -> None:
    found = [one.measure for one in explaining(FOUND, every=False)]
    assert list(dict.fromkeys(found)) == ["status.Handler_read_next per query", "server_cpu_us_per_query"]
    assert hidden(FOUND, every=False) == 1
    assert hidden(FOUND, every=True) == 0
    ranked = replace(FOUND, reasons=("server_cpu_us_per_query",))  # the other is in proportion with it
    assert {one.measure for one in explaining(ranked, every=False)} == {"server_cpu_us_per_query"}
    assert hidden(ranked, every=False) == 2
    nothing = explaining_table(load_words("en"), replace(FOUND, reasons=()), "threads", every=False)
    assert (nothing.rows, nothing.empty) == ((), "No other measure explains a difference.")


def test_what_the_study_varies_is_no_unequal_condition() -> None:
    words = load_words("en")
    for is_paired, state in ((True, "varied"), (False, "unequal")):
        table = differences_table(words, replace(FOUND, is_paired=is_paired))
        states = {str(cells[0]): cast(Word, cells[1]).word for cells in table.rows}
        assert states == {"Dataset": state, "Kernel": "unequal", "Processor": "same"}
        assert next(iter(states)) in ("Kernel", "Dataset")
    assert [cells[0] for cells in differences_table(words, FOUND).rows] == ["Kernel", "Dataset", "Processor"]
