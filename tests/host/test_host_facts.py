"""Facts are what the kernel's files say; what they do not say is absent."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from assay.system.host import Machine, host_facts
from big_machine import put

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


def test_an_arm_processor_has_numbers_for_a_name(tmp_path: Path) -> None:
    core = (
        "processor\t: {}\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd atomics crc32 sve\n"
        "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\n"
        "CPU part\t: 0xd40\nCPU revision\t: 1\n\n"
    )
    put(Machine(tmp_path), "/proc/cpuinfo", core.format(0) + core.format(1))
    cpu = facts(Machine(tmp_path))["cpu"]
    assert (cpu["model"], cpu["logical"]) == ("Arm implementer 0x41, part 0xd40, variant 0x1, revision 1", 2)
    assert cpu["flags"] == "atomics crc32 sve"


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


def test_processors_that_share_a_core(machine: Machines) -> None:
    made = machine("two-sockets")
    for cpu, siblings in enumerate(("0,4", "1,5", "10,14", "2")):
        put(made, f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", siblings)
    assert facts(made)["cpu"]["siblings"] == "0,4 1,5 10,14"


def test_a_virtual_machine_whose_firmware_says_nothing(machine: Machines) -> None:
    made = machine("vm")
    put(made, "/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc kvm-clock")
    assert facts(made)["system"]["virtualisation"] == "kvm"


def test_the_tightest_limit_of_all_groups_above(machine: Machines) -> None:
    made = machine("two-sockets")
    group = "/sys/fs/cgroup/lab.slice"
    put(made, f"{group}/memory.max", "1073741824")
    put(made, f"{group}/run.scope/memory.max", "4294967296")
    put(made, f"{group}/run.scope/io.max", "8:0 rbps=1048576")
    put(made, f"{group}/run.scope/memory.high", "max")
    put(made, f"{group}/run.scope/cpu.stat", "usage_usec 12\nnr_periods 40\nnr_throttled 3")
    assert facts(made)["cgroup"] == {
        "version": 2,
        "path": "/lab.slice/run.scope",
        "cpu_max": "200000 100000",
        "memory_max": "1073741824",
        "io_max": "8:0 rbps=1048576",
        "cpu_throttled": 3,
    }


REBUILDING = """\
/dev/md0:
           Version : 1.2
     Creation Time : Mon Mar  4 09:12:31 2024
        Raid Level : raid10
        Array Size : 3750483968 (3.49 TiB 3.84 TB)
     Used Dev Size : 1875241984 (1788.37 GiB 1920.25 GB)
      Raid Devices : 4
     Total Devices : 4
       Persistence : Superblock is persistent

     Intent Bitmap : Internal

       Update Time : Tue Mar  5 10:01:02 2024
             State : active, degraded, recovering
    Active Devices : 3
   Working Devices : 4
    Failed Devices : 0
     Spare Devices : 1

            Layout : near=2
        Chunk Size : 512K

Consistency Policy : bitmap

    Rebuild Status : 37% complete

              Name : dbhost:0  (local to host dbhost)
              UUID : 00000000:11111111:22222222:33333333
            Events : 1234

    Number   Major   Minor   RaidDevice State
       0     259        2        0      active sync set-A   /dev/nvme0n1p2
       4     259        4        1      spare rebuilding   /dev/nvme1n1p2
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="mdadm answers root only")
def test_an_array_as_mdadm_sees_it(machine: Machines, tmp_path: Path) -> None:
    recorded = machine("two-sockets")
    (tmp_path / "bin").mkdir()
    (tmp_path / "detail").write_text(REBUILDING)
    mdadm = tmp_path / "bin/mdadm"
    mdadm.write_text(f'#!/bin/sh\n[ "$*" = "--detail /dev/md0" ] && cat {tmp_path}/detail\n')
    mdadm.chmod(0o755)
    made = Machine(recorded.root, commands=f"{tmp_path}/bin:/usr/bin:/bin")
    assert facts(made, "/srv/my data/mysql")["raid"]["mdadm"]["md0"] == {
        "level": "raid10",
        "state": "active, degraded, recovering",
        "devices": "4",
        "active": "3",
        "failed": "0",
        "spare": "1",
        "layout": "near=2",
        "chunk": "512K",
        "consistency": "bitmap",
        "bitmap": "Internal",
        "name": "dbhost:0  (local to host dbhost)",
        "progress": "rebuild 37% complete",
    }
    mdadm.write_text("#!/bin/sh\necho 'mdadm: cannot open /dev/md0: No such file or directory' >&2\nexit 1\n")
    found = facts(made, "/srv/my data/mysql")["raid"]["mdadm"]["md0"]
    assert found == {"error": "mdadm: cannot open /dev/md0: No such file or directory"}
    assert "mdadm" not in facts(made, "/srv/btrfs/x").get("raid", {})


def test_this_machine_says_something_of_itself() -> None:
    found = facts(Machine(), "/")
    assert found["cpu"]["logical"] >= 1
    assert found["memory"]["total_bytes"] > 0
    assert found["kernel"]["release"]
