"""A device that fails under a real load, on real loop devices: the load goes on or is told so, and nothing is
left. `test_device_failure.py` runs this in a kernel of its own, and looks at what was measured.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.format.job import Access, DiskJob, Io, Phases, StorageJob
from assay.design.folder import ResultsFolder, RunFolder, RungFolder, read_manifest
from assay.design.folder.findings import FinderRecord, read_found
from assay.design.study.device_failure import FAILED, REPLACED
from assay.measurement.run.device_failure import DeviceFailure, VolumeLostError
from assay.system.engine.interrupts import Interrupts
from assay.system.engine.process import run_job
from assay.system.host.machine import Machine
from assay.system.host.volume.loop import fail
from assay.system.host.volume.spec import VolumeSpec
from assay.system.host.volume.volume import Volume, refusal
from assay.system.server import PrivateDir
from forked import Command
from live_command import Finished, wait_for

BTRFS = {"file_system": "btrfs", "raid": "raid1", "devices": 3, "device_size": "512M", "fail_device": 2}
NO = refusal(Machine(), VolumeSpec(file_system="btrfs"))
KEPT = Path(os.environ.get("KEPT_RESULTS") or tempfile.mkdtemp(prefix="kept-"))
"""Where results are left for the tests outside."""
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
{load}
warmup = "none"
measure = "{measure}"
[design]
blocks = 1
order = "as-written"
"""
VARIED = '\n[[factor]]\nname = "volume.fail_device"\nlevels = [0, 2]\n'


def write(place: Path, results: Path | None = None, **values: str) -> list[str]:
    usual = {
        "size": "16M",
        "device": "512M",
        "fail": "fail_device = 2",
        "measure": "9s",
        "load": "threads = [2]",
    }
    given = {**usual, **values}
    factor = given.pop("factor", "")
    path = place / "failing.toml"
    path.write_text(FILES.format(directory=place / "data", **given) + factor)
    return ["run", str(path), "--results", str(results or place / "results")]


def found_at(run: RunFolder) -> FinderRecord:
    (path,) = (run.path / "rungs").iterdir()
    return read_found(RungFolder(path))[-1]


def test_a_study_in_which_a_device_fails_is_carried_out(place: Path, assay: Callable[..., Finished]) -> None:
    """What it measured is looked at outside."""
    values = {"fail": "", "factor": VARIED, "measure": "12s", "load": "rate = [60]"}
    done = assay(*write(place, results=KEPT / "files", **values), "--no-report")
    assert done.code == 0, done.err


def test_a_rebuild_that_outlasts_the_window_is_cancelled_and_said(
    place: Path, assay: Callable[..., Finished]
) -> None:
    done = assay(*write(place, size="160M", device="1G", measure="3200ms"), "--no-report")
    assert done.code == 0, done.err
    (run,) = ResultsFolder(place / "results").finished_runs()
    record, manifest = found_at(run), read_manifest(run)
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
    lab = start(*write(place, size="160M", device="1G", measure="60s"), "--no-report")
    try:
        wait_for(lambda: lab.poll() is not None or replacing())
        assert lab.poll() is None, lab.communicate()
        os.kill(lab.pid, how)
        lab.communicate(timeout=60)
    finally:
        lab.kill()
    if how == signal.SIGKILL:
        assert list((place / "data").iterdir())
    swept = assay("server", "list")
    assert swept.code == 0, swept.err
    wait_for(lambda: not replacing())
    assert not list(ResultsFolder(place / "results").finished_runs())


def replacing() -> bool:
    """Whether a new device has joined the volume, and the old one has not gone yet."""
    time.sleep(0.3)
    return {path.name for path in Path("/sys/fs/btrfs").glob("*/devinfo/*")} == {"1", "2", "3", "4"}


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
