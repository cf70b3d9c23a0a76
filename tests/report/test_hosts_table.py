"""The table of comparisons by host, which a study on one machine does not have."""

from __future__ import annotations

from dataclasses import replace

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.model import Figure
from assay.results.verdict.agreement import HostAgreement, HostRatio


def test_a_study_on_one_machine_has_no_table(material: Material) -> None:
    assert "hosts" not in [table.name for table in build_tables(material)]


def test_every_host_has_a_row_of_each_comparison(material: Material) -> None:
    ratios = (HostRatio("", 3, 1.1, 1.0, 1.2), HostRatio("h2", 1, 0.9, None, None))
    by_host = (HostAgreement("tps", 8, "a", "b", 0.02, ratios, 0.004, 0.14),)
    found = replace(material, results=replace(material.results, by_host=by_host))
    (table,) = [table for table in build_tables(found) if table.name == "hosts"]
    assert [row[4:] for row in table.rows] == [
        (material.words("hosts.here"), 3, Figure(1.1, 1.0, 1.2), 0.004, pytest.approx(14.0)),
        ("h2", 1, Figure(0.9), 0.004, pytest.approx(14.0)),
    ]
    assert {row[2:4] for row in table.rows} == {("b", "a")}
