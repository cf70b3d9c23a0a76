"""How long a page is, and what it repeats, over results of two, four and eight treatments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.page import render_page
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.constants import equal_apart, without_constants
from assay.reporting.report.tables.model import Cell, Column, Figure, Ratio, Table, Word
from assay.reporting.report.tables.repeats import notes_once, seen, without_repeats
from assay.reporting.report.tables.write import to_csv
from assay.reporting.report.words import LANGUAGES, load_words
from reading import Page
from synthetic import make_material

WORDS = load_words("en")
MOST_WORDS = {"en": 1500, "zh": 2000}
"""Words of a page without its pictures, closed parts left out. A Chinese character counts as a word."""


@dataclass(frozen=True)
class Written:
    language: str
    tables: list[Table]
    page: Page


@pytest.fixture(scope="module", params=[2, 4, 8])
def material(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    made = make_material(tmp_path_factory.mktemp("length"), treatments=request.param, loads=(1, 8), blocks=2)
    yield made
    made.store.close()


@pytest.fixture(scope="module", params=LANGUAGES)
def written(material: Material, request: pytest.FixtureRequest) -> Written:
    own = replace(material, words=load_words(request.param).of("server"))
    tables = build_tables(own)
    # One query for each transaction: what the first table of a study with one statement repeats.
    copied = next(table for table in tables if table.name == "tps")
    tables.insert(0, replace(copied, name="again", title="Again"))
    return Written(request.param, tables, Page(render_page(own, tables, [])))


@pytest.mark.sampled(2)
def test_the_page_is_short_and_has_an_anchor_for_every_table(written: Written) -> None:
    page = written.page
    assert 100 < page.open_words < MOST_WORDS[written.language]
    assert page.open_words < page.words / 2
    assert {f"table-{table.name}" for table in written.tables} <= {*page.ids}


@pytest.mark.sampled(2)
def test_no_row_stands_open_twice(written: Written) -> None:
    rows = Counter(tuple(row[1:]) for row in written.page.open_rows if sum(map(_is_figure, row)) > 1)
    assert rows
    assert not [row for row, count in rows.items() if count > 1]


@pytest.mark.sampled(2)
def test_a_closed_part_says_its_result(written: Written) -> None:
    closed = written.page.sections_closed
    assert len(closed) > 5
    assert all(closed.values()), closed


def _is_figure(text: str) -> bool:
    return "±" in text or "[" in text


def table(name: str, *rows: tuple[Cell, ...], kinds: str = "") -> Table:
    kind = {"t": "text", "n": "number", "p": "prose", "r": "ratio"}
    found = kinds or "n" * len(rows[0])
    columns = tuple(Column(f"c{at}", f"C{at}", kind=kind[one]) for at, one in enumerate(found))
    return Table("results", name, name.capitalize(), columns, rows, note="How.")


def figure(value: float, times: float = 1.0) -> Figure:
    return Figure(value * times, value * 0.9 * times, value * 1.1 * times)


RATIO = Ratio(1.2, 1.1, 1.3, "better")
ONE = table("one", (1, figure(139.3), RATIO), (8, figure(186.0), RATIO), (32, figure(170.0), RATIO))


def scaled(times: float, *, last: float = 1.0) -> Table:
    rows = [(load, figure(cell.value or 0, times), ratio) for load, cell, ratio in _cells(ONE)]
    rows[-1] = (rows[-1][0], figure(170.0, times * last), rows[-1][2])
    return table("two", *rows)


def _cells(of: Table) -> Iterator[tuple[int, Figure, Ratio]]:
    for load, cell, ratio in of.rows:
        assert isinstance(load, int)
        assert isinstance(cell, Figure)
        assert isinstance(ratio, Ratio)
        yield load, cell, ratio


SAME = 'Two: the same figures as in "One".'


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (scaled(1), SAME),
        (scaled(20), 'Two: 20 times the figures of "One".'),
        (
            table("two", *((cell, load) for load, cell, _ in _cells(ONE))),
            'Two: the same figures as in "One".',
        ),
        (scaled(1, last=1.02), ""),
        (scaled(20, last=1.02), ""),
        (table("two", (1, figure(139.3), replace(RATIO, word="same"))), ""),
        (table("two", ("x", "O_DIRECT"), kinds="tt"), ""),
        (table("two", (1, Figure(0.0, 0.0, 0.0))), ""),
    ],
)
def test_a_table_that_says_nothing_new_is_one_sentence(other: Table, says: str) -> None:
    one, two = without_repeats([ONE, other], WORDS)
    assert one == ONE
    assert two.empty == says
    assert two.rows == (() if says else other.rows)


def test_a_factor_needs_three_figures_or_ratios_for_it() -> None:
    for ratios, is_same in (((RATIO,), True), ((), False)):
        one = table("one", (1, figure(7074.0), figure(3806.0), *ratios))
        two = table("two", (1, figure(27.63), figure(14.8663), *ratios))
        assert bool(without_repeats([one, two], WORDS)[1].empty) == is_same


def test_a_table_of_known_figures_is_closed() -> None:
    known = [(f"s{load}", load, cell, figure(load * 7.0)) for load, cell, _ in _cells(ONE)]
    news = [(name, load, figure(3.0 + load), cell) for name, load, _, cell in known]
    for rows, folded in ((known, True), (news, False)):
        _, shown = without_repeats([ONE, table("two", *rows, kinds="tnnn")], WORDS)
        assert (shown.folded, shown.rows) == (folded, tuple(rows))


def test_rows_of_a_name_that_repeat_those_of_another_are_named() -> None:
    names = ("transaction", "select", "commit")
    rows = [(name, load, cell) for name in names for load, cell, _ in _cells(ONE)]
    rows[-1] = ("commit", 32, figure(1.0))
    zeros = [(name, 1, Figure(0.0, 0.0, 0.0)) for name in ("waits", "locks")]
    (shown,) = without_repeats([table("one", *rows, *zeros, kinds="tnn")], WORDS)
    assert [row[0] for row in shown.rows] == ["transaction"] * 3 + ["commit"] * 3 + ["waits", "locks"]
    assert shown.note == "select: the same as transaction. How."


def test_a_column_that_is_equal_in_all_rows_is_said_once() -> None:
    rows = [("tps", "off", figure(1.0 + load), 6, None, Word("better")) for load in range(3)]
    shown = without_constants(table("one", *rows, kinds="ttnnnt"), WORDS)
    assert [column.key for column in shown.columns] == ["c0", "c2"]
    assert shown.note == "In every row: C1: off; C3: 6; C5: ▲ better. How."
    assert without_constants(replace(ONE, rows=ONE.rows[:1]), WORDS).rows == ONE.rows[:1]
    same = without_constants(table("one", ("a", 1), ("b", 1), kinds="tn"), WORDS)
    assert (same.rows, same.empty) == ((), "One, the same in every row: C1: 1.")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("treatments", [2, 4, 8])
def test_settings_that_are_equal_in_all_treatments_stand_once(treatments: int) -> None:
    columns = (
        Column("v", "V", kind="text"),
        *(Column(str(n), str(n), kind="text", side=True) for n in range(treatments)),
    )
    equal, other = ("x", *["1"] * treatments), ("y", "2", *["1"] * (treatments - 1))
    made = Table("differences", "c", "C", columns, (equal, other))
    differ, apart = equal_apart(made, WORDS)
    assert differ.rows == (other,)
    assert (apart.rows, apart.folded, apart.file, len(apart.columns)) == ((("x", "1"),), True, "c", 2)
    nothing, _ = equal_apart(replace(made, rows=(equal,)), WORDS)
    assert nothing.empty == "C: all 1 settings are equal in all treatments."
    assert to_csv(made).splitlines()[1:] == [",".join(equal), ",".join(other)]


def test_a_note_stands_once() -> None:
    notes = ["Mean.", "Mean. Closed.", "Mean. Closed.", "Other."]
    shown = notes_once([replace(ONE, name=str(at), note=note) for at, note in enumerate(notes)])
    assert [one.note for one in shown] == ["Mean.", "Closed.", "", "Other."]
    assert all(seen(a) == seen(b) for a, b in pairwise([figure(1.00001), figure(1.0)]))
