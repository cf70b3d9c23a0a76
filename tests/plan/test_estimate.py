"""Time estimates: they add up, shrink as runs finish, and give way to observed times."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.plan import Plan, estimate_seconds, make_plan
from assay.plan.estimate import EMPTY_SERVER_BYTES, RESTORE_BYTES_PER_S
from assay.study import Study, Warmup, load_study

STUDIES = Path(__file__).parents[2] / "studies"


@pytest.fixture
def quickstart() -> tuple[Study, Plan]:
    study = load_study(STUDIES / "quickstart.toml")
    return study, make_plan(study, seed=1)


def test_the_quickstart_is_quick(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    windows_s = len(plan.runs) * 3 * (1 + 3)
    assert windows_s < estimate_seconds(study, plan) < 240


def test_finished_runs_take_no_time(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    ids = [run.run_id for run in plan.runs]
    whole, half = estimate_seconds(study, plan), estimate_seconds(study, plan, ids[:6])
    assert 0.4 * whole < half < 0.5 * whole  # the dataset is there as well
    assert estimate_seconds(study, plan, ids) == 0


def test_observed_times_replace_the_guess(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    ids = [run.run_id for run in plan.runs]
    assert estimate_seconds(study, plan, ids[:2], observed_s=[10, 20]) == 10 * 15


def test_a_load_that_is_measured_has_no_window_and_no_dataset() -> None:
    study = load_study(STUDIES / "experiments" / "bulk-load.toml")
    plan = make_plan(study, seed=1)
    assert study.load.measure_s == 60
    restore_s = EMPTY_SERVER_BYTES / RESTORE_BYTES_PER_S
    assert estimate_seconds(study, plan) == pytest.approx(len(plan.runs) * (2.0 + restore_s + 2.0))


def test_a_warmup_until_steady_counts_as_its_usual_length(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart

    def warmed(seconds: float) -> float:
        load = study.load.model_copy(update={"warmup": Warmup(kind="until-steady", seconds=seconds)})
        return estimate_seconds(study.model_copy(update={"load": load}), plan)

    assert warmed(120) == warmed(30) > warmed(10)
