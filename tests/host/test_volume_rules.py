"""What of a volume can be known without making one: parts that fit, refusals, arrays of md."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError
from assay.design.study import Scalar
from assay.system.host import Machine, program
from assay.system.host.volume import array
from assay.system.host.volume.spec import VolumeSpec
from assay.system.host.volume.volume import refusal

MIB = 1 << 20


def test_settings_are_parsed_once() -> None:
    found = VolumeSpec.of(
        {"file_system": "btrfs", "raid": "raid10", "device_size": "256M", "unallocated_pct": 15}
    )
    assert found is not None
    assert (found.devices, found.device_bytes, found.raw_bytes) == (4, 256 * MIB, 1024 * MIB)
    assert found.allocated_bytes == int(256 * MIB * 0.85) // 4096 * 4096
    assert VolumeSpec.of({}) is None
    assert VolumeSpec.of({"file_system": "none", "raid": "raid10"}) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"raid": "raid5", "devices": 2}, "volume.devices: raid5 needs at least 3, not 2"),
        ({"raid": "raid10", "devices": 5}, "volume.devices: raid10 needs an even number, not 5"),
        ({"devices": 2}, "volume.devices: 2 devices must be joined"),
        (
            {"raid": "raid1", "fail_device": 1, "replace_after": "1s"},
            "volume.replace_after: raid1 of ext4 cannot replace a device",
        ),
    ],
)
def test_parts_that_do_not_fit(settings: Mapping[str, Scalar], said: str) -> None:
    with pytest.raises(InputError, match=said):
        VolumeSpec.of(settings)


@pytest.fixture
def complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine on which root makes any of them."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for name in ("losetup", "mount", "umount", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mdadm"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    for path, text in {
        "dev/loop-control": "",
        "proc/filesystems": "nodev\tproc\n\text4\n",
        "proc/mdstat": "Personalities :\nunused devices: <none>\n",
        "proc/sys/kernel/osrelease": "6.1",
        "lib/modules/6.1/modules.dep": "kernel/fs/xfs/xfs.ko.xz: \nkernel/fs/btrfs/btrfs.ko: \n",
    }.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Machine(tmp_path, str(tmp_path / "bin"))


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs"])
@pytest.mark.parametrize("raid", ["none", "raid1"])
def test_nothing_speaks_against_it(complete: Machine, kind: str, raid: str) -> None:
    assert refusal(complete, VolumeSpec(kind, raid=raid, devices=1 + (raid == "raid1"))) is None


@pytest.mark.parametrize(
    ("gone", "kind", "raid", "said"),
    [
        ("dev/loop-control", "ext4", "none", "this kernel has no loop devices"),
        ("bin/losetup", "ext4", "none", "there is no losetup: apt-get install mount"),
        ("bin/mkfs.xfs", "xfs", "none", "there is no mkfs.xfs: apt-get install xfsprogs"),
        ("bin/mkfs.btrfs", "btrfs", "raid1", "there is no mkfs.btrfs: apt-get install btrfs-progs"),
        ("lib/modules/6.1/modules.dep", "btrfs", "none", "this kernel knows no btrfs"),
        (
            "proc/mdstat",
            "ext4",
            "raid5",
            'raid5 of ext4: this kernel has no md .*; file_system = "btrfs" has',
        ),
        ("bin/mdadm", "xfs", "raid0", "raid0 of xfs: there is no mdadm: apt-get install mdadm"),
    ],
)
def test_what_is_missing_is_named(complete: Machine, gone: str, kind: str, raid: str, said: str) -> None:
    complete.path(gone).unlink()
    found = refusal(complete, VolumeSpec(kind, raid=raid, devices=3))
    assert found is not None
    assert re.match(said, found), found


def test_who_is_not_root_makes_none(complete: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "this process is not root (`volumes` in assay doctor)" in str(refusal(complete, VolumeSpec()))


def test_a_kernel_whose_btrfs_has_stopped_is_not_asked_again(
    complete: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def process(pid: int, state: str, wchan: str, waits: int = 3) -> None:
        place = complete.path(f"/proc/{pid}")
        place.mkdir(exist_ok=True)
        (place / "status").write_text(f"State:\t{state} (x)\nvoluntary_ctxt_switches:\t{waits}\n")
        (place / "wchan").write_text(wchan)

    process(7, "S", "btrfs_control_ioctl")  # can be killed
    process(8, "D", "btrfs_commit_transaction")  # at work: it waits once more meanwhile
    process(9, "D", "folio_wait_bit_common")  # waits for a disk
    monkeypatch.setattr(time, "sleep", lambda _: process(8, "D", "btrfs_commit_transaction", 4))
    assert refusal(complete, VolumeSpec(file_system="btrfs")) is None
    process(10, "D", "btrfs_control_ioctl")
    assert refusal(complete, VolumeSpec(file_system="ext4")) is None
    process(8, "D", "btrfs_commit_transaction")
    said = refusal(complete, VolumeSpec(file_system="btrfs"))
    assert said == "the kernel's btrfs has stopped: process 10 hangs in it; restart the machine"


@pytest.fixture
def mdadm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in that writes down what it is told, as this machine's kernel may have no md."""
    said, program = tmp_path / "said", tmp_path / "mdadm"
    program.write_text(f'#!/bin/sh\necho "$*" >> {said}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return said


def test_an_array_is_made_without_a_synchronisation_beside_the_load(mdadm: Path) -> None:
    devices = [Path(f"/dev/loop{number}") for number in range(3)]
    array.create(Path("/dev/md/assay-1-2-3"), "raid5", devices)
    array.create(Path("/dev/md/assay-1-2-4"), "raid0", devices)
    first, second = mdadm.read_text().splitlines()
    assert first.startswith("--create /dev/md/assay-1-2-3 --run")
    assert "--assume-clean --level=5 --raid-devices=3 /dev/loop0 /dev/loop1 /dev/loop2" in first
    assert "--assume-clean" not in second  # it has nothing that could differ


def test_an_array_that_is_not_there_is_not_stopped(mdadm: Path) -> None:
    array.stop(Path("/dev/md/assay-9-9-9"))
    assert not mdadm.exists()


def test_an_array_is_known_by_the_device_behind_its_name(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/mdstat").write_text(
        "Personalities : [raid1]\nmd127 : active raid1 loop1[1] loop0[0]\n      1 blocks\n"
    )
    link = tmp_path / "assay-1-2-3"
    link.symlink_to("/dev/md127")
    assert array.is_there(link, Machine(tmp_path))
    assert not array.is_there(tmp_path / "assay-1-2-4", Machine(tmp_path))
    link.unlink()
    link.symlink_to("/dev/md12")
    assert not array.is_there(link, Machine(tmp_path))


def test_what_mdadm_refuses_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "mdadm"
    program.write_text("#!/bin/sh\necho 'mdadm: no such level' >&2\nexit 2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(HostError, match=r"volume\.raid: no raid1 could be made: mdadm: no such level"):
        array.create(Path("/dev/md/a"), "raid1", [Path("/dev/loop0"), Path("/dev/loop1")])


def test_a_program_that_does_not_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that the kernel holds ignores even SIGKILL; here it is our wait that would be noticed."""
    monkeypatch.setattr(subprocess.Popen, "wait", lambda *_, **__: pytest.fail("it was waited for"))
    with pytest.raises(HostError, match=r"sleep 60 failed: .*timed out"):
        program.run_program(["sleep", "60"], timeout_s=0.2)
