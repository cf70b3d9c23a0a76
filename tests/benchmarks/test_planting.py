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
    (tmp_path / "study.toml").write_text(plant.text(plant.server or "mariadb", 6))
    study = load_study(tmp_path / "study.toml")
    assert [len(one.levels) for one in study.factors] == [2]
    assert study.load.profile_s > 0
    known = {
        "time": OF_TIME | set(wait_groups()),
        "cpu": set(group_names()),
        "counters": {one.name for one in counter_figures()},
    }
    for line in set(plant.first) - {"plans"}:
        ledger, _, group = line.partition(" ")
        assert group in known[ledger]


def look(ledger: str, group: str | None) -> dict[str, Any]:
    return {"ledger": ledger, "line": None if group is None else {"group": group}}


def said(*looks: dict[str, Any], words: tuple[str, ...] = ("moved", "bounded")) -> dict[str, Any]:
    lines = [{"group": "commit", "line": "", "word": word} for word in words]
    inside = {"group": "commit", "line": "fsync", "word": "moved"}
    return {"ledgers": [{"ledger": "time", "lines": [*lines, inside]}], "looks": [{"at": list(looks)}]}


def test_what_is_named_first_is_what_is_to_be_looked_at_first() -> None:
    found = said(look("plans", None), look("time", "commit"), look("counters", "fsyncs_per_transaction"))
    assert named(found, ["plans"]) == {"named_first": 1.0, "place": 1.0, "named": 1.0}
    assert named(found, ["cpu sort", "time commit"]) == {"named_first": 0.0, "place": 2.0, "named": 1.0}
    assert named(found, ["cpu commit"]) == {"named_first": 0.0, "named": 1.0}


def test_equal_treatments_name_nothing() -> None:
    assert named(said(), []) == {"named_first": 0.0, "named": 1.0}
    assert named(said(words=("bounded",)), []) == {"named_first": 1.0, "named": 0.0}
    with pytest.raises(ContestantFailed, match="no ledger"):
        named({"ledgers": [], "looks": []}, ["time commit"])
