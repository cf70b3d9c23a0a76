"""The load generator's own figures become measures; figures that an earlier engine did not report are
missing.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.tally import percentile_ms
from assay.design.folder import RunFolder, read_manifest
from assay.results.store.measures import rung_measures
from assay.results.store.rung import read_rung
from recorded_results import unpack


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """A recorded run of an open loop, of an engine that said nothing of reading."""
    return next(unpack("open", tmp_path).finished_runs())


def lateness_of(run: RunFolder) -> dict[str, float]:
    (entry,) = read_manifest(run).rungs
    found = rung_measures(read_rung(run, 1, entry), {})
    return {measure.name: measure.value for measure in found if "lateness" in measure.name}


def said(run: RunFolder, **more: object) -> dict[str, dict[str, str]]:
    """The run's result, with more in it from now on."""
    (entry,) = read_manifest(run).rungs
    file = run.path / entry.dir / "events.jsonl"
    *lines, last = file.read_text().splitlines()
    result: dict[str, dict[str, str]] = json.loads(last) | more
    file.write_text("\n".join([*lines, json.dumps(result)]) + "\n")
    return result


def test_the_lateness_of_arrivals_is_that_of_the_recorded_histogram(run: RunFolder) -> None:
    assert lateness_of(run) == {
        "pacing_lateness_p99_ms": percentile_ms(said(run)["pacing"]["lateness"], 0.99)
    }


def test_the_lateness_of_reading_is_there_where_the_engine_said_it(run: RunFolder) -> None:
    waits = said(run)["labels"]["point_select"]["wait"]  # type: ignore[index]
    said(run, reading={"answers": 5, "lateness": waits})
    assert lateness_of(run)["reading_lateness_p99_ms"] == percentile_ms(waits, 0.99)
