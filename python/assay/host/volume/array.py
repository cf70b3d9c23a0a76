"""Arrays of devices by the kernel's md driver: RAID below any file system. Source: md(4), mdadm(8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assay.host.machine import Machine
from assay.host.program import run_program
from assay.host.volume.loop import said_by

_ARRAYS = Path("/dev/md")
_LEVELS = {"raid0": "0", "raid1": "1", "raid10": "10", "raid5": "5"}


def refusal(machine: Machine, raid: str) -> str | None:
    """Why this machine makes no such array; None: it does."""
    known = machine.text("/proc/mdstat")
    if known is None:
        return "this kernel has no md (CONFIG_BLK_DEV_MD; modprobe md-mod)"
    # Levels that are modules not loaded yet are missing here, and come when one is asked for.
    if machine.program("mdadm") is None:
        return "there is no mdadm: apt-get install mdadm"
    return None if raid in _LEVELS else f"md has no {raid}"


def path_of(name: str) -> Path:
    """Where the array of this name will be."""
    return _ARRAYS / name


def create(array: Path, raid: str, devices: Sequence[Path]) -> None:
    """HostError in mdadm's words when there can be none.

    Nothing is synchronised at the beginning: new files read as zeros, so that mirrors are equal and the
    parity of zeros is right as it is. Else the load would be measured beside the first synchronisation.
    """
    clean = [] if raid == "raid0" else ["--assume-clean"]
    command = ["mdadm", "--create", str(array), "--run", "--homehost=any", "--metadata=1.2", *clean]
    command += [f"--level={_LEVELS[raid]}", f"--raid-devices={len(devices)}", *map(str, devices)]
    said_by(command, f"volume.raid: no {raid} could be made")


def stop(array: Path) -> None:
    """Takes it apart; harmless when there is none."""
    if is_there(array):
        run_program(["mdadm", "--stop", str(array)])


def is_there(array: Path, machine: Machine | None = None) -> bool:
    """Whether the kernel has it."""
    name = array.resolve().name  # md127: the name in /dev/md is a link
    return bool(re.search(rf"^{re.escape(name)} :", (machine or Machine()).text("/proc/mdstat") or "", re.M))
