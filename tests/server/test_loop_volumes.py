"""Volumes of loop devices in private directories: made, filled, refused, in use, removed."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.system.host import host_facts
from assay.system.host.volume import file_system
from assay.system.server import PrivateDir
from loop_devices import MIB, left_of, needs, spec

pytestmark = pytest.mark.machine


@pytest.fixture
def parent() -> Iterator[Path]:
    """On a disk: not every memory file system can be read past the page cache."""
    with tempfile.TemporaryDirectory(prefix="volume-test-", dir="/var/tmp") as path:
        Path(path).chmod(0o755)
        yield Path(path)


def filled(point: Path) -> int:
    """Bytes that one file takes until there is no room."""
    with (point / "filling").open("wb") as file:
        taken, step = 0, 4 * MIB
        while step >= 64 << 10:
            try:
                os.posix_fallocate(file.fileno(), taken, step)
                taken += step
            except OSError:
                step //= 2
    return taken


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "raid", "devices", "share"),
    [
        pytest.param("ext4", "none", 1, 0.7, marks=needs("ext4")),
        pytest.param("xfs", "none", 1, 0.7, marks=needs("xfs")),
        pytest.param("btrfs", "none", 1, 0.5, marks=needs("btrfs")),
        pytest.param("btrfs", "raid0", 2, 0.6, marks=needs("btrfs")),
        pytest.param("btrfs", "raid1", 2, 0.3, marks=needs("btrfs")),
        pytest.param("btrfs", "raid1", 3, 0.3, marks=needs("btrfs")),
        pytest.param("btrfs", "raid10", 4, 0.3, marks=needs("btrfs")),
        pytest.param("btrfs", "raid5", 3, 0.4, marks=needs("btrfs")),
        pytest.param("btrfs", "raid5", 4, 0.5, marks=needs("btrfs")),
    ],
)
def test_what_is_said_to_be_usable_can_be_filled(
    parent: Path, kind: str, raid: str, devices: int, share: float
) -> None:
    with PrivateDir() as private:
        volume = private.volume(spec(kind, raid, devices), parent)
        taken = filled(volume.point)
        assert 0.98 * volume.usable_bytes <= taken <= 1.1 * volume.usable_bytes
        assert share * volume.spec.raw_bytes < taken < volume.spec.raw_bytes
    assert left_of(parent) == []


@needs("ext4")
def test_what_is_unallocated_is_not_used(parent: Path) -> None:
    with PrivateDir() as private:
        whole = private.volume(spec("ext4", device_bytes=100 * MIB), parent)
        less = PrivateDir()
        with less:
            part = less.volume(spec("ext4", device_bytes=100 * MIB, unallocated=0.5), parent)
            assert filled(part.point) < 50 * MIB < filled(whole.point)
            assert (part.point.parent / "device-1").stat().st_blocks * 512 >= 100 * MIB


@needs("btrfs")
def test_facts_show_every_device_and_what_is_under_it(parent: Path) -> None:
    with PrivateDir() as private:
        volume = private.volume(spec("btrfs", "raid1", 2, page_cache=True), parent)
        facts = host_facts([volume.point])
        blocks, systems = facts["block"], facts["file_system"]
        assert isinstance(blocks, dict)
        assert isinstance(systems, dict)
        assert systems[str(volume.point)]["type"] == "btrfs"
        for number, device in enumerate(volume.devices, start=1):
            found = blocks[device.name]
            assert found["kind"] == "loop"
            assert found["backing_file"] == str(volume.point.parent / f"device-{number}")
            assert found["loop_direct_io"] == 0


@needs("ext4")
def test_what_the_kernel_does_not_take_is_said_and_nothing_is_left(parent: Path) -> None:
    with (
        pytest.raises(HostError, match=r"volume\.mount: ext4 was not mounted with no_such_option"),
        PrivateDir() as private,
    ):
        private.volume(spec("ext4", mount="no_such_option"), parent)
    assert left_of(parent) == []


@needs("ext4")
def test_where_the_page_cache_cannot_be_passed_by_that_is_said(parent: Path) -> None:
    """A file system in memory that has no other place for its files."""
    subprocess.check_call(["mount", "-t", "ramfs", "ramfs", str(parent)])
    parent.chmod(0o755)
    try:
        with pytest.raises(HostError) as refused, PrivateDir() as private:
            private.volume(spec("ext4", device_bytes=16 * MIB), parent)
        assert refused.value.hint is not None
        assert "page_cache = true" in refused.value.hint
        with PrivateDir() as private:
            cached = private.volume(spec("ext4", device_bytes=16 * MIB, page_cache=True), parent)
            assert cached.point.is_mount()
        assert list(parent.iterdir()) == []
    finally:
        subprocess.check_call(["umount", str(parent)])


@needs("ext4")
def test_under_another_name_of_its_place_it_goes_as_well(parent: Path) -> None:
    real, link = parent / "real", parent / "link"
    real.mkdir()
    link.symlink_to(real)
    with PrivateDir() as private:
        assert private.volume(spec("ext4"), link).point.is_mount()
    assert left_of(real) == []


@pytest.mark.long
@needs("ext4")
def test_what_is_in_use_goes_when_it_is_free(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private = PrivateDir()
    volume = private.volume(spec("ext4"), parent)
    user = (volume.point / "open").open("w")
    with monkeypatch.context() as patched:
        patched.setattr(file_system, "_PATIENCE_S", 0.2)
        private.remove()
    assert volume.point.is_mount()
    assert private.records.exists()
    user.close()
    private.remove()
    assert left_of(parent) == []
    assert not private.records.exists()


@needs("ext4")
def test_devices_and_mounts_of_others_are_left_alone(parent: Path) -> None:
    theirs = parent / "theirs"
    with theirs.open("wb") as file:
        file.truncate(16 * MIB)
    device = subprocess.check_output(["losetup", "--find", "--show", str(theirs)], text=True).strip()
    point = parent / "point"
    point.mkdir()
    try:
        subprocess.check_call(["mkfs.ext4", "-q", device])
        subprocess.check_call(["mount", device, str(point)])
        with PrivateDir() as private:
            volume = private.volume(spec("ext4"), parent)
            # Notes of things that are not its own.
            with (private.records / "outside").open("a") as notes:
                notes.write(f'["loop", "{theirs}"]\n["mount", "{point}"]\n["array", "/dev/md/0"]\n')
        assert not volume.point.parent.exists()
        assert point.is_mount()
        assert Path(f"/sys/block/{Path(device).name}/loop/backing_file").read_text().strip() == str(theirs)
    finally:
        subprocess.call(["umount", str(point)])
        subprocess.call(["losetup", "--detach", device])
