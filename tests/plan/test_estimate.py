"""Time estimates: they add up, shrink as runs finish, and give way to observed times."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.plan import Plan, Sizes, WorkloadSize, estimate, make_plan
from assay.design.plan.estimate import (
    AROUND_PROFILE_S,
    EMPTY_SERVER_BYTES,
    LOAD_ROWS_PER_S,
    RESTORE_BYTES_PER_S,
)
from assay.design.study import Study, Warmup, load_study

STUDIES = Path(__file__).parents[2] / "studies"
SMALL: Sizes = {}


@pytest.fixture
def quickstart() -> tuple[Study, Plan]:
    study = load_study(STUDIES / "quickstart.toml")
    return study, make_plan(study, seed=1)


def test_the_quickstart_is_quick(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    windows_s = len(plan.runs) * 3 * (0.5 + 2)
    assert windows_s < estimate(study, plan, SMALL).until_judging_s < 240


def test_large_tables_take_long() -> None:
    study = load_study(STUDIES / "commit-cost.toml")  # one dataset for all of its treatments
    plan = make_plan(study, seed=1)
    size = WorkloadSize(rows=10**8, bytes=24 * 10**9, statements=1)
    large = {treatment.name: size for treatment in plan.treatments}
    more_s = estimate(study, plan, large).until_judging_s - estimate(study, plan, SMALL).until_judging_s
    assert more_s == pytest.approx(
        size.rows / LOAD_ROWS_PER_S + len(plan.runs) * size.bytes / RESTORE_BYTES_PER_S
    )


def test_profile_windows_take_their_time_at_every_load_point(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    watched = study.model_copy(update={"load": study.load.model_copy(update={"profile_s": 20})})
    more_s = estimate(watched, plan, SMALL).until_judging_s - estimate(study, plan, SMALL).until_judging_s
    assert more_s == pytest.approx(len(plan.runs) * len(plan.loads) * (20 + AROUND_PROFILE_S))


def test_finished_runs_take_no_time(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    ids = [run.run_id for run in plan.runs]
    whole, half = (
        estimate(study, plan, SMALL).until_judging_s,
        estimate(study, plan, SMALL, ids[:6]).until_judging_s,
    )
    assert 0.4 * whole < half < 0.5 * whole  # the dataset is there as well
    assert estimate(study, plan, SMALL, ids).until_judging_s == 0


def test_observed_times_replace_the_guess(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart
    ids = [run.run_id for run in plan.runs]
    assert estimate(study, plan, SMALL, ids[:2], observed_s=[10, 20]).until_judging_s == 10 * 15


def test_a_load_that_is_measured_has_no_window_and_no_dataset() -> None:
    study = load_study(STUDIES / "features" / "bulk-load.toml")
    plan = make_plan(study, seed=1)
    assert study.load.measure_s == 60
    restore_s = EMPTY_SERVER_BYTES / RESTORE_BYTES_PER_S
    loaded_s = 2.0
    size = WorkloadSize(rows=round(loaded_s * LOAD_ROWS_PER_S), bytes=10**12, statements=1)
    sizes = {treatment.name: size for treatment in plan.treatments}
    assert estimate(study, plan, sizes).until_judging_s == pytest.approx(
        len(plan.runs) * (2.0 + restore_s + loaded_s)
    )


def test_a_warmup_until_steady_counts_as_its_usual_length(quickstart: tuple[Study, Plan]) -> None:
    study, plan = quickstart

    def warmed(seconds: float) -> float:
        load = study.load.model_copy(update={"warmup": Warmup(kind="until-steady", seconds=seconds)})
        return estimate(study.model_copy(update={"load": load}), plan, SMALL).until_judging_s

    assert warmed(120) == warmed(30) > warmed(10)


def test_treatments_that_differ_in_what_is_sent_share_a_dataset(tmp_path: Path) -> None:
    text = (STUDIES / "commit-cost.toml").read_text(encoding="utf-8").partition("[[factor]]")[0]
    factor = '[[factor]]\nname = "workload.range_size"\nlevels = [10, 100, 1000]\n'
    (tmp_path / "study.toml").write_text(text + factor, encoding="utf-8")
    study = load_study(tmp_path / "study.toml")
    plan = make_plan(study, seed=1)
    assert len(plan.treatments) == 3
    size = WorkloadSize(rows=10**8, bytes=0, statements=1, shaped_by="the same")
    other = WorkloadSize(rows=10**8, bytes=0, statements=1, shaped_by="another")
    alike = {treatment.name: size for treatment in plan.treatments}
    unlike = {**alike, plan.treatments[0].name: other}
    once_s = estimate(study, plan, alike).until_judging_s
    assert estimate(study, plan, unlike).until_judging_s - once_s == pytest.approx(
        2 + 10**8 / LOAD_ROWS_PER_S
    )


def test_an_estimate_holds_what_this_machine_has_shown_and_names_what_it_has_not(
    quickstart: tuple[Study, Plan],
) -> None:
    study, plan = quickstart
    took = {"loading": 200.0, "around": 20.0, "judging": 50.0}
    guess = estimate(study, plan, SMALL)
    assert guess.supposed == ("loading", "starting and stopping", "judging")
    assert guess.caveat == "not known yet on this machine: loading, starting and stopping, judging"
    found = estimate(study, plan, SMALL, known=lambda kind, what, size: took[kind])
    assert (found.loading_s % 200, found.judging_s, found.caveat) == (0, 50.0, "")
    assert found.loading_s >= 200
    assert found.runs_s > 20 * len(plan.runs)
    assert found.seconds == found.loading_s + found.runs_s + found.judging_s
    there = estimate(study, plan, SMALL, known=lambda kind, what, size: took[kind], missing_datasets=0)
    assert (there.loading_s, there.runs_s) == (0.0, found.runs_s)
    only_loads = estimate(
        study, plan, SMALL, known=lambda kind, *_: took[kind] if kind == "loading" else None
    )
    assert only_loads.supposed == ("starting and stopping", "judging")
    assert estimate(study, plan, SMALL, [run.run_id for run in plan.runs]).seconds == 0
