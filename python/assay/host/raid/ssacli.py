"""HPE's ssacli, for Smart Array controllers. Source: HPE Smart Array SR configuration guide."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.errors import HostError
from assay.host.machine import Machine
from assay.host.raid.tool import Drive, Policies, RaidTool


class Ssacli(RaidTool):
    """Addresses: `slot=0/ld=1`. A logical drive's cache is on or off; how it reads is nobody's choice."""

    name = "ssacli"
    programs = ("ssacli", "hpssacli", "hpacucli")
    policies: ClassVar[Policies] = {"write_policy": {"write-back": "enable", "write-through": "disable"}}

    def drives(self, machine: Machine) -> list[Drive]:
        found = []
        for slot in re.findall(r"^.* in Slot (\w+)", self._controllers(machine), re.MULTILINE):
            text = self.run(machine, ["ctrl", f"slot={slot}", "ld", "all", "show", "detail"])
            for part in re.split(r"^\s*Logical Drive:\s*", text, flags=re.MULTILINE)[1:]:
                said = _said(part)
                disk = said.get("Disk Name", "").partition(" ")[0]
                known = {"raid": said.get("Fault Tolerance"), "state": said.get("Status")}
                known |= {"size": said.get("Size"), "write_policy": _write_policy(said)}
                found.append(
                    Drive(
                        f"slot={slot}",
                        f"slot={slot}/ld={part.split()[0]}",
                        disk.removeprefix("/dev/") if disk.startswith("/dev/") else None,
                        {name: value for name, value in known.items() if value},
                    )
                )
        return found

    def reading(self, machine: Machine) -> dict[str, str]:
        found = {}
        for part in re.split(r"^(?=\S.* in Slot \w+)", self._controllers(machine), flags=re.MULTILINE):
            said = _said(part)
            for name, words in (
                ("firmware", "Firmware Version"),
                ("battery", "Battery/Capacitor Status"),
                ("cache_ratio", "Cache Ratio"),
                ("drive_write_cache", "Drive Write Cache"),
            ):
                if words in said and "Slot" in said:
                    found[f"slot{said['Slot']}.{name}"] = said[words]
            if "Slot" in said:
                found[f"slot{said['Slot']}.model"] = part.partition(" in Slot")[0].strip()
        return found

    def show(self, machine: Machine, address: str, policy: str) -> str:
        slot, _, drive = address.partition("/")
        text = self.run(machine, ["ctrl", slot, "ld", drive.removeprefix("ld="), "show", "detail"])
        shown = _write_policy(_said(text))
        if shown is None:
            raise HostError(f"{self.name} says nothing of the cache of {address}", detail=text.strip()[:400])
        return shown

    def setting(self, address: str, policy: str, value: str) -> list[str]:
        slot, _, drive = address.partition("/")
        number = drive.removeprefix("ld=")
        return ["ctrl", slot, "ld", number, "modify", f"caching={self.policies[policy][value]}"]

    def _controllers(self, machine: Machine) -> str:
        return self.run(machine, ["ctrl", "all", "show", "detail"])


def _said(text: str) -> dict[str, str]:
    return {
        name.strip(): value.strip()
        for line in text.splitlines()
        for name, mark, value in [line.partition(":")]
        if mark
    }


def _write_policy(said: dict[str, str]) -> str | None:
    caching = said.get("Caching") or said.get("Array Accelerator") or ""
    return {"enabled": "write-back", "disabled": "write-through"}.get(caching.lower())
