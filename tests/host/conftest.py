"""Machines as fixtures: kernel files in JSON (path -> content, or where a link points), unpacked for a test.

`vm` was recorded on a small virtual machine; `two-sockets` was written by hand after the kernel's manual.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.system.host import Machine
from big_machine import DISKS, Machines, put


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[str], Machine]:
    def unpack(name: str) -> Machine:
        root = tmp_path / name
        for path, content in json.loads(
            (Path(__file__).parent / "machines" / f"{name}.json").read_text()
        ).items():
            file = root / path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, dict):
                file.symlink_to(content["link"])
            else:
                file.write_text(content)
        return Machine(root)

    return unpack


@pytest.fixture
def big(machine: Machines) -> Machine:
    """Two disks with more of a queue, under an array and a volume."""
    made = machine("two-sockets")
    for disk in DISKS:
        for name, value in (("rotational", "0"), ("read_ahead_kb", "128"), ("rq_affinity", "1")):
            put(made, f"/sys/block/{disk}/queue/{name}", value)
    made.path("/sys/block/dm-0").symlink_to("../devices/virtual/block/dm-0")
    put(made, "/sys/block/dm-0/queue/read_ahead_kb", "512")
    for cpu in ("policy0", "policy4"):
        put(made, f"/sys/devices/system/cpu/cpufreq/{cpu}/scaling_governor", "powersave")
        put(
            made,
            f"/sys/devices/system/cpu/cpufreq/{cpu}/scaling_available_governors",
            "performance powersave",
        )
    put(made, "/proc/sys/vm/dirty_ratio", "20")
    put(made, "/proc/sys/kernel/random/boot_id", "first")
    return made


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "journal"
