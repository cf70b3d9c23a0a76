"""A screen on a real server: four treatments of three variables, effects of each, one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_manifest
from live_command import Finished, at_ease

pytestmark = pytest.mark.live

SCREEN = """
[[factor]]
name = "server.variables.innodb_flush_log_at_trx_commit"
levels = [0, 2]

[[factor]]
name = "server.variables.innodb_purge_threads"
levels = [1, 4]

[[factor]]
name = "server.variables.innodb_adaptive_hash_index"
levels = [false, true]

[[hypothesis]]
claim = "tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]"
"""


DESIGN = """[design]
kind = "plackett-burman"
fold_over = false"""  # the mirror images, of which there are as many, are judged in tests/verdict


@pytest.mark.long
def test_a_screen_runs_every_row_and_reports_every_factor(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    study = write_study(factor=SCREEN, load=at_ease("[2]"))
    text = study.read_text(encoding="utf-8").replace("[design]", DESIGN)
    study.write_text(text, encoding="utf-8")
    folder = ResultsFolder(tmp_path / "results")

    ran = assay("run", str(study), "--results", str(folder.path), "--json")

    assert ran.code == 0, ran.err
    done = [read_manifest(run) for run in folder.finished_runs()]
    assert {one.treatment for one in done} == {f"row {number}" for number in range(1, 5)}
    assert len({tuple(sorted(one.variables.items())) for one in done}) == 4
    found = json.loads(ran.out)
    effects = [one for one in found["screening"]["effects"] if one["comparison"]["measure"] == "tps"]
    assert {one["factor"] for one in effects} == {
        "innodb_flush_log_at_trx_commit",
        "innodb_purge_threads",
        "innodb_adaptive_hash_index",
    }
    assert all(one["alone"][0] < one["comparison"]["ratio"] < one["alone"][1] for one in effects)
    assert found["hypotheses"][0]["outcome"] == "undecided"
    assert "innodb_purge_threads" in (folder.path / "charts" / "tornado.csv").read_text(encoding="utf-8")
    assert (folder.path / "charts" / "tornado.svg").is_file()
    assert (folder.path / "tables" / "effects.csv").read_text(encoding="utf-8").count("\n") > 3
