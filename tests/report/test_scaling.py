"""The scaling table: there with a ladder of four rungs, absent with a shorter one."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.report.material import Material
from assay.report.records.scaling import scaling
from assay.report.tables import build_tables
from synthetic import make_material


def test_a_short_ladder_has_no_law(material: Material) -> None:
    assert scaling(material) == {}
    assert "scaling" not in [table.name for table in build_tables(material)]


@pytest.mark.parametrize(("blocks", "interval"), [(6, True), (3, False)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_ladder_has_a_row_a_treatment(
    tmp_path: Path, blocks: int, interval: bool, language: str
) -> None:
    made = make_material(tmp_path / "results", loads=(1, 2, 4, 8, 16, 32), blocks=blocks, language=language)
    (table,) = [table for table in build_tables(made) if table.name == "scaling"]
    made.store.close()

    assert [row[0] for row in table.rows] == list(made.results.treatments)
    for row in table.rows:
        gamma, sigma, _, peak, residual = row[1:]
        assert gamma.value > 0
        assert 0 <= sigma.value <= 1
        assert (gamma.low is not None) == interval
        assert isinstance(peak, str)
        assert abs(residual) < 50
    assert "64" in table.note  # twice the ladder
