"""Tables as people have them: pasted, wide, in Markdown, with suffixes and thousands; and what is no
table."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.results.audit import audit, read_material
from assay.results.audit.figure import one_slip_away, parse_figure
from assay.testing.results_folder import Truth, make_results
from faults import slip_in_transactions
from printed import MAKERS


@pytest.mark.parametrize("separator", ["\t", "  ", " | ", ","])
def test_a_pasted_wide_table_has_the_findings_of_the_long_one(separator: str, tmp_path: Path) -> None:
    planted = slip_in_transactions(random.Random(3))
    path = tmp_path / ("wide.csv" if separator == "," else "pasted.txt")
    path.write_text(
        "As we measured it:\n\n" * (separator != ",") + planted.tables[0].wide(separator), encoding="utf-8"
    )
    (found,) = audit([path]).findings
    assert (found.rule, found.column) == ("queries-per-transaction", "tps")
    assert planted.row.rstrip(",") in found.row


def test_markdown_rules_and_titles_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        "# Results\n\n| threads | tps a | avg latency (ms) |\n|---:|---:|:--|\n|"
        " 1 | 1,200 | 0.83 |\n| 2 | 2,310 | 0.87 |\n\nEnd.\n",
        encoding="utf-8",
    )
    cells = read_material([path]).cells
    assert [(cell.metric, cell.unit, cell.value, cell.rung) for cell in cells] == [
        ("tps", "", 1200, 1),
        ("avg latency", "ms", 0.83, 1),
        ("tps", "", 2310, 2),
        ("avg latency", "ms", 0.87, 2),
    ]


def test_a_results_folder_of_the_lab_is_clean(tmp_path: Path) -> None:
    make_results(tmp_path / "results", loads=(8,), truth=Truth(measure_s=4, warmup_s=1))
    found = audit([tmp_path / "results"])
    assert found.figures > 100
    assert [(one.rule, one.row, one.column, one.sign) for one in found.findings] == []


@pytest.mark.parametrize(
    ("text", "value", "step"),
    [
        ("930K", 930_000, 1000),
        ("1,486", 1486, 1),
        ("0.80", 0.8, 0.01),
        ("7.5e3", 7500, 100),
        ("-3", -3, 1),
        ("12 %", 12, 1),
    ],
)
def test_figures_keep_the_worth_of_their_last_digit(text: str, value: float, step: float) -> None:
    figure = parse_figure(text)
    assert figure is not None
    assert (figure.value, figure.step) == pytest.approx((value, step))


@pytest.mark.parametrize("text", ["", "n/a", "5.5.8", "16k4", "1..2"])
def test_words_are_no_figures(text: str) -> None:
    assert parse_figure(text) is None


def test_one_wrong_digit_is_told_from_two() -> None:
    figure = parse_figure("88796.58")
    assert figure is not None
    assert one_slip_away(figure, 88396.5, 88396.6)
    assert one_slip_away(figure, 87896.5, 87896.6)  # two digits in the wrong order
    assert not one_slip_away(figure, 81396.5, 81396.6)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.txt", "no table here\n", "holds no table"),
        ("a.csv", "a,b\n1,2,3\n", "has 3 fields, the header 2"),
        ("a.csv", "", "holds no table"),
        ("a.csv", b"\xff\xfe\x00", "cannot be read as text"),
    ],
)
def test_what_is_no_table_is_refused(name: str, text: str | bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        audit([path])
    assert said in caught.value.message
    assert caught.value.hint


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds neither tables nor results"):
        audit([tmp_path])


def test_odd_figures_are_read_without_a_fault_of_ours(tmp_path: Path) -> None:
    odd = ("0", "-5", "", "1e300", "1e-300", "abc", "0.0000001")
    for seed in range(12):
        chance = random.Random(seed)
        tables = [make(chance, make.__name__) for make in MAKERS]
        for table in tables:
            for row in chance.sample(table.rows, len(table.rows) // 4):
                row[chance.choice(("result", "threads", "value", "unit"))] = chance.choice(odd)
        audit([table.write(tmp_path) for table in tables])
