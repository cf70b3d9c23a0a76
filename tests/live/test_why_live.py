"""`assay why` on a real server: the flag that gives back a plan is found, and follow-up studies are planned
before anything runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from live_command import Finished, at_ease

pytestmark = pytest.mark.live

FACTOR = """
[[factor]]
name = "server.variables.optimizer_switch"
levels = ["index_condition_pushdown=on", "index_condition_pushdown=off"]
"""


def test_a_plan_is_given_back_by_the_flag_that_took_it(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    study, results = write_study(load=at_ease("[1]"), rows=5000, factor=FACTOR), tmp_path / "results"
    study.write_text(study.read_text().replace("oltp_read_write", "select_random_points"))
    ran = assay("run", str(study), "--results", str(results), "--no-report")
    assert ran.code == 0, ran.err

    found = assay("why", str(results), "--plans", "--json")
    assert found.code == 0, found.err
    said = json.loads(found.out)
    (plan,) = said["plans"]
    assert plan["sets"] == [["optimizer_switch='index_condition_pushdown=on'"]]
    assert plan["is_whole"]
    assert said["measured"] == {"set-1": "optimizer_switch='index_condition_pushdown=on'"}
    assert said["outcomes"] == []
    assert plan["faster"].keys() == {"optimizer_switch='index_condition_pushdown=on'"}

    asked = assay("why", str(results), "--intervene", "--try", "pool,commits", "--json")
    assert asked.code == 0, asked.err
    planned = json.loads(asked.out)
    assert planned["follow_up"]["interventions"] == ["pool", "commits"]
    assert planned["follow_up"]["runs"] == 6 * planned["follow_up"]["blocks"]
    assert planned["outcomes"] == []
    assert not list(results.glob("why*"))
