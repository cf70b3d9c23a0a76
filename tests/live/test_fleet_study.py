"""A study whose load several generators carry out, on a real server."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import (
    Doubt,
    Manifest,
    ResultsFolder,
    RunFolder,
    RunResult,
    read_events,
    read_manifest,
)
from live_command import PATIENCE_S, wait_for, written

pytestmark = pytest.mark.live

Write = Callable[..., Path]
LOAD = "rate = [200]\nconnections = 4\ngenerators = 2"


def _manifests(folder: ResultsFolder) -> list[Manifest]:
    return [read_manifest(run) for run in folder.finished_runs()]


def _result(run: RunFolder, manifest: Manifest) -> RunResult:
    (rung,) = manifest.rungs
    *_, last = read_events(run.rung_at(rung.dir).events)
    assert isinstance(last, RunResult)
    return last


def _first_events(folder: ResultsFolder) -> list[Path]:
    return list(folder.runs.glob(".*.unfinished/rungs/*/generators/g2/events.jsonl"))


def test_a_lost_generator_fails_its_run_and_the_block_is_begun_again_at_once(
    start: Callable[..., object], write_study: Write, tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    study = write_study(load=LOAD, measure="2s", factor="")
    lab = start("run", str(study), "--results", str(folder.path), "--no-report")
    wait_for(lambda: written(_first_events(folder), '"phase":"measure"'))
    hello = json.loads(_first_events(folder)[0].read_text().splitlines()[0])
    os.kill(hello["pid"], signal.SIGKILL)
    out, err = lab.communicate(timeout=PATIENCE_S)  # type: ignore[attr-defined]
    assert lab.returncode == 0, err  # type: ignore[attr-defined]
    assert "block 1 is begun again: " in out + err

    (done,) = _manifests(folder)
    result = _result(folder.run(done.run_id), done)
    assert result.complete
    assert [one.connections for one in result.generators] == [2, 2]
    assert result.server_questions is not None
    assert result.server_questions >= result.sent_statements > 1000
    events = read_events(folder.run(done.run_id).rung_at(done.rungs[0].dir).events)
    assert "conservation" not in [one.kind for one in events if isinstance(one, Doubt)]
    assert result.pacing is not None
    assert sum(one.planned_arrivals or 0 for one in result.generators) == result.pacing.arrivals
    aside = folder.runs / f".{done.run_id}.failed-1"
    assert (aside / done.rungs[0].dir / "fleet.json").is_file()
    failure = json.loads((aside / "run.json").read_text())["failure"]
    assert failure["kind"] == "GeneratorLost"
    assert "generator g2" in failure["message"]
    assert "signal 9" in failure["message"]
