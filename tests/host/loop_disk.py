"""A disk for tests that change real settings: a loop device with a file system, nobody else's."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_TOOLS = ("losetup", "mkfs.ext4", "mount", "umount")


@dataclass(frozen=True)
class LoopDisk:
    """`name` as in /sys/block; `path` where its file system is mounted."""

    name: str
    path: Path

    def queue(self, attribute: str) -> str:
        return Path(f"/sys/block/{self.name}/queue/{attribute}").read_text().strip()


def why_not() -> str | None:
    """Why no such disk can be made here; None when it can."""
    if os.geteuid() != 0:
        return "loop devices are made by root"
    if missing := [tool for tool in _TOOLS if shutil.which(tool) is None]:
        return f"there is no program {missing[0]}"
    if not Path("/dev/loop-control").exists():
        return "this kernel has no loop devices"
    if not os.access("/sys/block", os.W_OK):
        return "/sys is read-only here"
    return None


@contextmanager
def loop_disk(folder: Path, size_bytes: int = 64 << 20) -> Iterator[LoopDisk]:
    """Made in `folder`, gone when the block ends."""
    image, path = folder / "disk.img", folder / "disk"
    with image.open("wb") as file:
        file.truncate(size_bytes)
    path.mkdir()
    _run("mkfs.ext4", "-q", "-m", "0", str(image))
    device = _run("losetup", "--find", "--show", str(image))
    try:
        _run("mount", device, str(path))
        try:
            yield LoopDisk(Path(device).name, path)
        finally:
            _run("umount", "--lazy", str(path))
    finally:
        _run("losetup", "--detach", device)
        image.unlink()


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout.strip()
