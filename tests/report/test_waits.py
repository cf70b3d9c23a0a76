"""The shares of what connections wait for: by the time that statements took, and with few names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from assay.reporting.report.charts import waits
from assay.reporting.report.charts.sentences import sentence
from assay.reporting.report.material import Material
from assay.reporting.report.records.statements import KINDS, wait_shares
from assay.reporting.report.tables import waits as waits_table
from assay.reporting.report.words import load_words
from assay.testing.contracts import ChartContract
from hdrh.histogram import HdrHistogram
from synthetic import make_material

FEW = {"update": 10, "commit": 8, "begin": 1, "select": 1}
MS = FEW | dict.fromkeys(("insert", "delete", "ping", "set"), 0.5)
"""How long each statement takes; of a second treatment commits take twice as long."""


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    made = make_material(tmp_path_factory.mktemp("waits"), loads=(8, 64), blocks=2)
    for place, treatment in enumerate(made.results.treatments):
        for label, ms in MS.items():
            times = HdrHistogram(1, 3_600_000_000_000, 3)
            times.record_value(int(ms * 1e6) * (2 if place and label == "commit" else 1), 10)
            made.store.execute(
                "insert into histograms select run_id, treatment, block, rung, load, ?, 'service', 10, ?"
                " from histograms where label = 'transaction' and treatment = ?",
                [label, times.encode().decode(), treatment],
            )
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    made = make_material(tmp_path_factory.mktemp("bare"), treatments=1, loads=(8,), blocks=1)
    yield made
    made.store.close()


@pytest.mark.parametrize("draw", [waits.draw])
class TestWaits(ChartContract):
    pass


def test_shares_are_of_the_time_of_statements(material: Material) -> None:
    one, other = material.results.treatments
    found = {(of.treatment, of.load, of.statement): of.share for of in wait_shares(material)}
    assert found[one, 64, "update"] == pytest.approx(10 / 22, rel=1e-3)
    assert found[one, 64, "commit"] == pytest.approx(8 / 22, rel=1e-3)
    assert found[other, 64, "commit"] == pytest.approx(16 / 30, rel=1e-3)
    for treatment in (one, other):
        here = {name: share for (of, load, name), share in found.items() if (of, load) == (treatment, 8)}
        assert sum(here.values()) == pytest.approx(1)
        assert list(here)[:2] == ["commit", "update"]  # over all, commits took longest
        assert len(here) == KINDS + 1
        assert list(here)[-1] == ""


def test_the_table_has_the_same_shares(material: Material) -> None:
    (table,) = waits_table.tables(material)
    rows = {row[:3]: row[3] for row in table.rows}
    assert len(rows) == len(wait_shares(material))
    for one in wait_shares(material):
        name = one.statement or material.words("waits.rest")
        assert rows[name, one.load, one.treatment] == 100 * one.share


def test_the_sentence_names_the_longest_at_the_highest_load(material: Material) -> None:
    chart = waits.draw(material)
    assert chart is not None
    said = sentence(material, chart)
    assert all(part in said for part in ("64 threads", material.results.treatments[1], "commit", "53 %"))


def test_one_kind_of_statement_has_no_shares(bare: Material) -> None:
    assert wait_shares(bare) == []
    assert waits_table.tables(bare) == []
    assert waits.draw(bare) is None


def test_the_others_have_a_name_in_every_language(material: Material) -> None:
    chart = waits.draw(material)
    assert chart is not None
    rows = chart.spec["hconcat"][0]["data"]["values"]
    assert rows[-1]["kind"] == load_words("en")("waits.rest")
