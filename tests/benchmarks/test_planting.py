"""The rows of planted slow-downs, and how what is named first is read."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from assay.design.study import load_study
from assay.results.ledger import group_names
from assay.results.ledger.waits.rules import groups as wait_groups
from assay.results.verdict.why.figures import counter_figures

from benchmarks.child import ContestantFailed
from benchmarks.planting import PLANTED, Plant, named, plants

PLANTS = plants()
OF_TIME = {"on-cpu", "runnable", "client", "queue", "unnamed"}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda one: one.slug)
def test_each_plant_is_a_study_whose_expected_lines_exist(plant: Plant, tmp_path: Path) -> None:
    for file in PLANTED.glob("*.sql"):
        shutil.copy(file, tmp_path)
    (tmp_path / "study.toml").write_text(plant.text("mariadb", 6))
    study = load_study(tmp_path / "study.toml")
    assert [len(one.levels) for one in study.factors] == [2]
    assert study.load.profile_s > 0
    known = {
        "time": OF_TIME | set(wait_groups()),
        "cpu": set(group_names()),
        "counters": {one.name for one in counter_figures()},
    }
    for line in plant.first:
        ledger, _, group = line.partition(" ")
        assert group in known[ledger]


def line(group: str, change: float, word: str = "moved", inside: str = "") -> dict[str, Any]:
    return {"group": group, "line": inside, "change": change, "word": word}


def test_what_is_named_first_is_the_first_line_that_moved() -> None:
    ledger = {
        "ledger": "time",
        "lines": [line("commit", 9), line("commit", 8, inside="fsync"), line("client", 2)],
    }
    assert named([ledger], ["time commit"]) == {"named_first": 1.0, "place": 1.0, "named": 2.0}
    assert named([ledger], ["time client"])["place"] == 2.0
    assert named([ledger], ["cpu commit"]) == {"named_first": 0.0, "named": 2.0}
    still = {"ledger": "time", "lines": [line("commit", 9, "bounded"), line("client", 2)]}
    assert named([still], ["time commit"]) == {"named_first": 0.0, "named": 1.0}
    assert named([still], ["time client"])["named_first"] == 1.0


def test_estimates_stand_by_their_size_and_equal_treatments_name_nothing() -> None:
    ledger = {
        "ledger": "time",
        "lines": [line("client", 2, "estimate-only"), line("commit", -9, "estimate-only")],
    }
    assert named([ledger], ["time commit"])["named_first"] == 1.0
    assert named([ledger], []) == {"named_first": 1.0, "named": 0.0}
    assert named([{"ledger": "time", "lines": [line("commit", 9)]}], []) == {"named_first": 0.0, "named": 1.0}
    with pytest.raises(ContestantFailed, match="no ledger"):
        named([], ["time commit"])
