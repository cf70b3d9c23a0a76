"""A device that fails beneath a server: it goes on on the others."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.folder import ResultsFolder, RungFolder, read_manifest
from assay.folder.found import read_found
from assay.host.machine import Machine
from assay.host.volume.spec import VolumeSpec
from assay.host.volume.volume import refusal
from assay.server import Build
from assay.store import build_store, open_store
from assay.study.device_failure import FAILED, REPLACED
from live_command import Finished

NO = refusal(Machine(), VolumeSpec(file_system="btrfs"))
if not os.environ.get("ASSAY_DEVICE_FAILURES"):
    # A device that fails beneath btrfs has stopped all btrfs of a machine until its restart (Linux 6.18), and
    # MariaDB does not run reliably in a kernel that is a process.
    NO = "ASSAY_DEVICE_FAILURES=1 runs it, on a machine that may be restarted"
pytestmark = [pytest.mark.live, pytest.mark.skipif(NO is not None, reason=f"no volume here: {NO}")]


SERVER = """\
[study]
name = "failing-server"
[server]
use = "mariadb"
data_dir = "{directory}"
variables = {{ innodb_buffer_pool_size = "32M", innodb_log_file_size = "16M" }}
[workload]
use = "oltp_read_write"
table_size = 2000
[volume]
file_system = "btrfs"
raid = "raid1"
devices = 3
device_size = "512M"
fail_device = 2
fail_after = "2s"
replace_after = "2s"
[load]
threads = [2]
warmup = "none"
measure = "{measure}"
[design]
blocks = 1
"""


def test_a_server_goes_on_when_a_device_of_its_mirror_fails(
    place: Path, mariadb_build: Build, assay: Callable[..., Finished]
) -> None:
    path = place / "failing-server.toml"
    path.write_text(SERVER.format(directory=place / "data", measure="12s"))
    done = assay("run", str(path), "--results", str(place / "results"))
    assert done.code == 0, done.err
    folder = ResultsFolder(place / "results")
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
