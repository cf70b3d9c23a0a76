"""A run that has lost something since it was over, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_manifest
from live_command import Finished

pytestmark = pytest.mark.live


@pytest.mark.long
def test_a_run_that_has_lost_its_events_is_done_again(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    run = ["run", str(write_study()), "--results", str(folder.path), "--json", "--no-report"]
    first = assay(*run)
    assert first.code == 0, first.err
    assert json.loads(first.out)["blocks_complete"] == 1
    spoilt, kept = list(folder.finished_runs())
    before = read_manifest(kept)
    events = spoilt.rung(1, "rate", 100).events
    events.write_bytes(events.read_bytes()[:-700])

    said = json.loads(assay("report", str(folder.path), "--json").out)
    (lost,) = [one for one in said["doubts"] if one["kind"] == "lost-figures"]
    assert (lost["severity"], lost["run_id"], said["blocks_complete"]) == ("invalid", spoilt.path.name, 0)

    second = assay(*run)
    assert second.code == 0, second.err
    assert f"! {spoilt.path.name} is done again: rungs/01-rate-100/events.jsonl has " in second.err
    found = json.loads(second.out)
    assert found["blocks_complete"] == 1
    assert not [one for one in found["doubts"] if one["kind"].startswith("lost-")]
    assert read_manifest(kept) == before
    assert (folder.runs / f".{spoilt.path.name}.damaged-1").is_dir()
