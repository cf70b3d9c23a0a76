"""Attaches and detaches loop devices: files as disks. Source: loop(4), losetup(8), linux/loop.h."""

from __future__ import annotations

import fcntl
import struct
import time
from collections.abc import Iterator
from pathlib import Path

from assay.base.errors import HostError
from assay.base.privileges import REFUSED, PrivilegeError, refused, speaks_of_rights
from assay.system.host.program import run_program

_SET_STATUS64, _GET_STATUS64 = 0x4C04, 0x4C05
_INFO64_BYTES, _SIZE_LIMIT_AT = 232, 32
_ALMOST_NOTHING = 512
"""Bytes: a sector, on which nothing lies. 0 is no limit, and Linux 6.1 lets every request to a device without
sectors pass.
"""
_DEVICES = Path("/sys/block")
_PATIENCE_S = 5.0
_CACHED = "if its file system has no direct I/O, put the devices' files on another, or set page_cache = true"


def attach(file: Path, size_bytes: int, *, page_cache: bool) -> Path:
    """Attaches a loop device to the first `size_bytes` of a file; without `page_cache` it uses direct I/O.

    Raises HostError with the tool's reason when this is not allowed or no device is left, and when the kernel
    uses the page cache all the same, as some do for a file system without direct I/O.
    """
    cache = "off" if page_cache else "on"
    command = ["losetup", "--find", "--show", f"--direct-io={cache}", f"--sizelimit={size_bytes}", str(file)]
    try:
        device = Path(said_by(command, f"no loop device for {file}").strip())
    except HostError as error:
        raise HostError(error.message, hint=None if page_cache else _CACHED, detail=error.detail) from error
    if not page_cache and (_DEVICES / device.name / "loop/dio").read_text().strip() != "1":
        raise HostError(f"{device} cannot read {file} past the page cache", hint=_CACHED)
    return device


def detach(file: Path) -> None:
    """Detaches every loop device on this file, and waits a while for their users; does nothing when there is
    none.
    """
    for device in devices_on(file):
        run_program(["losetup", "--detach", str(device)])
    deadline = time.monotonic() + _PATIENCE_S
    while devices_on(file) and time.monotonic() < deadline:
        time.sleep(0.05)


def devices_on(file: Path) -> list[Path]:
    """Returns the loop devices on this file, also when the file has been deleted."""
    return [device for device, backing in _backed() if backing.removesuffix(" (deleted)") == str(file)]


def fail(device: Path) -> None:
    """Makes every later request to a loop device end with an I/O error.

    The device shrinks to a sector, at once and for all later requests; its file stays unchanged.
    """
    try:
        with device.open("r+b", buffering=0) as opened:
            info = bytearray(_INFO64_BYTES)
            fcntl.ioctl(opened, _GET_STATUS64, info)
            struct.pack_into("=Q", info, _SIZE_LIMIT_AT, _ALMOST_NOTHING)
            fcntl.ioctl(opened, _SET_STATUS64, info)
    except OSError as error:
        what = f"cannot make {device} fail: {error.strerror}"
        if error.errno in REFUSED:
            raise PrivilegeError("[volume]", refused("volumes", what)) from error
        raise HostError(what) from error


def said_by(command: list[str], failure: str, *, timeout_s: float = 60.0) -> str:
    """Runs a program and returns what it printed. Raises HostError with `failure` and the program's own words
    when it fails.
    """
    done = run_program(command, timeout_s=timeout_s)
    if done.returncode != 0:
        words = " ".join((done.stderr or done.stdout).split())
        if speaks_of_rights(words):
            raise PrivilegeError(
                "[volume]", refused("volumes", f"{failure}: {words}"), detail=" ".join(command)
            )
        raise HostError(f"{failure}: {words or f'exit code {done.returncode}'}", detail=" ".join(command))
    return done.stdout


def _backed() -> Iterator[tuple[Path, str]]:
    for entry in sorted(_DEVICES.glob("loop*/loop/backing_file")):
        try:
            yield Path("/dev") / entry.parent.parent.name, entry.read_text().rstrip("\n")
        except OSError:
            continue  # it was detached meanwhile
