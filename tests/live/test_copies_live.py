"""`assay aa` on a real server: four equal copies, and the noise that it keeps for plans."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_plans
from live_command import Finished, at_ease

pytestmark = pytest.mark.live


@pytest.mark.long
def test_equal_copies_give_the_noise_that_a_plan_goes_by(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    study, results = write_study(load=at_ease("[2]")), tmp_path / "copies"
    found = assay("aa", str(study), "--blocks", "2", "--results", str(results), "--json")
    assert found.code == 0, found.err
    said = json.loads(found.out)
    assert said["blocks_complete"] == 2
    assert len(said["treatments"]) == 4
    (spread,) = [one for one in said["copies"] if one["measure"] == "tps"]
    assert (spread["copies"], spread["blocks"], spread["degrees"]) == (4, 2, 3)
    assert spread["log_sd"] > 0
    assert not said["hypotheses"]
    plans = [read_plans(run) for run in ResultsFolder(results).finished_runs()]
    statements = {tuple(plan.statement for plan in one.statements) for one in plans if one is not None}
    assert len(plans) == 8
    assert len(statements) == 1
    assert all(statements)

    planned = assay("plan", str(study), "--json")
    assert planned.code == 0, planned.err
    (sight,) = json.loads(planned.out)["sights"]
    assert sight["basis"] == "copies"
    assert sight["noise"] == pytest.approx(spread["log_sd"], rel=1e-6)
