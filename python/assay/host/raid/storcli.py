"""Broadcom's storcli, and perccli, which is Dell's name for it. Source: StorCLI reference manual."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

from assay.errors import HostError
from assay.host.machine import Machine
from assay.host.raid.tool import BGI_RATE, Drive, Policies, RaidTool

_CACHE = re.compile(r"(?P<read_policy>NR|R)(?P<write_policy>AWB|WB|WT)(?P<io_policy>[CD])")
_SHOWN = {
    "NR": "normal",
    "R": "read-ahead",
    "AWB": "always-write-back",
    "WB": "write-back",
    "WT": "write-through",
    "C": "cached",
    "D": "direct",
}
_SET = {
    "WriteBack": "write-back",
    "WriteThrough": "write-through",
    "AlwaysWriteBack": "always-write-back",
}
_PROPERTY = {"write_policy": "wrcache", "read_policy": "rdcache", "io_policy": "iopolicy"}


class Storcli(RaidTool):
    """Addresses are its own: `/c0/v1` a virtual drive, `/c0` a controller."""

    name = "storcli"
    programs = ("storcli64", "storcli", "storcli2")
    folders = ("/opt/MegaRAID/storcli", "/opt/MegaRAID/storcli2")
    policies: ClassVar[Policies] = {
        "write_policy": {"write-back": "wb", "write-through": "wt", "always-write-back": "awb"},
        "read_policy": {"normal": "nora", "read-ahead": "ra"},
        "io_policy": {"direct": "direct", "cached": "cached"},
        BGI_RATE: {},
    }

    def drives(self, machine: Machine) -> list[Drive]:
        found = []
        for answer in self._ask(machine, "/call/vall", "show", "all"):
            for key, entries in answer.items():
                at = re.fullmatch(r"(/c\d+)/v(\d+)", key)
                if at is None or not entries:
                    continue
                entry = entries[0]
                more = answer.get(f"VD{at[2]} Properties", {})
                device = str(more.get("OS Drive Name", ""))
                known = {"raid": entry.get("TYPE"), "state": entry.get("State"), "size": entry.get("Size")}
                known |= _cache(str(entry.get("Cache", "")))
                known["strip"] = more.get("Strip Size")
                known["disk_cache"] = more.get("Disk Cache Policy")
                found.append(
                    Drive(
                        at[1],
                        key,
                        device.removeprefix("/dev/") if device.startswith("/dev/") else None,
                        {name: str(value) for name, value in known.items() if value},
                    )
                )
        return found

    def reading(self, machine: Machine) -> dict[str, str]:
        found: dict[str, str] = {}
        for answer in self._ask(machine, "/call", "show", "all"):
            basics, version = answer.get("Basics", {}), answer.get("Version", {})
            number = basics.get("Controller", len(found))
            parts = {
                "model": basics.get("Model"),
                "firmware": version.get("Firmware Version"),
                "driver": version.get("Driver Version"),
                "battery": _battery(answer),
            }
            found |= {f"c{number}.{name}": str(value) for name, value in parts.items() if value}
        return found

    def show(self, machine: Machine, address: str, policy: str) -> str:
        if policy == BGI_RATE:
            for answer in self._ask(machine, address, "show", "bgirate"):
                for entry in answer.get("Controller Properties", []):
                    if "bgi" in str(entry.get("Ctrl_Prop", "")).lower():
                        return str(entry["Value"]).rstrip("% ")
            raise HostError(f"{self.name} says no BGI rate of {address}")
        for answer in self._ask(machine, address, "show"):
            entries = answer.get(address) or answer.get("Virtual Drives") or []
            for entry in entries:
                if found := _cache(str(entry.get("Cache", ""))).get(policy):
                    return found
        raise HostError(f"{self.name} says no cache policy of {address}")

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        for answer in self._ask(machine, address, "show", "all") if policy == "write_policy" else ():
            for key, entry in answer.items():
                if re.fullmatch(r"VD\d+ Properties", key):
                    return _SET.get(str(entry.get("Write Cache(initial setting)")))
        return None

    def setting(self, address: str, policy: str, value: str) -> list[str]:
        if policy == BGI_RATE:
            return [address, "set", f"bgirate={value}"]
        return [address, "set", f"{_PROPERTY[policy]}={self.policies[policy][value]}"]

    def write(self, machine: Machine, address: str, policy: str, value: str) -> None:
        self._answers(self.run(machine, [*self.setting(address, policy, value), "J"]))

    def _ask(self, machine: Machine, *arguments: str) -> list[dict[str, Any]]:
        return self._answers(self.run(machine, [*arguments, "J"]))

    def _answers(self, text: str) -> list[dict[str, Any]]:
        """`Response Data` of every controller. HostError when one reports a failure, with exit code 0 too."""
        try:
            controllers = json.loads(text)["Controllers"]
        except (ValueError, KeyError, TypeError):
            raise HostError(f"{self.name} answered no JSON", detail=text[:400]) from None
        answers = []
        for controller in controllers:
            status = controller.get("Command Status", {})
            if status.get("Status") != "Success":
                details = status.get("Detailed Status") or [{}]
                reason = details[0].get("ErrMsg") or status.get("Description") or "no reason given"
                raise HostError(f"{self.name}: {reason}")
            data = controller.get("Response Data")
            answers.append(data if isinstance(data, dict) else {})
        return answers


class Perccli(Storcli):
    """The same program under Dell's name, for Dell's controllers."""

    name = "perccli"
    programs = ("perccli64", "perccli", "perccli2")
    folders = ("/opt/MegaRAID/perccli", "/opt/MegaRAID/perccli2")


def _cache(code: str) -> dict[str, str]:
    """`RWBD` -> policies."""
    found = _CACHE.fullmatch(code)
    return {} if found is None else {policy: _SHOWN[word] for policy, word in found.groupdict().items()}


def _battery(answer: dict[str, Any]) -> str | None:
    for key in ("BBU_Info", "Cachevault_Info"):
        entries = answer.get(key)
        if entries:
            return f"{entries[0].get('Model', '?')} {entries[0].get('State', '?')}"
    return None
