"""The generators of tests/fixtures are importable here; one small report is written once for all tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "fixtures")]

from assay.reporting.report import write_report  # noqa: E402
from assay.reporting.report.material import Material  # noqa: E402
from synthetic import HOSTILE, make_material  # noqa: E402


@pytest.fixture(scope="session")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """Two treatments, three rungs, six blocks, and a hypothesis with a hostile source."""
    made = make_material(tmp_path_factory.mktemp("results"), claim_source=HOSTILE)
    yield made
    made.store.close()


@pytest.fixture(scope="session")
def written(material: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a report, and with the files of the runs that it leads to, empty."""
    folder = tmp_path_factory.mktemp("written")
    sources = "SELECT manifest AS file FROM runs UNION ALL SELECT events FROM rungs"
    for row in material.rows(sources):
        (folder / row["file"]).parent.mkdir(parents=True, exist_ok=True)
        (folder / row["file"]).touch()
    write_report(material.study, material.results, material.store, folder, png=True, advice=material.advice)
    return folder
