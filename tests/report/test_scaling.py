"""The scaling table: there with a ladder of four rungs, absent with a shorter one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.records.scaling import scaling
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables import scaling as scaling_table
from assay.results.stats import fit_usl
from synthetic import make_material


def test_a_short_ladder_has_no_law(material: Material) -> None:
    assert scaling(material) == {}
    assert "scaling" not in [table.name for table in build_tables(material)]


@pytest.mark.sampled(1)
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


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "not given: the law is off by 15 % at 16 threads"), ("zh", "不给出：定律在 16 个线程处偏离 15%")],
)
def test_a_law_that_does_not_fit_has_its_reason_where_the_peak_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    made = make_material(tmp_path / "results", loads=(1, 4, 16, 32), language=language)
    ladder = np.array([1, 4, 16, 32, 64, 128, 256])
    law = fit_usl(ladder, np.tile(1000.0 * np.minimum(ladder, 24), (6, 1)))  # 24 cores
    monkeypatch.setattr(scaling_table, "scaling", lambda _: {"default": law})
    (table,) = scaling_table.tables(made)
    made.store.close()
    assert table.rows[0][4:] == (said, pytest.approx(15.3, abs=0.1))
