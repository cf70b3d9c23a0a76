"""The RAID tools storcli (Broadcom) and perccli (Dell's name for it). Source: StorCLI reference manual."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

from assay.base.errors import HostError
from assay.system.host.machine import Machine
from assay.system.host.raid.tool import (
    BGI_RATE,
    Drive,
    Policies,
    RaidTool,
    disk_by_identifier,
    disk_named,
)

_CACHE = re.compile(r"(?P<read_policy>NR|Ra|R)(?P<write_policy>AWB|WB|WT)(?P<io_policy>[CD])")
_SHOWN = {
    "NR": "normal",
    "R": "read-ahead",
    "Ra": "adaptive",
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
_ALL = "/call"


class Storcli(RaidTool):
    """Broadcom's storcli, with its own addresses: `/c0/v1` is a virtual drive, `/c0` a controller."""

    name = "storcli"
    programs: ClassVar[tuple[str, ...]] = ("storcli64", "storcli")
    folders = ("/opt/MegaRAID/storcli",)
    policies: ClassVar[Policies] = {
        "write_policy": {"write-back": "wb", "write-through": "wt", "always-write-back": "awb"},
        # Only old releases know `adra`; those that do not know it say so when it is written.
        "read_policy": {"normal": "nora", "read-ahead": "ra", "adaptive": "adra"},
        "io_policy": {"direct": "direct", "cached": "cached"},
        BGI_RATE: {},
    }

    def drives(self, machine: Machine) -> list[Drive]:
        found = []
        for answer in self.ask(machine, f"{_ALL}/vall", "show", "all"):
            for key, entries in answer.items():
                at = re.fullmatch(r"(/c\d+)/v(\d+)", key)
                if at is None or not entries:
                    continue
                entry, more = entries[0], answer.get(f"VD{at[2]} Properties", {})
                in_force, was_set = _cache(str(entry.get("Cache", ""))), _initial(more)
                known = {"raid": entry.get("TYPE"), "state": entry.get("State"), "size": entry.get("Size")}
                known |= in_force | _deviating(in_force, was_set)
                known |= {"strip": more.get("Strip Size"), "disk_cache": more.get("Disk Cache Policy")}
                known["disks"] = _members(answer.get(f"PDs for VD {at[2]}"))
                found.append(_drive(at[1], key, _disk_of(machine, more), known | _at_work(more)))
        return found

    def reading(self, machine: Machine) -> dict[str, str]:
        found: dict[str, str] = {}
        for number, answer in enumerate(self.ask(machine, _ALL, "show", "all")):
            basics, version = answer.get("Basics", {}), answer.get("Version", {})
            parts = {
                "model": basics.get("Model"),
                "firmware": version.get("Firmware Version"),
                "driver": version.get("Driver Version"),
                "cache": _cache_size(answer.get("HwCfg", {})),
                "battery": _battery(answer),
            }
            place = basics.get("Controller", number)
            found |= {f"c{place}.{name}": str(value).strip() for name, value in parts.items() if value}
        return found

    def show(self, machine: Machine, address: str, policy: str) -> str:
        if policy == BGI_RATE:
            return self._bgi_rate(machine, address)
        for answer in self.ask(machine, address, "show"):
            for entry in answer.get(address) or answer.get("Virtual Drives") or []:
                if found := _cache(str(entry.get("Cache", ""))).get(policy):
                    return found
        raise HostError(f"{self.name} reports no cache policy for {address}")

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        for answer in self.ask(machine, address, "show", "all"):
            for key, entry in answer.items():
                if re.fullmatch(r"VD\d+ Properties", key):
                    return _initial(entry).get(policy)
        return None

    def settings(self, address: str, policy: str, value: str) -> list[list[str]]:
        if policy == BGI_RATE:
            return [[address, "set", f"bgirate={value}"]]
        return [[address, "set", f"{_PROPERTY[policy]}={self.policies[policy][value]}"]]

    def write(self, machine: Machine, address: str, policy: str, value: str) -> None:
        for arguments in self.settings(address, policy, value):
            self._answers(self.run(machine, [*arguments, "J"]))

    def ask(self, machine: Machine, *arguments: str) -> list[dict[str, Any]]:
        """Returns the `Response Data` of every controller. Raises HostError when none answers; when all
        controllers are asked, one answer suffices, since a controller without RAID refuses.
        """
        return self._answers(self.run(machine, [*arguments, "J"]), some=arguments[0].startswith(_ALL))

    def reason(self, said: str) -> str | None:
        failures = [failed for one in _controllers(said) if (failed := _failure(one))]
        return failures[0] if failures else None

    def _bgi_rate(self, machine: Machine, address: str) -> str:
        for answer in self.ask(machine, address, "show", "bgirate"):
            for entry in answer.get("Controller Properties", []):
                if "bgi" in str(entry.get("Ctrl_Prop", "")).lower():
                    return str(entry["Value"]).rstrip("% ")
        raise HostError(f"{self.name} reports no BGI rate for {address}")

    def _answers(self, text: str, *, some: bool = False) -> list[dict[str, Any]]:
        """Returns the controllers' answers, checked for failures, which storcli may report with exit code
        0.
        """
        controllers = _controllers(text)
        if not controllers:
            raise HostError(f"{self.name} did not answer with JSON", detail=text[:400])
        failures = [failed for one in controllers if (failed := _failure(one))]
        if failures and (not some or len(failures) == len(controllers)):
            raise HostError(f"{self.name}: {failures[0]}")
        answers = (one.get("Response Data") for one in controllers if not _failure(one))
        return [answer if isinstance(answer, dict) else {} for answer in answers]


class Perccli(Storcli):
    """storcli under Dell's name, for Dell's controllers."""

    name = "perccli"
    programs = ("perccli64", "perccli")
    folders = ("/opt/MegaRAID/perccli",)


def _drive(controller: str, address: str, disk: str | None, known: dict[str, Any]) -> Drive:
    return Drive(controller, address, disk, {name: str(value) for name, value in known.items() if value})


def _disk_of(machine: Machine, properties: dict[str, Any]) -> str | None:
    """Returns the disk of a virtual drive, by its name or, in older releases, by its identifier."""
    named = disk_named(str(properties.get("OS Drive Name", "")))
    return named or disk_by_identifier(machine, str(properties.get("SCSI NAA Id", "")))


def _deviating(in_force: dict[str, str], was_set: dict[str, str]) -> dict[str, str]:
    """Returns configured policies that differ from those in force, as `write_policy_set` and so on."""
    return {
        f"{policy}_set": value
        for policy, value in was_set.items()
        if in_force.get(policy) not in (None, value)
    }


def _members(disks: Any) -> str:
    """Returns the disks of a virtual drive in words: `4 × ST600MM0208 (SAS HDD)`."""
    kinds = Counter(
        f"{str(disk.get('Model', '?')).strip()} ({disk.get('Intf', '?')} {disk.get('Med', '?')})"
        for disk in _entries(disks)
    )
    return ", ".join(f"{count} × {kind}" for kind, count in kinds.items())


def _at_work(properties: dict[str, Any]) -> dict[str, str]:
    """Returns the operation that runs on a virtual drive, such as rebuilding or initialisation; empty when
    none does.
    """
    doing = str(properties.get("Active Operations", "None"))
    return {} if doing == "None" else {"at_work": doing}


def _initial(properties: dict[str, Any]) -> dict[str, str]:
    value = _SET.get(str(properties.get("Write Cache(initial setting)")))
    return {} if value is None else {"write_policy": value}


def _cache(code: str) -> dict[str, str]:
    """Returns the cache policies of a code such as `RWBD`."""
    found = _CACHE.fullmatch(code)
    return {} if found is None else {policy: _SHOWN[word] for policy, word in found.groupdict().items()}


def _battery(answer: dict[str, Any]) -> str | None:
    for key in ("BBU_Info", "Cachevault_Info"):
        for entry in _entries(answer.get(key)):
            return f"{entry.get('Model', '?')} {entry.get('State', '?')}"
    return None


def _cache_size(hardware: dict[str, Any]) -> str | None:
    size = hardware.get("Current Size of FW Cache (MB)")
    return f"{size} MB" if size else None


def _entries(found: Any) -> Iterator[dict[str, Any]]:
    for entry in found if isinstance(found, list) else []:
        if isinstance(entry, dict):
            yield entry


def _controllers(text: str) -> list[dict[str, Any]]:
    """Returns the controllers of an answer; a release that does not know the syntax answers with text
    instead.
    """
    try:
        found = json.loads(text)["Controllers"]
    except (ValueError, KeyError, TypeError):
        described = re.search(r"^Description = (.*)$", text, re.MULTILINE)
        failed = re.search(r"^Status = Failure", text, re.MULTILINE)
        status = {"Status": "Failure", "Description": described[1].strip() if described else None}
        return [{"Command Status": status}] if failed else []
    return list(_entries(found))


def _failure(controller: dict[str, Any]) -> str | None:
    """Returns why a controller refused; None when it did not."""
    status = controller.get("Command Status", {})
    if status.get("Status") == "Success":
        return None
    details = [entry.get("ErrMsg") for entry in _entries(status.get("Detailed Status"))]
    reasons = [*details, status.get("Description")]
    return next((str(reason) for reason in reasons if reason not in (None, "None", "-")), "no reason given")
