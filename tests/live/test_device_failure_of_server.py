"""A device that fails beneath a server, in a kernel of its own: the server goes on on the others."""

from __future__ import annotations

from pathlib import Path

import guest
import pytest
from assay.folder import ResultsFolder, RungFolder, read_manifest
from assay.folder.found import read_found
from assay.server import Build
from assay.store import build_store, open_store
from assay.study.device_failure import FAILED, REPLACED

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(guest.missing() is not None, reason=f"no kernel of its own: {guest.missing()}"),
]


def test_a_server_goes_on_when_a_device_of_its_mirror_fails(tmp_path: Path, mariadb_build: Build) -> None:
    place, kept = tmp_path / "kernel", tmp_path / "kept"
    place.mkdir()
    kept.mkdir()
    guest.carry_out_tests("device_failure_of_server.py", place, kept)
    folder = ResultsFolder(kept / "server")
    (run,) = folder.finished_runs()
    manifest = read_manifest(run)
    assert manifest.status == "complete", manifest.failure
    (rung,) = (run.path / "rungs").iterdir()
    record = read_found(RungFolder(rung))[-1]
    assert [moment.name for moment in record.moments][:2] == [FAILED, REPLACED]
    build_store(folder)
    with open_store(folder) as store:
        found = dict(store.execute("SELECT measure, value FROM measures").fetchall())
    assert found["healthy_per_s"] > 0
    assert found["degraded_per_s"] > 0
    assert "healthy_mib_per_s" not in found
    assert found["device_errors"] > 0
