"""`assay gate` on real servers: two builds of the command line in one study, and fresh blocks after a
failure.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from live_command import Finished, at_ease

pytestmark = pytest.mark.live

RATIO = "tps[build=new]/tps[build=base]"
CERTAIN = "\n[verdict]\nconfidence = 0.75\n"  # three blocks decide


BUILDS = ["--base", "mariadb", "--new", "mariadb"]


def test_what_passes_is_kept_and_not_run_again(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    study, results = write_study(blocks=3, factor=CERTAIN), tmp_path / "gate"
    gate = ["gate", str(study), "--results", str(results), *BUILDS, "--require", f"{RATIO} >= 0.1", "--json"]
    first = assay(*gate)
    assert (first.code, json.loads(first.out)["outcome"]) == (0, "passed"), first.err
    runs = {run: run.stat().st_mtime_ns for run in results.glob("runs/*/run.json")}
    assert len(runs) == 6
    assert (assay(*gate).code, {run: run.stat().st_mtime_ns for run in runs}) == (0, runs)
    kept = assay("gate", str(results), "--json")
    assert kept.code == 0, kept.err
    assert [one["claim"] for one in json.loads(kept.out)["checks"]] == [f"{RATIO} >= 0.1"]


@pytest.mark.long
def test_what_fails_is_measured_again(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    # A closed loop: at a fixed rate every ratio of throughput is 1, in fresh blocks as in the first.
    study, results = write_study(load=at_ease("[1]"), blocks=3, factor=CERTAIN), tmp_path / "gate"
    wanted = ["--require", f"{RATIO} >= 0.1", "--require", f"{RATIO} >= 10", "--confirm", "3"]
    failed = assay("gate", str(study), "--results", str(results), *BUILDS, *wanted, "--json")
    assert failed.code == 9, failed.err
    said = json.loads(failed.out)
    assert [one["outcome"] for one in said["checks"]] == ["passed", "failed"]
    first = said["checks"][1]["first"]
    assert (first["outcome"], first["blocks"], said["checks"][1]["blocks"]) == ("failed", 3, 3)
    assert first["figure"] != said["checks"][1]["figure"]
    seeds = [
        json.loads((place / "study.json").read_text())["seed"] for place in (results, results / "confirm")
    ]
    assert seeds[0] != seeds[1]
    loads = [
        {json.loads(run.read_text())["dataset"]["load"] for run in place.glob("runs/*/run.json")}
        for place in (results, results / "confirm")
    ]
    assert loads == [{1}, {2}]
    assert said["fresh"] == {"blocks": 3, "results": str(results / "confirm")}
