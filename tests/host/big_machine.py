"""A made-up machine with two disks under an array and a volume: its parts by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assay.system.host import Machine

Machines = Callable[[str], Machine]
VOLUME = Path("/srv/my data/mysql")  # on dm-0, on md0, on partitions of two disks
DISKS = ("nvme0n1", "nvme1n1")


def put(machine: Machine, path: str, text: str) -> None:
    file = machine.path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{text}\n")


def queue(machine: Machine, name: str, of: str = "nvme0n1") -> str | None:
    return machine.chosen(f"/sys/block/{of}/queue/{name}")
