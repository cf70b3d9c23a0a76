"""Reads facts about the operating system, its firmware, and the virtual machine or container around it.
Source: os-release(5), /sys/class/dmi, /proc/cpuinfo.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine, labelled, present

_DMI = "/sys/class/dmi/id"
_CLOCK = "/sys/devices/system/clocksource/clocksource0"
# The clocks that only a virtual machine is offered, and what firmware says of itself there.
_CLOCKS = {"kvm-clock": "kvm", "hyperv_clocksource_tsc_page": "hyper-v", "xen": "xen"}
_VENDORS = {
    "QEMU": "qemu",
    "VMware": "vmware",
    "innotek": "virtualbox",
    "Xen": "xen",
    "Amazon EC2": "amazon-ec2",
    "Google": "google-cloud",
    "Microsoft": "hyper-v",
    "Alibaba": "alibaba-cloud",
}


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns `os` (its full name), `virtualisation`, `container`, and the firmware's names for the
    machine.
    """
    release = labelled(machine.text("/etc/os-release") or "", "=")
    return present(
        [
            ("os", release.get("PRETTY_NAME", "").strip('"') or None),
            ("hostname", machine.text("/proc/sys/kernel/hostname")),
            ("vendor", machine.text(f"{_DMI}/sys_vendor")),
            ("product", machine.text(f"{_DMI}/product_name")),
            ("bios", machine.text(f"{_DMI}/bios_version")),
            ("virtualisation", _virtualisation(machine)),
            ("container", _container(machine)),
        ]
    )


def _virtualisation(machine: Machine) -> str | None:
    named = machine.text("/sys/hypervisor/type")
    if named:
        return named
    firmware = f"{machine.text(f'{_DMI}/sys_vendor')} {machine.text(f'{_DMI}/product_name')}"
    for words, name in _VENDORS.items():
        if words in firmware:
            return name
    clocks = (machine.text(f"{_CLOCK}/available_clocksource") or "").split()
    for clock, name in _CLOCKS.items():
        if clock in clocks:
            return name
    # The flag is set by every hypervisor that follows the convention, also where firmware says nothing.
    return (
        "yes" if re.search(r"^flags\s*:.*\bhypervisor\b", machine.text("/proc/cpuinfo") or "", re.M) else None
    )


def _container(machine: Machine) -> str | None:
    if machine.path("/.dockerenv").exists():
        return "docker"
    if machine.path("/run/.containerenv").exists():
        return "podman"
    return None
