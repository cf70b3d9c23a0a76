"""A factor of several keys on a real server: every key is set, and results speak of its levels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_manifest
from live_command import Finished

pytestmark = pytest.mark.live

TIED = """
[[factor]]
name = "disk"
keys = [
  "server.variables.innodb_io_capacity",
  "server.dynamic.innodb_flush_log_at_trx_commit",
  "workload.table_size",
]
levels = ["ssd", "hdd"]
values = [[1000, 2, 300], [200, 1, 500]]

[[hypothesis]]
claim = "tps[disk=ssd] > tps[disk=hdd]"

[scale.quick]
about = "One block."
"design.blocks" = 1
"factor.disk.values" = [[1500, 2, 300], [200, 1, 500]]
"""


@pytest.mark.long
def test_it_runs(assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path) -> None:
    study = write_study(factor=TIED, blocks=2)
    text = study.read_text(encoding="utf-8").replace("table_size = 500\n", "")
    study.write_text(text, encoding="utf-8")
    folder = ResultsFolder(tmp_path / "results")
    ran = assay("run", str(study), "--scale", "quick", "--results", str(folder.path))
    assert ran.code == 0, ran.err

    found = {}
    for run in folder.finished_runs():
        manifest = read_manifest(run)
        variables = json.loads(run.facts("server", "before").read_text(encoding="utf-8"))["variables"]
        names = ("innodb_io_capacity", "innodb_flush_log_at_trx_commit")
        found[manifest.levels["disk"]] = [int(variables[name]) for name in names]
        assert list(manifest.levels) == ["disk"]
    assert found == {"ssd": [1500, 2], "hdd": [200, 1]}

    shown = json.loads(assay("report", str(folder.path), "--json").out)
    assert shown["scale"] == "quick"
    assert shown["treatments"] == ["disk=ssd", "disk=hdd"]
    assert shown["hypotheses"][0]["claim"] == "tps[disk=ssd] > tps[disk=hdd]"
    settings = (folder.path / "tables" / "configuration.csv").read_text(encoding="utf-8").splitlines()
    rows = {row.split(",")[0]: row.split(",")[1:] for row in settings}
    assert rows["innodb_io_capacity"] == ["factor of the study", "1500", "200"]
    assert rows["innodb_flush_log_at_trx_commit"][1:] == ["2", "1"]
