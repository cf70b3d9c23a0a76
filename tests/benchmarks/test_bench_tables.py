"""The table of a section, which the terminal and the page show alike."""

from __future__ import annotations

import io

from rich.console import Console

from benchmarks.__main__ import _table
from benchmarks.document import page
from benchmarks.outcome import Origin, Outcome
from benchmarks.rows import Conditions, Line, Samples
from benchmarks.spread import State, at_least, at_most
from benchmarks.table import CHECKS, MARK, table_of

_SAMPLES = Samples(
    "point_select, 64",
    {"ours": ({"cpu": 2.0}, {"cpu": 3.0}), "sysbench": ({"cpu": 8.0}, {"cpu": 9.0})},
    Conditions(1.5, 0.1),
)
_OUTCOME = Outcome(
    "cheap",
    "What it costs",
    "",
    Origin("2026-01-01", "abc", "a machine", "a server", "sysbench", "2 pairs"),
    [
        Line("", "cpu", "CPU us/query", {"sysbench": at_most(0.2)}, at_least(1.0), "us").row(_SAMPLES),
        Line("", "cpu", "CPU, no target", {"sysbench": None}).row(_SAMPLES),
    ],
)


def test_a_row_has_the_state_of_its_worst_check() -> None:
    table = table_of(_OUTCOME)
    (first, state), (_, no_state) = table.rows
    assert (state, no_state) == (State.SHORT, None)
    assert first[MARK] == "SHORT"
    assert (
        first[CHECKS] == "0.29 x sysbench (0.25 to 0.33), at most 0.20; 2.50 us (2.00 to 3.00), at least 1.00"
    )
    assert len(table.headings) == len(table.is_figure) == len(first)


def test_terminal_and_page_show_the_same_cells() -> None:
    told = io.StringIO()
    Console(width=400, file=told).print(_table(_OUTCOME))
    written = page([_OUTCOME])
    for cells, _ in table_of(_OUTCOME).rows:
        assert f"| {' | '.join(cells)} |" in written
        for cell in cells[CHECKS].split("; ") + cells[:CHECKS] + cells[MARK:]:
            assert cell in told.getvalue()
