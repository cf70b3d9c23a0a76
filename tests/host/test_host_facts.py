"""Facts are what the kernel's files say; what they do not say is absent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.host import Machine, host_facts

Machines = Callable[[str], Machine]


def facts(machine: Machine, *paths: str) -> dict[str, Any]:
    return host_facts([Path(path) for path in paths], machine)


def test_a_recorded_virtual_machine(machine: Machines) -> None:
    found = facts(machine("vm"), "/var/lib/assay")
    cpu = found["cpu"]
    assert (cpu["logical"], cpu["cores"], cpu["sockets"]) == (2, 2, 1)
    assert cpu["model"] == "Intel(R) Xeon(R) Processor"
    assert "hypervisor" in cpu["flags"]
    assert found["system"] == {"os": "Debian GNU/Linux 12 (bookworm)", "virtualisation": "yes"}
    assert found["memory"]["transparent_hugepage"] == "madvise"
    assert found["kernel"]["clocksource"] == "tsc"
    assert found["numa"]["nodes"] == 1
    assert found["file_system"]["/"]["type"] == "ext4"
    disk = found["block"]["vda"]
    assert disk["kind"] == "disk"
    assert disk["queue"]["scheduler"] == "mq-deadline"
    assert disk["queue"]["rotational"] == 1


def test_what_is_not_said_is_absent(machine: Machines) -> None:
    found = facts(machine("vm"), "/var/lib/assay")
    assert "governor" not in found["cpu"]
    assert "turbo" not in found["cpu"]
    assert "model" not in found["block"]["vda"]
    assert "command_line" not in found["kernel"]


def test_an_empty_machine_has_no_facts(tmp_path: Path) -> None:
    assert facts(Machine(tmp_path), "/data") == {}


def test_every_layer_under_a_volume(machine: Machines) -> None:
    block = facts(machine("two-sockets"), "/srv/my data/mysql")["block"]
    assert {name: (device["kind"], device.get("below")) for name, device in block.items()} == {
        "dm-0": ("device-mapper", "md0"),
        "md0": ("md", "nvme0n1p2 nvme1n1p2"),
        "nvme0n1p2": ("partition", "nvme0n1"),
        "nvme1n1p2": ("partition", "nvme1n1"),
        "nvme0n1": ("disk", None),
        "nvme1n1": ("disk", None),
    }
    assert block["dm-0"]["mapper_name"] == "vg-data"
    assert block["md0"]["raid_level"] == "raid10"
    assert block["nvme0n1"]["queue"]["wbt_lat_usec"] == -1
    assert block["nvme0n1"]["size_bytes"] == 7501476528 * 512


def test_a_mount_without_a_device_of_its_own_is_found_by_its_source(machine: Machines) -> None:
    assert set(facts(machine("two-sockets"), "/srv/btrfs/x")["block"]) == {"nvme1n1p2", "nvme1n1"}


def test_a_big_machine(machine: Machines) -> None:
    found = facts(machine("two-sockets"), "/srv/my data")
    assert (found["cpu"]["logical"], found["cpu"]["cores"], found["cpu"]["sockets"]) == (8, 4, 2)
    assert found["cpu"]["governor"] == "performance"
    assert found["cpu"]["turbo"] is True
    assert found["numa"]["node1"] == {"cpus": "4-7", "total_bytes": 128 << 20, "distances": "32 10"}
    assert found["cgroup"] == {"version": 2, "path": "/lab.slice/run.scope", "cpu_max": "200000 100000"}
    assert found["file_system"]["/srv/my data"]["options"] == "rw,noatime,nodiratime"
    assert "virtualisation" not in found["system"]


def test_this_machine_says_something_of_itself() -> None:
    found = facts(Machine(), "/")
    assert found["cpu"]["logical"] >= 1
    assert found["memory"]["total_bytes"] > 0
    assert found["kernel"]["release"]
