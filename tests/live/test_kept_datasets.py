"""Datasets of real servers: fingerprint, last use, budget, a study that holds its own, damage found."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from assay.design.folder import ResultsFolder
from forked import Command
from live_command import Finished, wait_for

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]
Start = Callable[..., Command]
Write = Callable[..., Path]


@pytest.fixture
def own_home(assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, which the server's user can enter."""
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    return home


def kept(assay: Assay) -> list[dict[str, Any]]:
    """Those with tables: the empty one of the build, which they are loaded on, is kept beside them."""
    found: list[dict[str, Any]] = json.loads(assay("dataset", "list", "--json").out)
    return [dataset for dataset in found if dataset["tables"]]


@pytest.mark.long
def test_a_dataset_from_load_to_removal(
    assay: Assay, write_study: Write, tmp_path: Path, own_home: Path
) -> None:
    def run(number: int, rows: int = 500, **env: str) -> Finished:
        results = str(tmp_path / f"results-{number}")
        study = str(write_study(factor="", measure="500ms", rows=rows))
        return assay("run", study, "--results", results, "--no-report", **env)

    first = run(1)
    assert first.code == 0, first.err
    (dataset,) = kept(assay)
    (table,) = dataset["fingerprint"].values()
    assert (table["rows"], table["engine"], table["row_format"]) == (500, "InnoDB", "Dynamic")
    data = own_home / "datasets" / dataset["id"] / "data"
    assert table["bytes"] == sum(file.stat().st_size for file in data.glob("assay/sbtest1.*"))
    assert not dataset["in_use"]

    os.utime(data.parent / "manifest.json", (1e9, 1e9))
    assert run(2).code == 0
    (used,) = kept(assay)
    assert used["created_wall_ns"] == dataset["created_wall_ns"]
    assert used["last_used_wall_ns"] > used["created_wall_ns"]

    other = run(3, rows=600, ASSAY_DATASET_BUDGET="1M")
    assert other.code == 0, other.err
    assert f"removed the dataset {dataset['id']}" in other.err
    (left,) = kept(assay)
    assert left["rows"] == 600

    os.truncate(own_home / "datasets" / left["id"] / "data" / "assay" / "sbtest1.ibd", 1000)
    damaged = run(4, rows=600)
    assert (damaged.code, "sbtest1.ibd has 1000 bytes" in damaged.err) == (6, True)
    assert f"assay dataset rm {left['id']}" in damaged.err
    assert assay("dataset", "rm", left["id"]).code == 0
    assert run(5, rows=600).code == 0


@pytest.mark.long
def test_a_study_holds_its_datasets_to_its_end(
    assay: Assay, start: Start, write_study: Write, tmp_path: Path, own_home: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    study = write_study(measure="60s", blocks=1)
    lab = start("run", str(study), "--results", str(folder.path), "--no-report")
    wait_for(lambda: list(folder.runs.glob(".*.unfinished/rungs/*/events.jsonl")))
    (dataset,) = kept(assay)
    assert dataset["in_use"]
    refused = assay("dataset", "rm", "--all")
    assert (refused.code, dataset["id"] in refused.err) == (6, True)
    lab.kill()
    lab.communicate()
    assert assay("dataset", "rm", "--all").code == 0
    assert kept(assay) == []
    assert assay("server", "sweep").code == 0
