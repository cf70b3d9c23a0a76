"""Profiles of data are read as they were written, and what is wrong in one is said with table and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.base.format.job import (
    ColumnProfile,
    DateValueForm,
    DecimalValueForm,
    FanOut,
    FloatValueForm,
    KeyProfile,
    MomentValueForm,
    ReferenceProfile,
    TableProfile,
    TextValueForm,
    TimeValueForm,
    TopValue,
    ValueRange,
    WholeValueForm,
)
from assay.design.data_profile import Heading, profile_text, read_profile


def _range(low: int, high: int) -> list[ValueRange]:
    return [ValueRange(from_=low, to=high, share=0.5, distinct=3)]


FAN_OUT = [FanOut(from_=0, to=0, mean=0.0, share=0.25), FanOut(from_=1, to=4, mean=1.5, share=0.75)]
TABLES = [
    TableProfile(
        name="shops",
        create="CREATE TABLE `shops` (\n  `id` int,\n  `x` char(3) DEFAULT 'a\\''''b')",
        rows=40,
        grows=False,
        columns=[
            ColumnProfile(name="id", form=WholeValueForm(least=0, most=2**64 - 1), ranges=_range(1, 40)),
            ColumnProfile(name="price", form=DecimalValueForm(digits=2), ranges=_range(-5, 1999)),
            ColumnProfile(name="weight", form=FloatValueForm(digits=6), ranges=_range(-1_500_000, 123)),
            ColumnProfile(name="since", form=DateValueForm(), ranges=_range(-400, 19_000)),
            ColumnProfile(name="at", form=MomentValueForm(digits=3), ranges=_range(-1, 1_700_000_000_123)),
            ColumnProfile(name="took", form=TimeValueForm(digits=1), ranges=_range(-36_005, 36_005)),
        ],
        keys=[KeyProfile(columns=["id"])],
    ),
    TableProfile(
        name="sales",
        create="CREATE TABLE sales (shop int, number int, who varchar(9))",
        rows=60,
        columns=[
            ColumnProfile(name="shop", form=WholeValueForm(least=-8, most=7), nulls=0.125, order=-0.5),
            ColumnProfile(name="number", form=WholeValueForm(least=-8, most=7), grows=True),
            ColumnProfile(
                name="who",
                form=TextValueForm(),
                top=[
                    TopValue(share=0.5, length=4, hash=2**63 + 5),
                    TopValue(share=0.1, length=3, hash=0, value='a"\n'),
                ],
                ranges=_range(3, 9),
                compressed=0.4,
            ),
        ],
        references=[ReferenceProfile(columns=["shop"], table="shops", to=["id"], fan_out=FAN_OUT)],
        keys=[KeyProfile(columns=["shop", "number"], distinct=[30], fan_outs=[FAN_OUT])],
    ),
]
HEADING = Heading("10.11.6-MariaDB", {"shops": 40, "sales": 50}, {"shops": 4000, "sales": 6000}, ["a note"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.data.toml"
    path.write_text(profile_text(TABLES, HEADING))
    return path


def test_a_profile_is_read_as_it_was_written(file: Path) -> None:
    read = read_profile(file)
    assert list(read.tables) == TABLES
    assert read.size(10) == (40 + 600, 4000 + 60_000)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rows = 40", "rows = 40\nrwos = 3", r'table shops, unknown key "rwos"; did you mean "rows"'),
        ("rows = 40", "rows = -1", "table shops, rows: -1 is not allowed; expected a whole number from 0"),
        ("rows = 40", 'rows = "40"', 'table shops, rows: "40" is not allowed; expected a whole number'),
        ("rows = 40\n", "", 'table shops: the key "rows" is missing'),
        ("format = 1", "format = 2", "format: 2 is not allowed; expected 1"),
        ("nulls = 0.125", "nulls = nan", "table sales, column shop, nulls: nan is not allowed"),
        (
            "nulls = 0.125",
            "nulls = 1.5",
            "column shop, nulls: 1.5 is not allowed; expected a number from 0 to 1",
        ),
        ("order = -0.5", "order = -inf", "column shop, order: -inf is not allowed"),
        (
            'kind = "date"',
            'kind = "dat"',
            r'column since, form, kind: "dat" is not allowed; did you mean "date"',
        ),
        ("digits = 2", "digits = 99", "column price, form, digits: 99 is not allowed"),
        ('"2022-01-08"', '"yesterday"', 'column since, ranges: "yesterday" is not allowed; expected a date'),
        (
            "  [1, 40, 0.5, 3],",
            "  [1, 40, 0.5],",
            "column id, ranges: .* is not allowed; expected lists of from",
        ),
        (
            "  [1, 40, 0.5, 3],",
            "  [50, 40, 0.5, 3],",
            "column id, ranges: 40 is not allowed; expected an end",
        ),
        ("  [1, 40, 0.5, 3],", "  [1, inf, 0.5, 3],", "column id, ranges: inf is not allowed"),
        ("  [1, 40, 0.5, 3],", "  [1, 40, 0.5, 0],", "column id, ranges: 0 is not allowed"),
        (
            'table = "shops"',
            'table = "shop"',
            r'reference \(shop\): there is no table shop; did you mean "shops"',
        ),
        ('to = ["id"]', 'to = ["idd"]', r'there is no column of shops idd; did you mean "id"'),
        ('columns = ["id"]', 'columns = ["idd"]', r"table shops, key \(idd\): there is no column idd"),
        ("distinct = [30]", "distinct = [30, 4]", r"key \(shop, number\), distinct: needs 1 numbers"),
        (
            "[1, 4, 1.5, 0.75]",
            "[1, 4, 9.5, 0.75]",
            "fan_out: 9.5 is not allowed; expected a number from 1 to 4",
        ),
        ("CREATE TABLE sales", "GRANT ALL", "table sales, create: .* expected the statement CREATE TABLE"),
        ("8000000000000005", "zz", 'column who, top 1, hash: "zz" is not allowed'),
        ("format = 1", "format = ", "Invalid value"),
    ],
)
def test_what_is_wrong_is_named(file: Path, old: str, new: str, message: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as raised:
        read_profile(file)
    assert str(file) in str(raised.value)


def test_a_file_that_is_not_there_or_empty_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_profile(tmp_path / "none.toml")
    (tmp_path / "empty.toml").write_text("format = 1\n")
    with pytest.raises(InputError, match=r"holds no \[\[table\]\]"):
        read_profile(tmp_path / "empty.toml")
