"""Knobs on made-up machines: what is turned, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.design.study.host_settings import HOST
from assay.system.host import Knobs, Machine, unavailable
from assay.system.host.knob.registry import KNOBS
from assay.system.host.stack import disks_under, layers
from big_machine import DISKS, VOLUME, put, queue


def test_a_study_can_name_every_knob_and_no_other() -> None:
    assert set(KNOBS) == set(HOST)


def test_what_a_knob_moves_is_turned_after_it() -> None:
    order = list(KNOBS)
    for knob in KNOBS.values():
        assert all(order.index(moved) > order.index(knob.name) for moved in knob.moves)


def test_all_disks_of_a_volume_are_turned_and_put_back(big: Machine, place: Path) -> None:
    with Knobs(big, place) as knobs:
        with knobs.turned({"block.scheduler": "kyber", "block.rotational": 1}, VOLUME) as done:
            assert [(one.knob, one.target, one.was, one.now) for one in done] == [
                ("block.scheduler", "nvme0n1", "none", "kyber"),
                ("block.scheduler", "nvme1n1", "none", "kyber"),
                ("block.rotational", "nvme0n1", "0", "1"),
                ("block.rotational", "nvme1n1", "0", "1"),
            ]
            assert queue(big, "scheduler", "nvme1n1") == "kyber"
        assert [queue(big, "scheduler", disk) for disk in DISKS] == ["none", "none"]
        assert [queue(big, "rotational", disk) for disk in DISKS] == ["0", "0"]
        assert not knobs.journal.path.exists()


def test_read_ahead_is_that_of_the_volume(big: Machine, place: Path) -> None:
    with Knobs(big, place) as knobs, knobs.turned({"block.read_ahead_kb": 0}, VOLUME) as done:
        assert [(one.target, one.was) for one in done] == [("dm-0", "512")]
        assert queue(big, "read_ahead_kb") == "128"


def test_what_the_kernel_sets_anew_is_put_back_too(big: Machine, place: Path) -> None:
    """A scheduler brings a queue of its own length, rotational a read-ahead."""
    with Knobs(big, place) as knobs:
        with knobs.turned({"block.scheduler": "kyber", "block.rotational": 1}, VOLUME):
            put(big, "/sys/block/nvme0n1/queue/nr_requests", "256")
            put(big, "/sys/block/nvme0n1/queue/read_ahead_kb", "4096")
        assert queue(big, "nr_requests") == "1023"
        assert queue(big, "read_ahead_kb") == "128"


def test_a_loop_device_has_a_queue_of_its_own_on_the_disk_of_its_file(big: Machine) -> None:
    put(big, "/sys/devices/virtual/block/loop7/loop/backing_file", "/srv/my data/disk.img")
    big.path("/sys/dev/block/7:7").symlink_to("../../devices/virtual/block/loop7")
    with big.path("/proc/self/mountinfo").open("a") as mounts:
        mounts.write("50 1 7:7 / /mnt rw - ext4 /dev/loop7 rw\n")
    (top,) = layers(big, Path("/mnt/x"))
    assert (top.kind, [layer.name for layer in top.below]) == ("loop", ["dm-0"])
    assert [layer.name for layer in disks_under(big, Path("/mnt/x"))] == ["loop7"]


def test_a_file_system_of_several_devices(big: Machine) -> None:
    for name in ("nvme0n1p2", "nvme1n1p2"):
        link = big.path(f"/sys/fs/btrfs/0-1-2/devices/{name}")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(big.path(f"/sys/class/block/{name}").resolve())
    assert [layer.name for layer in disks_under(big, Path("/srv/btrfs"))] == list(DISKS)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"block.scheduler": "mq-dedline"}, 'does not offer mq-dedline; did you mean "mq-deadline"'),
        ({"block.scheduler": "noop"}, 'does not offer noop; this kernel has "none" instead'),
        ({"block.nomerges": 1}, "this kernel has no such setting for this kind of device"),
        ({"cpu.governor": "ondemand"}, "does not offer ondemand"),
        ({"thp": "never"}, "built without transparent huge pages"),
        (
            {"raid.write_policy": "write-back"},
            "no command-line tool of a RAID controller is installed: storcli",
        ),
    ],
)
def test_what_is_not_to_be_had(big: Machine, place: Path, settings: dict[str, str], reason: str) -> None:
    assert reason in unavailable(settings, VOLUME, big)[0]
    with (
        pytest.raises(HostError, match=reason.replace("?", r"\?")),
        Knobs(big, place) as knobs,
        knobs.turned({"block.rotational": 1, **settings}, VOLUME),
    ):
        pytest.fail("turned")
    assert queue(big, "rotational") == "0"


def test_every_reason_is_said_at_once(big: Machine) -> None:
    with pytest.raises(HostError) as caught:
        Knobs.check({"thp": "never", "block.nomerges": 1, "block.rotational": 1}, VOLUME, big)
    assert caught.value.message.startswith("host.thp = never cannot be set on this machine: ")
    assert caught.value.detail is not None
    assert caught.value.detail.startswith("host.block.nomerges = 1 cannot be set on this machine: ")


def test_data_in_memory_has_no_disk(big: Machine) -> None:
    with big.path("/proc/self/mountinfo").open("a") as mounts:
        mounts.write("60 1 0:30 / /dev/shm rw - tmpfs tmpfs rw\n")
    (reason,) = unavailable({"block.scheduler": "none"}, Path("/dev/shm/x"), big)
    assert "/dev/shm/x lies on tmpfs mounted on /dev/shm" in reason


def test_a_governor_of_every_group_of_processors(big: Machine, place: Path) -> None:
    with Knobs(big, place) as knobs, knobs.turned({"cpu.governor": "performance"}, VOLUME) as done:
        assert [one.target for one in done] == ["policy0", "policy4"]
        assert big.text("/sys/devices/system/cpu/cpufreq/policy4/scaling_governor") == "performance"


@pytest.mark.parametrize("state", ["notsupported", "notimplemented", "forceoff"])
def test_multithreading_that_cannot_be_switched(big: Machine, state: str) -> None:
    assert unavailable({"cpu.smt": "off"}, VOLUME, big) == []
    put(big, "/sys/devices/system/cpu/smt/control", state)
    assert f"says {state}" in unavailable({"cpu.smt": "off"}, VOLUME, big)[0]


def test_dirty_memory_may_be_said_in_bytes(big: Machine) -> None:
    knob = KNOBS["vm.dirty_ratio"]
    assert knob.show(big, "this machine") == "20"
    put(big, "/proc/sys/vm/dirty_bytes", "268435456")
    assert knob.show(big, "this machine") == "268435456 bytes"
    knob.write(big, "this machine", "4096 bytes")
    assert big.number("/proc/sys/vm/dirty_bytes") == 4096
    assert knob.by_hand("this machine", "4096 bytes") == "echo 4096 > /proc/sys/vm/dirty_bytes"


def test_words_of_a_mount() -> None:
    knob = KNOBS["mount"]
    shown = "noatime,diratime,nolazytime,async,nodiscard,barrier,delalloc,auto_da_alloc"
    assert knob.same(shown, "noatime")
    assert not knob.same(shown, "noatime,discard")
    if os.geteuid() == 0:
        here = Machine()
        assert "cannot be combined" in str(knob.refusal(here, "/", "noatime,relatime"))
        assert 'did you mean "noatime"' in str(knob.refusal(here, "/", "notime"))
