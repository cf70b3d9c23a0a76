"""Results with a known truth, to follow and to play."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.testing.results_folder import make_results
from assay.testing.run_folder import Truth


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    """Two blocks of two treatments at two loads, six seconds each."""
    place = tmp_path_factory.mktemp("recording") / "results"
    truth = Truth(measure_s=6, warmup_s=2)
    return make_results(place, blocks=2, loads=(1, 8), effect=1.2, truth=truth)


@pytest.fixture
def empty(tmp_path: Path) -> ResultsFolder:
    folder = ResultsFolder(tmp_path / "results")
    folder.runs.mkdir(parents=True)
    return folder
