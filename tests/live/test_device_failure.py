"""A device that fails under a real load, in a kernel of its own: what is recorded, measured and shown.

A device that failed beneath btrfs has stopped all btrfs of a machine until its restart (Linux 6.18).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import guest
import pytest
from assay.design.folder import ResultsFolder, RunFolder, RungFolder, read_manifest
from assay.design.folder.findings import FinderRecord, read_found
from assay.design.study.device_failure import FAILED, REBUILT, REPLACED
from assay.results.store import build_store, open_store
from live_command import Finished

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(guest.missing() is not None, reason=f"no kernel of its own: {guest.missing()}"),
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results that the tests there leave, once all of them have passed."""
    if (reason := guest.forbidden(tmp_path_factory.mktemp("start"))) is not None:
        pytest.skip(reason)
    place, kept = tmp_path_factory.mktemp("kernel"), tmp_path_factory.mktemp("kept")
    guest.carry_out_tests(place, kept)
    return kept


def rung_of(run: RunFolder) -> tuple[FinderRecord, Path]:
    (path,) = (run.path / "rungs").iterdir()
    return read_found(RungFolder(path))[-1], path


def test_it_fails_is_replaced_and_is_whole_again(kept: Path, assay: Callable[..., Finished]) -> None:
    folder = ResultsFolder(kept / "files")
    whole, failing = sorted(folder.finished_runs(), key=lambda run: read_manifest(run).position)
    assert not list(whole.path.glob("rungs/*/found.json"))
    record, path = rung_of(failing)
    assert [moment.name for moment in record.moments] == [FAILED, REPLACED, REBUILT]
    assert record.options == {"device": 2, "after_s": 1.5, "replace_after_s": 1.5}
    # btrfs asks the failed device again and again; the others answered everything.
    assert re.search(r"\d+ (write|read)", record.facts["device-2.errors"])
    assert (record.facts["device-1.errors"], record.facts["device-3.errors"]) == ("none", "none")
    (errors,) = [figure.value for figure in record.figures if figure.name == "device_errors"]
    assert errors > 0
    events = [json.loads(line) for line in (path / "events.jsonl").read_text().splitlines()]
    epoch = next(event["epoch_wall_ns"] for event in events if event["event"] == "hello")
    begin = next(event["start_ns"] for event in events if event.get("phase") == "measure")
    at = [(moment.at_wall_ns - epoch - begin) / 1e9 for moment in record.moments]
    assert at[0] >= 1.5
    assert at[1] - at[0] >= 1.4
    build_store(folder)
    with open_store(folder) as store:
        rows = store.execute("SELECT treatment, measure, value FROM measures").fetchall()
        marks = store.execute("SELECT treatment, name FROM moments ORDER BY at_ns").fetchall()
        (disks,) = store.execute(
            "SELECT count(DISTINCT name) FROM rates WHERE treatment = 'fail_device=2'"
            " AND name LIKE 'loop%.write_bytes' AND source = 'disks'"
        ).fetchone() or (0,)
        moved = store.execute(
            "SELECT sum(read_mib_per_s * seconds), sum(write_mib_per_s * seconds) FROM intervals"
            " WHERE treatment = 'fail_device=2' AND phase = 'measure'"
        ).fetchone()
    found = {measure: value for treatment, measure, value in rows if treatment == "fail_device=2"}
    assert found["healthy_per_s"] > 0
    assert found["degraded_per_s"] > 0
    assert found["rebuild_s"] > 0
    assert 0 <= found["dip_pct"] <= 100
    assert not [
        name
        for treatment, name, _ in rows
        if treatment == "fail_device=0" and "_per_s" in name[7:] and name.startswith(("healthy", "degraded"))
    ]
    assert disks == 4  # the spare too, which came amid the run
    assert marks == [("fail_device=2", name) for name in (FAILED, REPLACED, REBUILT)]
    result = next(event for event in events if event["event"] == "result")
    assert moved is not None
    assert moved[0] == pytest.approx(result["io_bytes"]["read"] / 2**20, rel=1e-6)
    assert moved[1] == pytest.approx(result["io_bytes"]["written"] / 2**20, rel=1e-6)
    done = assay("report", str(folder.path))
    assert done.code == 0, done.err
    for name, words in (("report.html", "device failed, rebuild begins"), ("report.zh.html", "设备故障")):
        assert words in (folder.path / name).read_text()


def test_a_server_goes_on_when_a_device_of_its_mirror_fails(kept: Path) -> None:
    folder = ResultsFolder(kept / "server")
    (run,) = folder.finished_runs()
    manifest = read_manifest(run)
    assert manifest.status == "complete", manifest.failure
    record, _ = rung_of(run)
    assert [moment.name for moment in record.moments][:2] == [FAILED, REPLACED]
    build_store(folder)
    with open_store(folder) as store:
        found = dict(store.execute("SELECT measure, value FROM measures").fetchall())
    assert found["healthy_per_s"] > 0
    assert found["degraded_per_s"] > 0
    assert "healthy_mib_per_s" not in found
    assert found["device_errors"] > 0
