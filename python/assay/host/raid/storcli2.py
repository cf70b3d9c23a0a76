"""The RAID tools storcli2 and perccli2, for controllers from MegaRAID 9600 and PERC 12 on.

Source: StorCLI2 user guide. Commands are storcli's, answers have another form, and there is no I/O policy.
"""

from __future__ import annotations

from typing import Any, ClassVar

from assay.errors import HostError
from assay.host.machine import Machine
from assay.host.raid.storcli import SHOWN, Storcli, at_work, deviating, disk_of, drive, members
from assay.host.raid.tool import BGI_RATE, Drive, Policies


class Storcli2(Storcli):
    """Broadcom's storcli2, which shows of every policy the value in force and the configured one."""

    name = "storcli2"
    programs = ("storcli2",)
    folders = ("/opt/MegaRAID/storcli2",)
    policies: ClassVar[Policies] = {
        "write_policy": {"write-back": "wb", "write-through": "wt", "always-write-back": "awb"},
        "read_policy": {"normal": "nora", "read-ahead": "ra"},
        BGI_RATE: {},
    }

    def drives(self, machine: Machine) -> list[Drive]:
        found = []
        for controller in self._numbers(machine):
            try:
                entries = self._virtual_drives(machine, f"{controller}/vall")
            except HostError:  # a controller that passes its disks on as they are
                continue
            for entry in entries:
                about, more = entry.get("VD Info", {}), entry.get("VD Properties", {})
                in_force, was_set = _cache(about, "CurrentCache"), _cache(about, "DefaultCache")
                known = {"raid": about.get("TYPE"), "state": about.get("State"), "size": about.get("Size")}
                known |= in_force | deviating(in_force, was_set)
                known["disks"] = members(entry.get("PDs"))
                known["strip"] = more.get("Strip Size")
                known["disk_cache"] = more.get("Drive Write Cache Policy")
                number = str(about.get("DG/VD", "")).rpartition("/")[2]
                disk = disk_of(machine, more)
                found.append(drive(controller, f"{controller}/v{number}", disk, known | at_work(more)))
        return found

    def show(self, machine: Machine, address: str, policy: str) -> str:
        if policy == BGI_RATE:
            return self.bgi_rate(machine, address)
        return self._policy(machine, address, policy, "CurrentCache")

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        return self._policy(machine, address, policy, "DefaultCache")

    def bgi_rate(self, machine: Machine, address: str) -> str:
        for answer in self.ask(machine, address, "show", "all"):
            if (rate := answer.get("Properties", {}).get("BGI Rate(%)")) is not None:
                return str(rate)
        raise HostError(f"{self.name} reports no BGI rate for {address}")

    def _policy(self, machine: Machine, address: str, policy: str, which: str) -> str:
        for entry in self._virtual_drives(machine, address):
            if found := _cache(entry.get("VD Info", {}), which).get(policy):
                return found
        raise HostError(f"{self.name} reports no cache policy for {address}")

    def _virtual_drives(self, machine: Machine, address: str) -> list[dict[str, Any]]:
        return [
            entry
            for answer in self.ask(machine, address, "show", "all")
            for entry in answer.get("Virtual Drives") or []
        ]

    def _numbers(self, machine: Machine) -> list[str]:
        """Returns the address (`/c0`) of every controller, since an answer about virtual drives does not name
        its controller.
        """
        entries = [
            entry
            for answer in self.ask(machine, "show", "all")
            for entry in answer.get("System Overview") or []
        ]
        return [f"/c{entry['Ctrl']}" for entry in entries if "Ctrl" in entry]


class Perccli2(Storcli2):
    """storcli2 under Dell's name."""

    name = "perccli2"
    programs = ("perccli2",)
    folders = ("/opt/MegaRAID/perccli2",)


def _cache(about: dict[str, Any], which: str) -> dict[str, str]:
    """Returns the cache policies of a list such as `NR,WB`."""
    words = [word.strip() for word in str(about.get(which, "")).split(",")]
    return {
        ("write_policy" if word.endswith(("WB", "WT")) else "read_policy"): SHOWN[word]
        for word in words
        if word in SHOWN
    }
