"""The study in studies/versions/: its loads, its scales, its pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.design.plan import Plan, check_workload, make_plan
from assay.design.study import load_study
from assay.design.study.text.study_text import StudyText
from assay.system.engine import workload_catalogue

VERSIONS = Path(__file__).parents[2] / "studies/versions"
MATRIX = VERSIONS / "matrix.toml"


def planned(scale: str) -> Plan:
    plan = make_plan(load_study(MATRIX, scale=scale), seed=1)
    check_workload(plan, workload_catalogue(), StudyText(MATRIX))
    return plan


@pytest.mark.parametrize(("scale", "loads", "servers"), [("small", 12, 2), ("whole", 48, 6)])
def test_each_scale_has_its_loads_on_its_servers(scale: str, loads: int, servers: int) -> None:
    study, plan = load_study(MATRIX, scale=scale), planned(scale)
    assert len(plan.treatments) == loads * servers
    assert len(plan.runs) == loads * servers * 6
    assert len(plan.loads) == 2
    assert plan.loads[0] == 1
    assert all(hypothesis.source for hypothesis in study.hypotheses)


def test_a_cold_load_has_a_small_pool_and_the_others_that_of_the_file() -> None:
    for one in planned("whole").treatments:
        cold = one.levels["load"].endswith("-cold")
        assert one.variables["innodb_buffer_pool_size"] == ("16M" if cold else "256M")


def test_no_two_loads_are_the_same() -> None:
    plan = planned("whole")
    first = [one for one in plan.treatments if one.server_use == "mysql@5.6"]
    said = {(one.workload, str(one.workload_options), str(one.variables)) for one in first}
    assert len(said) == len(first)


def test_only_batches_of_inserts_are_without_the_options_of_the_file() -> None:
    for one in planned("whole").treatments:
        batch = str(one.levels["load"]).startswith("insert-batch")
        assert ("table_size" in one.workload_options) == (not batch)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_pages_name_every_kind_of_load(name: str) -> None:
    text = (VERSIONS / name).read_text(encoding="utf-8")
    kinds = {word.removesuffix("…") for word in re.findall(r"`([a-z-]+…?)`", text)}
    loads = {str(one.levels["load"]) for one in planned("whole").treatments}
    left = {load for load in loads if not any(load == kind or load.startswith(kind) for kind in kinds)}
    assert left == set()
