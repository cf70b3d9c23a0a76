"""When a device fails and what is counted of it, on a volume that only pretends."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from assay.design.folder import Hello, PhaseStart, RungFolder
from assay.design.folder.findings import read_found
from assay.measurement.run.device_failure import DeviceFailure, VolumeLostError
from assay.system.engine.process import JobOutcome
from assay.system.host.volume.rebuild import Rebuild
from assay.system.host.volume.spec import Failure, VolumeSpec
from assay.system.host.volume.volume import Volume

BEGINS = PhaseStart(phase="measure", start_ns=0)


@dataclass
class Pretended:
    """Its second device has as many errors as it was asked for since it failed; nothing takes its place."""

    spec: VolumeSpec
    count: int = 0
    failed: list[int] = field(default_factory=list)

    def fail(self, number: int) -> None:
        self.failed.append(number)

    def errors(self) -> dict[int, dict[str, int]]:
        return {2: {"read": self.count, "write": 0}}

    def replace(self, number: int) -> Rebuild:
        raise OSError(28, "No space left on device")


def failing(replace_after_s: float | None) -> tuple[Pretended, DeviceFailure]:
    failure = Failure(2, 0.0, replace_after_s)
    pretended = Pretended(VolumeSpec("btrfs", raid="raid1", devices=2, failure=failure))
    return pretended, DeviceFailure(cast(Volume, pretended), lambda _: None)


def begin(failure: DeviceFailure, hello: Hello) -> None:
    failure.hear(hello)
    failure.hear(BEGINS)
    deadline = time.monotonic() + 120
    while not failure.moments and time.monotonic() < deadline:
        time.sleep(0.01)


@pytest.fixture
def hello() -> Hello:
    return Hello(
        format=1,
        version="0",
        build="",
        pid=1,
        seed=1,
        threads=1,
        connections=0,
        workload="files",
        epoch_wall_ns=time.time_ns(),
        epoch_monotonic_ns=time.monotonic_ns(),
    )


def test_errors_are_counted_to_the_end_of_the_load(hello: Hello, tmp_path: Path) -> None:
    pretended, failure = failing(None)
    with failure:
        begin(failure, hello)
        assert pretended.failed == [2]
        pretended.count = 7  # after the failure, before the end
    rung = RungFolder(tmp_path)
    failure.record(rung)
    (record,) = read_found(rung)
    assert [(one.name, one.value) for one in record.figures] == [("device_errors", 7.0)]
    assert record.facts == {"device-2.errors": "7 read"}


def test_a_new_device_that_cannot_be_made_fails_the_run(hello: Hello) -> None:
    _, failure = failing(0.0)
    with failure:
        begin(failure, hello)
        assert failure._thread is not None
        failure._thread.join(120)  # the end of the load, if first, would spare the new device
    with pytest.raises(VolumeLostError, match=r"the volume cannot be handled: .*No space left on device"):
        failure.require(JobOutcome(0, None, None, None))
