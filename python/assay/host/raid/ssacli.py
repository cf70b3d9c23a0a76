"""The RAID tool ssacli, for HPE's Smart Array controllers. Source: HPE Smart Array SR configuration guide."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.errors import HostError
from assay.host.machine import Machine, labelled
from assay.host.raid.tool import CACHE_RATIO, Drive, Policies, RaidTool, disk_by_identifier, disk_named

_CONTROLLER = {
    "firmware": "Firmware Version",
    "driver": "Driver Version",
    "cache": "Total Cache Size",
    "cache_status": "Cache Status",
    "cache_ratio": "Cache Ratio",
    "battery": "Battery/Capacitor Status",
    "no_battery_write_cache": "No-Battery Write Cache",
    "drive_write_cache": "Drive Write Cache",
}
_DRIVE = {
    "raid": "Fault Tolerance",
    "state": "Status",
    "size": "Size",
    "strip": "Strip Size",
    "acceleration": "LD Acceleration Method",
}
_NONE = "does not have any logical drives"


class Ssacli(RaidTool):
    """HPE's ssacli, with addresses such as `slot=0/ld=1`. A logical drive's cache is on or off; its read
    policy cannot be set.

    The tool shows the configured policy. It is in force only while the controller has its cache and lends
    part of it to writes.
    """

    name = "ssacli"
    programs = ("ssacli", "hpssacli", "hpacucli")
    folders = ("/opt/smartstorageadmin/ssacli/bin",)
    policies: ClassVar[Policies] = {
        "write_policy": {"write-back": "enable", "write-through": "disable"},
        CACHE_RATIO: {},
    }

    def drives(self, machine: Machine) -> list[Drive]:
        found = []
        for slot, controller in self._controllers(machine).items():
            for part in re.split(r"^\s*Logical Drive:\s*", self._all(machine, slot), flags=re.MULTILINE)[1:]:
                said = labelled(part)
                known = {name: said[words] for name, words in _DRIVE.items() if said.get(words)}
                was_set = _write_policy(said)
                if was_set is not None:
                    in_force = in_force_of(was_set, controller)
                    known["write_policy"] = in_force
                    known |= {} if in_force == was_set else {"write_policy_set": was_set}
                disk = disk_named(said.get("Disk Name", "").partition(" ")[0])
                found.append(
                    Drive(
                        f"slot={slot}",
                        f"slot={slot}/ld={part.split()[0]}",
                        disk or disk_by_identifier(machine, said.get("Unique Identifier", "")),
                        known,
                    )
                )
        return found

    def reading(self, machine: Machine) -> dict[str, str]:
        found = {}
        for slot, said in self._controllers(machine).items():
            found[f"slot{slot}.model"] = said["model"]
            for name, words in _CONTROLLER.items():
                if said.get(words):
                    found[f"slot{slot}.{name}"] = said[words]
        return found

    def show(self, machine: Machine, address: str, policy: str) -> str:
        slot = address.partition("/")[0].removeprefix("slot=")
        controller = self._controllers(machine).get(slot, {})
        if policy != CACHE_RATIO:
            return in_force_of(self._configured(machine, address, policy), controller)
        if ratio := re.match(r"(\d+)% Read", _ratio(controller)):
            return ratio[1]
        raise HostError(f"{self.name} reports no cache ratio for {address}: it has no working cache")

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        return self._configured(machine, address, policy)

    def settings(self, address: str, policy: str, value: str) -> list[list[str]]:
        slot, _, drive = address.partition("/")
        if policy == CACHE_RATIO:
            return [["ctrl", slot, "modify", f"cacheratio={value}/{100 - int(value)}"]]
        number = drive.removeprefix("ld=")
        return [["ctrl", slot, "ld", number, "modify", f"caching={self.policies[policy][value]}"]]

    def reason(self, said: str) -> str | None:
        """Returns the reason of a failure, which ssacli prints as `Error: …`, sometimes with `Reason: …`
        below.
        """
        lines = [line.strip() for line in said.splitlines()]
        errors = [line.partition(":")[2].strip() for line in lines if line.startswith(("Error:", "Reason:"))]
        return " ".join(errors) or None

    def _configured(self, machine: Machine, address: str, policy: str) -> str:
        slot, _, drive = address.partition("/")
        text = self.run(machine, ["ctrl", slot, "ld", drive.removeprefix("ld="), "show", "detail"])
        shown = _write_policy(labelled(text))
        if shown is None:
            raise HostError(f"{self.name} reports no cache for {address}", detail=text.strip()[:400])
        return shown

    def _controllers(self, machine: Machine) -> dict[str, dict[str, str]]:
        """Returns, by slot, the properties of its controller and its `model`."""
        found = {}
        text = self.run(machine, ["ctrl", "all", "show", "detail"])
        for part in re.split(r"^(?=\S.* in Slot \w+)", text, flags=re.MULTILINE):
            said = labelled(part)
            if "Slot" in said:
                found[said["Slot"]] = {**said, "model": part.partition(" in Slot")[0].strip()}
        return found

    def _all(self, machine: Machine, slot: str) -> str:
        """Returns the details of a controller's arrays; empty for a controller that passes its disks
        through.
        """
        try:
            return self.run(machine, ["ctrl", f"slot={slot}", "ld", "all", "show", "detail"])
        except HostError as error:
            if _NONE in error.message:
                return ""
            raise


def _write_policy(said: dict[str, str]) -> str | None:
    """Returns the configured write policy, from `Caching` or, in hpacucli, `Array Accelerator`."""
    caching = said.get("Caching") or said.get("Array Accelerator") or ""
    return {"enabled": "write-back", "disabled": "write-through"}.get(caching.lower())


def _ratio(controller: dict[str, str]) -> str:
    """Returns the cache ratio as the tool prints it: `25% Read / 75% Write`."""
    return controller.get("Cache Ratio") or controller.get("Accelerator Ratio") or ""


def in_force_of(was_set: str, controller: dict[str, str]) -> str:
    """Returns the write policy in force: write-through where the controller lends no cache to writes, or
    lacks a charged battery to keep it.
    """
    for_writes = re.search(r"(\d+)% Write", _ratio(controller))
    charged = controller.get("Battery/Capacitor Status", "OK") == "OK"
    there = controller.get("Battery/Capacitor Count", "1") != "0"
    kept = (charged and there) or controller.get("No-Battery Write Cache") == "Enabled"
    works = controller.get("Cache Status", "OK") == "OK" and (for_writes is None or for_writes[1] != "0")
    return was_set if works and kept else "write-through"
