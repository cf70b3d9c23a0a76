"""Results of two builds with a known difference, each made once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from assay.experiments.gate import Gated, GateRequest, gate
from assay.front.terminal import PlainProgress, console
from assay.testing.results_folder import Truth, make_results
from two_builds import BUILDS, STUDY, Judge, Make


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Returns the folder of results with these properties, each made once."""
    made: dict[str, Path] = {}

    def results(*, study: str = STUDY, truth: Truth | None = None, **given: Any) -> Path:
        key = repr((study, truth, sorted(given.items())))
        if key not in made:
            quiet = truth or Truth(measure_s=4, warmup_s=1, samples=False)
            place = tmp_path_factory.mktemp("gate") / "results"
            more = {"treatments": BUILDS, "loads": (8, 64), "blocks": 6, **given}
            made[key] = make_results(place, study_toml=study, truth=quiet, **more).path
        return made[key]

    return results


@pytest.fixture(scope="session")
def slower(make: Make) -> Path:
    """The new build has a tenth less throughput."""
    return make(effect=0.9)


@pytest.fixture
def judge() -> Judge:
    """Judges claims on a results folder."""

    def judged(folder: Path, *claims: str, **wanted: Any) -> Gated:
        return gate(folder, GateRequest(claims, **wanted), PlainProgress(console(stderr=True)))

    return judged
