"""The table of fairness: what is unequal, what is varied, in both languages and in every form."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.records.fairness import fairness
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.model import Table, Word
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict.fairness import SUBJECTS
from reading import Page
from synthetic import VARIABLE, make_material

ONE, TWO = f"{VARIABLE}=1", f"{VARIABLE}=2"


def table_of(material: Material) -> Table:
    (table,) = [table for table in build_tables(material) if table.name == "fairness"]
    return table


def test_an_unequal_setting_has_a_value_of_each_treatment(material: Material) -> None:
    (one,) = fairness(material)
    assert (one.subject.name, one.varied) == ("binlog-sync", False)
    assert dict(one.values) == {ONE: "0", TWO: "1"}


def test_the_table_names_the_subject_and_says_why(material: Material) -> None:
    (row,) = table_of(material).rows
    assert row[:4] == ("Binary log flush at commit", Word("unequal"), "0", "1")
    assert row[4] == material.words("why.binlog-sync")
    assert row[5] == "sync_binlog, log_bin"


def test_what_the_study_varies_is_called_so(tmp_path: Path) -> None:
    made = make_material(tmp_path, loads=(8,), blocks=2)
    made.store.execute("update levels set factor = 'server.variables.sync_binlog'")
    (row,) = table_of(made).rows
    made.store.close()
    assert row[1] == Word("varied")


def test_a_treatment_without_facts_has_an_empty_cell(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=3, loads=(8,), blocks=2)
    made.store.execute("delete from facts where contains(run_id, ?)", [TWO])
    (row,) = table_of(made).rows
    made.store.close()
    assert row[2:5] == ("0", None, "2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_equal_servers_are_said_to_be_equal(tmp_path: Path, language: str) -> None:
    made = make_material(tmp_path, treatments=1, loads=(8,), blocks=2, language=language)
    table = table_of(made)
    made.store.close()
    assert table.rows == ()
    assert str(len(SUBJECTS)) in table.empty


@pytest.mark.parametrize("page", ["report.html", "report.zh.html"])
def test_it_stands_on_the_page_before_all_variables(written: Path, page: str) -> None:
    tables = list(Page((written / page).read_text(encoding="utf-8")).tables)
    assert tables.index("fairness") == tables.index("differences") - 1


def test_csv_has_keys_and_words_that_stay_the_same(written: Path) -> None:
    with (written / "tables" / "fairness.csv").open(encoding="utf-8") as lines:
        (row,) = csv.DictReader(lines)
    assert list(row) == ["subject", "state", ONE, TWO, "why", "variables"]
    assert (row["state"], row[ONE], row[TWO]) == ("unequal", "0", "1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_subject_has_its_phrases_and_no_phrase_lacks_a_subject(language: str) -> None:
    words, names = load_words(language), {subject.name for subject in SUBJECTS}
    for heading in ("subject", "why"):
        keys = {key for key in words.keys() if key.startswith(f"{heading}.")}  # noqa: SIM118 (not a dict)
        assert keys == {f"{heading}.{name}" for name in names}


def test_the_doubt_of_a_strict_study_has_a_name(material: Material) -> None:
    for language in LANGUAGES:
        spoken = replace(material, words=load_words(language))
        assert spoken.words("doubt.unfair")
