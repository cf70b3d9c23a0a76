"""Measures that workloads have by names of their own, as the engine announces them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from assay.base.format.measures import OWN_MEASURES
from assay.design.folder import RunFolder, RunResult, read_manifest
from assay.results.store.measures import rung_measures
from assay.results.store.rung import read_rung
from assay.system.engine.binary import workload_catalogue
from recorded_results import unpack

from scripts.workload_measures import FILE, module


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """A recorded run of TPC-C, of an engine that announced no measures."""
    return next(unpack("terminals", tmp_path).finished_runs())


def announce(run: RunFolder, measures: list[dict[str, Any]]) -> None:
    """The run as of an engine that announced these."""
    (entry,) = read_manifest(run).rungs
    file = run.path / entry.dir / "events.jsonl"
    hello, *lines = file.read_text().splitlines()
    file.write_text("\n".join([json.dumps(json.loads(hello) | {"measures": measures}), *lines]) + "\n")


def measured(run: RunFolder) -> tuple[dict[str, tuple[float, str]], RunResult]:
    (entry,) = read_manifest(run).rungs
    rung = read_rung(run, 1, entry)
    assert rung.result is not None
    return {one.name: (one.value, one.unit) for one in rung_measures(rung, {})}, rung.result


def test_the_list_is_what_the_engine_says() -> None:
    """If not: `make schema`."""
    assert FILE.read_text() == module(workload_catalogue())


def test_a_run_of_an_engine_too_old_to_announce_has_those_known_by_now(run: RunFolder) -> None:
    found, result = measured(run)
    inside = result.kinds["new_order"].inside
    assert inside > 0
    assert found["tpmc"] == (int(inside * 60 / result.elapsed_s), "/min")
    assert "tpmc" in {one.name for one in OWN_MEASURES}


def test_what_was_announced_is_measured_and_nothing_else(run: RunFolder) -> None:
    paid = {"name": "payments_per_h", "unit": "/h", "kind": "payment", "per_s": 3600, "whole": False}
    announce(run, [paid, paid | {"name": "of_nothing", "kind": "refund"}])
    found, result = measured(run)
    inside = result.kinds["payment"].inside
    assert inside > 0
    assert found["payments_per_h"] == (pytest.approx(inside * 3600 / result.elapsed_s), "/h")
    assert not {"tpmc", "of_nothing"} & found.keys()
