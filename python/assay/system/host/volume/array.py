"""Makes and stops arrays of devices by the kernel's md driver, for RAID below any file system. Source: md(4),
mdadm(8).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine
from assay.system.host.program import run_program
from assay.system.host.volume.loop import said_by

_ARRAYS = Path("/dev/md")
_LEVELS = {"raid0": "0", "raid1": "1", "raid10": "10", "raid5": "5"}


def refusal(machine: Machine, raid: str) -> str | None:
    """Returns why this machine cannot make such an array; None when it can."""
    known = machine.text("/proc/mdstat")
    if known is None:
        return "this kernel has no md (CONFIG_BLK_DEV_MD; modprobe md-mod)"
    # Levels that are modules not loaded yet are missing here, and come when one is asked for.
    if machine.program("mdadm") is None:
        return "there is no mdadm: apt-get install mdadm"
    return None if raid in _LEVELS else f"md has no {raid}"


def path_of(name: str) -> Path:
    """Returns the device path of the array with this name."""
    return _ARRAYS / name


def create(array: Path, raid: str, devices: Sequence[Path]) -> None:
    """Makes an array. Raises HostError with mdadm's reason when it cannot be made.

    The array is not synchronised first, which would disturb the load: new files read as zeros, so mirrors are
    equal and the parity of zeros is correct.
    """
    clean = [] if raid == "raid0" else ["--assume-clean"]
    command = ["mdadm", "--create", str(array), "--run", "--homehost=any", "--metadata=1.2", *clean]
    command += [f"--level={_LEVELS[raid]}", f"--raid-devices={len(devices)}", *map(str, devices)]
    said_by(command, f"volume.raid: no {raid} could be made")


def stop(array: Path) -> None:
    """Stops an array; does nothing when there is none."""
    if is_there(array):
        run_program(["mdadm", "--stop", str(array)])


def is_there(array: Path, machine: Machine | None = None) -> bool:
    """Returns whether the kernel has this array."""
    name = array.resolve().name  # md127: the name in /dev/md is a link
    return bool(re.search(rf"^{re.escape(name)} :", (machine or Machine()).text("/proc/mdstat") or "", re.M))
