"""Data of one's own belong to the identity of a study, and what contradicts them is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_treatments
from assay.design.study import changed_text, load_measured, load_study, study_hash

from studies import VALID

DATASET = '\n[dataset]\nuse = "dump:shop.sql"\ndatabase = "shop"\n'
WITHOUT_SCHEMA = VALID.replace('name = "schema.index"', 'name = "workload.skip_trx"')


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    (tmp_path / "shop.sql").write_text("CREATE TABLE a (id int);")
    path = tmp_path / "a.toml"
    path.write_text(WITHOUT_SCHEMA + DATASET)
    return path


def test_data_belong_to_the_identity_and_stay_in_the_kept_text(study: Path, tmp_path: Path) -> None:
    read = load_study(study)
    kept = tmp_path / "results" / "study.toml"
    kept.parent.mkdir()
    kept.write_text(changed_text(study.read_text(), study, {}).kept)
    own = make_treatments(read)[0].own_data
    assert own is not None
    assert (own.place, own.database, own.digest) == (
        str(tmp_path / "shop.sql"),
        "shop",
        read.dataset.files["dump:shop.sql"],
    )

    (tmp_path / "shop.sql").write_text("CREATE TABLE a (id bigint);")

    assert study_hash(load_measured(kept)) == study_hash(read) != study_hash(load_study(study))
    study.write_text(kept.read_text())
    with pytest.raises(InputError, match=r"dataset\.files: dump:shop\.sql has changed"):
        load_study(study)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'use = "dump:shpo.sql"',
            r'a\.toml:\d+: dataset\.use: there is no file .*; did you mean "shop\.sql"',
        ),
        ('use = "shop.sql"', r'"shop\.sql" is not allowed; write "dump:PATH"'),
        ('use = "dump:"', "names no file"),
        (f'use = "dump:{"x" * 300}"', "File name too long"),
        ('use = "dsn:mysql://a@b/c"', "mysqldump --single-transaction"),
        ('database = "shop"', r"dataset\.database: needs data"),
        ('use = "dump:shop.sql"\nindexes = "before"', 'allowed: "dump", "after"'),
        ('use = "dump:shop.sql"\ncollation = { a = 1 }', "is not the name of a collation"),
        ('use = "datadir:shop.sql"', r"dataset\.database: is missing"),
        ('use = "dump:shop.sql"\nscale = 10', r"dataset\.scale: is for profiles of data"),
        ('use = "generate:shop.sql"\nscale = 0', "write a number above 0"),
        ('use = "generate:shop.sql"\nscale = nan', "write a number above 0"),
        ('use = "generate:"', r"names no file; write it as in \"generate:shop\.data\.toml\""),
        (
            'use = "dump:shop.sql"\n[schema]\nindex = true',
            r"schema\.index: is for tables that a workload makes",
        ),
        ('use = "dump:shop.sql"\n[experiment]\nuse = "bulk-load"', "makes the tables of a workload itself"),
    ],
)
def test_what_a_study_may_not_say_of_its_data(study: Path, text: str, message: str) -> None:
    study.write_text(f"{WITHOUT_SCHEMA}\n[dataset]\n{text}\n")
    with pytest.raises(InputError, match=message):
        load_study(study)


def test_data_that_nobody_can_read_twice_are_refused(study: Path) -> None:
    """And not waited for: nobody may ever write into a pipe."""
    os.mkfifo(study.parent / "pipe.sql")
    study.write_text(f'{WITHOUT_SCHEMA}\n[dataset]\nuse = "dump:pipe.sql"\n')
    with pytest.raises(InputError, match=r"pipe\.sql must be a file or a folder"):
        load_study(study)


def test_the_scale_of_a_profile_varies_and_makes_another_study(study: Path) -> None:
    text = f'{WITHOUT_SCHEMA}\n[dataset]\nuse = "generate:shop.sql"\nscale = '
    study.write_text(f"{text}2\n")
    two = load_study(study)
    own = make_treatments(two)[0].own_data
    assert own is not None
    assert own.scale == 2
    study.write_text(f"{text}10\n")
    assert study_hash(load_study(study)) != study_hash(two)
    varied = WITHOUT_SCHEMA.replace('"workload.skip_trx"', '"dataset.scale"').replace(
        "levels = [true, false]", "levels = [1, 10]"
    )
    study.write_text(f'{varied}\n[dataset]\nuse = "generate:shop.sql"\n')
    found = [one.own_data for one in make_treatments(load_study(study))]
    assert {one.scale for one in found if one is not None} == {1, 10}
