"""Every chart of the report keeps the contract of charts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from assay.reporting.report.charts import CHARTS, answer
from assay.reporting.report.material import Material
from assay.testing.contracts import ChartContract
from synthetic import make_material


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    made = make_material(tmp_path_factory.mktemp("bare"), treatments=1, loads=(8,), blocks=1)
    yield made
    made.store.close()


DRAWN = (answer.draw, *CHARTS)
NAMES = [f"{draw.__module__.rpartition('.')[2]}.{draw.__name__}" for draw in DRAWN]


@pytest.mark.parametrize("draw", DRAWN, ids=NAMES)
class TestCharts(ChartContract):
    pass
