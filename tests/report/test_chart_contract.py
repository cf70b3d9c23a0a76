"""Every chart of the report keeps the contract of charts: of one treatment, two, four and eight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from assay.reporting.report.charts import CHARTS, answer
from assay.reporting.report.material import Material
from assay.reporting.report.words import LANGUAGES, load_words
from assay.testing.contracts import ChartContract
from synthetic import make_material, renamed

NAMES = {
    4: [f"ps_mode={a}, performance_schema={b}" for a in ("auto", "disable") for b in ("off", "on")],
    8: [
        f"innodb_flush_log_at_trx_commit={a}, innodb_doublewrite={b}, table_open_cache={c}"
        for a in (1, 2)
        for b in ("ON", "OFF")
        for c in (400, 4000)
    ],
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Material]]:
    """Planted results of 1, 2, 4 and 8 treatments in each language, those of 1 in a single block."""
    made = []
    for count in (1, 2, 4, 8):
        path, blocks = tmp_path_factory.mktemp(f"of-{count}"), 1 if count == 1 else 2
        one = make_material(path, treatments=count, loads=(8,) if count == 1 else (1, 8), blocks=blocks)
        made.append(renamed(one, NAMES[count]) if count in NAMES else one)
    yield [replace(one, words=load_words(language)) for one in made for language in LANGUAGES]
    for one in made:
        one.store.close()


DRAWN = (answer.draw, *CHARTS)
IDS = [f"{draw.__module__.rpartition('.')[2]}.{draw.__name__}" for draw in DRAWN]


@pytest.mark.parametrize("draw", DRAWN, ids=IDS)
class TestCharts(ChartContract):
    @pytest.fixture
    def shapes(self, planted: list[Material]) -> list[Material]:
        return planted
