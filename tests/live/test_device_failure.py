"""A device that fails under a real load, on real loop devices: what is recorded, and that nothing is left."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from assay.engine.interrupts import Interrupts
from assay.engine.process import run_job
from assay.folder import ResultsFolder, RunFolder, RungFolder, read_manifest
from assay.folder.found import Found, read_found
from assay.format.job import Access, DiskJob, Io, Phases, StorageJob
from assay.host.machine import Machine
from assay.host.volume.loop import fail
from assay.host.volume.spec import VolumeSpec
from assay.host.volume.volume import Volume, refusal
from assay.run.device_failure import DeviceFailure, VolumeLostError
from assay.server import Build, PrivateDir
from assay.store import build_store, open_store
from assay.study.device_failure import FAILED, REBUILT, REPLACED
from forked import Command
from live_command import Finished, wait_for

BTRFS = {"file_system": "btrfs", "raid": "raid1", "devices": 3, "device_size": "512M", "fail_device": 2}
NO = refusal(Machine(), VolumeSpec(file_system="btrfs"))
if not os.environ.get("ASSAY_DEVICE_FAILURES"):
    # A device that fails beneath btrfs has stopped all btrfs of a machine until its restart (Linux 6.18).
    NO = "ASSAY_DEVICE_FAILURES=1 runs these, on a machine that may be restarted"
pytestmark = [pytest.mark.live, pytest.mark.skipif(NO is not None, reason=f"no volume here: {NO}")]

FILES = """\
[study]
name = "failing"
[workload]
use = "fileio"
file_test_mode = "rndrw"
file_num = 2
file_total_size = "{size}"
file_extra_flags = "direct"
[storage]
directory = "{directory}"
[volume]
file_system = "btrfs"
raid = "raid1"
devices = 3
device_size = "{device}"
fail_after = "1500ms"
replace_after = "1500ms"
{fail}
[load]
threads = [2]
warmup = "none"
measure = "{measure}"
[design]
blocks = 1
order = "as-written"
"""
VARIED = '\n[[factor]]\nname = "volume.fail_device"\nlevels = [0, 2]\n'


@pytest.fixture
def place() -> Iterator[Path]:
    # Not below tmp_path, which is closed to the user of a server that root starts.
    with tempfile.TemporaryDirectory(prefix="device-failure-", dir="/var/tmp") as path:
        place, directory = Path(path), Path(path) / "data"
        place.chmod(0o755)
        directory.mkdir()
        yield place
        assert not list(directory.iterdir())
        assert str(directory) not in Path("/proc/mounts").read_text()
        assert not [device for device in backing() if str(directory) in device]


def backing() -> list[str]:
    found = []
    for path in Path("/sys/block").glob("loop*/loop/backing_file"):
        try:
            found.append(path.read_text())
        except OSError:
            continue
    return found


def write(place: Path, **values: str) -> list[str]:
    given = {"size": "16M", "device": "512M", "fail": "fail_device = 2", "measure": "9s", **values}
    factor = given.pop("factor", "")
    path = place / "failing.toml"
    path.write_text(FILES.format(directory=place / "data", **given) + factor)
    return ["run", str(path), "--results", str(place / "results")]


def rung_of(run: RunFolder) -> tuple[Found, Path]:
    (path,) = (run.path / "rungs").iterdir()
    return read_found(RungFolder(path))[-1], path


def test_it_fails_is_replaced_and_is_whole_again(place: Path, assay: Callable[..., Finished]) -> None:
    done = assay(*write(place, fail="", factor=VARIED, measure="20s"))
    assert done.code == 0, done.err
    folder = ResultsFolder(place / "results")
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
    for name, words in (("report.html", "device failed, rebuild begins"), ("report.zh.html", "设备故障")):
        assert words in (place / "results" / name).read_text()


def test_a_rebuild_that_outlasts_the_window_is_cancelled_and_said(
    place: Path, assay: Callable[..., Finished]
) -> None:
    done = assay(*write(place, size="160M", measure="3200ms"), "--no-report")
    assert done.code == 0, done.err
    (run,) = ResultsFolder(place / "results").finished_runs()
    record, _ = rung_of(run)
    manifest = read_manifest(run)
    assert [moment.name for moment in record.moments] == [FAILED, REPLACED]
    (doubt,) = [doubt for doubt in manifest.doubts if doubt.kind == "rebuild-unfinished"]
    assert doubt.value is not None
    assert 0 <= doubt.value < 100
    assert manifest.status == "complete"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_lab_that_ends_while_rebuilding_leaves_nothing(
    place: Path,
    start: Callable[..., Command],
    assay: Callable[..., Finished],
    how: signal.Signals,
) -> None:
    lab = start(*write(place, size="160M", measure="60s"), "--no-report")
    try:
        wait_for(lambda: lab.poll() is not None or replacing(place))
        assert lab.poll() is None, lab.communicate()
        os.kill(lab.pid, how)
        lab.communicate(timeout=60)
    finally:
        lab.kill()
    if how == signal.SIGKILL:
        assert list((place / "data").iterdir())
    swept = assay("server", "list")
    assert swept.code == 0, swept.err
    wait_for(lambda: not replacing(place))
    assert not list(ResultsFolder(place / "results").finished_runs())


def replacing(place: Path) -> bool:
    """Whether a new device has joined the volume, and the old one has not gone yet."""
    for point in place.glob("data/*/mounted"):
        said = subprocess.run(
            ["btrfs", "filesystem", "show", "--raw", str(point)], capture_output=True, text=True, check=False
        )
        if set(re.findall(r"devid +(\d+)", said.stdout)) == {"1", "2", "3", "4"}:
            return True
    return False


def job(directory: Path) -> DiskJob:
    mix = StorageJob(
        name="mix",
        group=0,
        clones=2,
        repeat=True,
        files=[str(directory / "file")],
        file_bytes=8 << 20,
        access=Access(order="random", read_share=0.5, read_blocks=4096, write_blocks=4096),
        io=Io(kind="psync", direct=True),
    )
    return DiskJob(version=1, action="storage", seed=1, phases=Phases(measure_ms=8000), storage=[mix])


def test_an_error_that_reaches_the_load_fails_the_run_and_says_so(place: Path) -> None:
    """Both copies go: the one that was planned, and another that nobody spoke of."""
    spec = VolumeSpec.of({**BTRFS, "devices": 2, "fail_after": "1s"})
    assert spec is not None
    with PrivateDir() as private:
        volume: Volume = private.volume(spec, place / "data")
        heard: list[object] = []
        with Interrupts() as interrupts, DeviceFailure(volume, heard.append) as failure:

            def hear(event: object) -> None:
                failure.hear(event)  # type: ignore[arg-type]
                if failure.moments:
                    fail(volume.devices[0])

            outcome = run_job(job(volume.point), interrupts=interrupts, on_event=hear)
        assert heard
        with pytest.raises(VolumeLostError, match=r"device 2 of the volume was made to fail .*, and then: "):
            failure.require(outcome)
        rung = RungFolder(place)
        failure.record(rung)
        assert rung.found.is_file()


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
    record, _ = rung_of(run)
    assert [moment.name for moment in record.moments][:2] == [FAILED, REPLACED]
    build_store(folder)
    with open_store(folder) as store:
        found = dict(store.execute("SELECT measure, value FROM measures").fetchall())
    assert found["healthy_per_s"] > 0
    assert found["degraded_per_s"] > 0
    assert "healthy_mib_per_s" not in found
    assert found["device_errors"] > 0
