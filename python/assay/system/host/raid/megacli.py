"""The RAID tool MegaCli, for LSI controllers that storcli does not manage. Source: MegaRAID SAS Software User
Guide.
"""

from __future__ import annotations

import re
from typing import ClassVar

from assay.base.errors import HostError
from assay.system.host.machine import Machine, labelled
from assay.system.host.raid.tool import BGI_RATE, Drive, Policies, RaidTool

_SHOWN = {
    "WriteBack": ("write_policy", "write-back"),
    "WriteThrough": ("write_policy", "write-through"),
    "ReadAheadNone": ("read_policy", "normal"),
    "ReadNone": ("read_policy", "normal"),
    "NormalRead": ("read_policy", "normal"),
    "ReadAhead": ("read_policy", "read-ahead"),
    "ReadAdaptive": ("read_policy", "adaptive"),
    "Direct": ("io_policy", "direct"),
    "Cached": ("io_policy", "cached"),
}
_UNSAFE = "Write Cache OK if Bad BBU"
_BAD_BATTERY = {"write-back": ("NoCachedBadBBU",), "always-write-back": ("CachedBadBBU",)}
_KNOWN = {"state": "State", "size": "Size", "strip": "Strip Size", "disk_cache": "Disk Cache Policy"}
_ADAPTER = {"model": "Product Name", "firmware": "FW Version", "cache": "Memory Size"}
_PCI = re.compile(
    r"Controller (\d+)\s.*?Bus Number\s*:\s*(\w+).*?Device Number\s*:\s*(\w+).*?Function Number\s*:\s*(\w+)",
    re.DOTALL,
)


class MegaCli(RaidTool):
    """LSI's MegaCli. Addresses: `a0/L1` is virtual drive 1 of adapter 0, `a0` the adapter.

    MegaCli does not say which disk a virtual drive is: the disk is found by the controller's PCI address and
    the drive's target number, which are in the disk's path in sysfs.
    """

    name = "MegaCli"
    programs = ("MegaCli64", "MegaCli", "megacli")
    folders = ("/opt/MegaRAID/MegaCli",)
    policies: ClassVar[Policies] = {
        "write_policy": {"write-back": "WB", "write-through": "WT", "always-write-back": "WB"},
        "read_policy": {"normal": "NORA", "read-ahead": "RA", "adaptive": "ADRA"},
        "io_policy": {"direct": "-Direct", "cached": "-Cached"},
        BGI_RATE: {},
    }

    def drives(self, machine: Machine) -> list[Drive]:
        places = {
            number: f"{int(bus, 16):02x}:{int(device, 16):02x}.{int(function, 16):x}"
            for number, bus, device, function in _PCI.findall(
                self.run(machine, ["-AdpGetPciInfo", "-aALL", "-NoLog"])
            )
        }
        found = []
        text = self.run(machine, ["-LDInfo", "-LALL", "-aALL", "-NoLog"])
        for adapter, part in _parts(r"^Adapter (\d+) -- Virtual Drive Information:", text):
            for number, about in _parts(r"^Virtual Drive: (\d+)", part):
                target = re.search(r"Target Id: (\d+)", about.splitlines()[0])
                disk = _disk(machine, places.get(adapter), target[1] if target else number)
                said = labelled(about)
                known = {name: said[words] for name, words in _KNOWN.items() if said.get(words)}
                known |= {"raid": level} if (level := _level(said)) else {}
                in_force, was_set = _policies(about), _policies(about, "Default")
                known |= in_force | {
                    f"{name}_set": value for name, value in was_set.items() if in_force.get(name) != value
                }
                found.append(Drive(f"a{adapter}", f"a{adapter}/L{number}", disk, known))
        return found

    def reading(self, machine: Machine) -> dict[str, str]:
        found: dict[str, str] = {}
        for adapter, part in _parts(
            r"^Adapter #(\d+)", self.run(machine, ["-AdpAllInfo", "-aALL", "-NoLog"])
        ):
            said = labelled(part)
            for name, words in _ADAPTER.items():
                if said.get(words):
                    found[f"a{adapter}.{name}"] = said[words]
            if state := self._battery(machine, adapter):
                found[f"a{adapter}.battery"] = state
        return found

    def show(self, machine: Machine, address: str, policy: str) -> str:
        adapter, _, drive = address.partition("/")
        if policy == BGI_RATE:
            text = self.run(machine, ["-AdpGetProp", "BgiRate", f"-{adapter}", "-NoLog"])
            if rate := re.search(r"=\s*(\d+)\s*%", text):
                return rate[1]
        else:
            text = self.run(machine, ["-LDInfo", f"-{drive}", f"-{adapter}", "-NoLog"])
            if found := _policies(text).get(policy):
                return found
        raise HostError(f"{self.name} reports no {policy} for {address}", detail=text.strip()[:400] or None)

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        adapter, _, drive = address.partition("/")
        text = self.run(machine, ["-LDInfo", f"-{drive}", f"-{adapter}", "-NoLog"])
        return _policies(text, "Default").get(policy)

    def settings(self, address: str, policy: str, value: str) -> list[list[str]]:
        """Returns the arguments of each call that sets a policy; write-back without a battery is a property
        of its own.
        """
        adapter, _, drive = address.partition("/")
        if policy == BGI_RATE:
            return [["-AdpSetProp", "BgiRate", f"-{value}", f"-{adapter}", "-NoLog"]]
        words = [self.policies[policy][value], *_BAD_BATTERY.get(value, ())]
        return [["-LDSetProp", word, f"-{drive}", f"-{adapter}", "-NoLog"] for word in words]

    def reason(self, said: str) -> str | None:
        """Returns the reason of a failure: the line below `FW error description:`, or the line before the
        exit code.
        """
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        for number, line in enumerate(lines[:-1]):
            if line.startswith("FW error description"):
                return lines[number + 1]
        return next((line for line in lines if not line.startswith("Exit Code")), None)

    def _battery(self, machine: Machine, adapter: str) -> str | None:
        try:
            text = self.run(machine, ["-AdpBbuCmd", "-GetBbuStatus", f"-a{adapter}", "-NoLog"])
        except HostError:  # it has none
            return None
        said = {name.lower(): value for name, value in labelled(text).items()}
        if said.get("battery replacement required") == "Yes":
            return "to be replaced"
        return said.get("battery state") or None


def _parts(heading: str, text: str) -> list[tuple[str, str]]:
    """Returns the number in each heading with the text from it to the next heading."""
    found = list(re.finditer(heading, text, re.MULTILINE))
    ends = [one.start() for one in found[1:]] + [len(text)]
    return [(one[1], text[one.start() : end]) for one, end in zip(found, ends, strict=True)]


def _policies(text: str, which: str = "Current") -> dict[str, str]:
    """Returns the cache policies in force; with `Default`, the configured ones, which differ where there is
    no battery.
    """
    line = re.search(rf"^{which} Cache Policy\s*:(.*)$", text, re.MULTILINE)
    words = [] if line is None else [word.strip() for word in line[1].split(",")]
    found = dict(_SHOWN[word] for word in words if word in _SHOWN)
    if found.get("write_policy") == "write-back" and _UNSAFE.lower() in (word.lower() for word in words):
        found["write_policy"] = "always-write-back"
    return found


def _level(said: dict[str, str]) -> str | None:
    """Returns the RAID level of a DDF header (`Primary-1, Secondary-0, …`) by its usual name: RAID1, over
    several spans RAID10.
    """
    primary = re.match(r"Primary-(\d+), Secondary-(\d+)", said.get("RAID Level", ""))
    if primary is None:
        return None
    spanned = primary[2] == "3" or said.get("Span Depth", "1") not in ("0", "1")
    return f"RAID{primary[1]}{'0' if spanned and primary[1] != '0' else ''}"


def _disk(machine: Machine, pci: str | None, target: str) -> str | None:
    """Returns the disk with this target number at the controller with this PCI address (channel 2 holds
    virtual drives).
    """
    for name in machine.names("/sys/block"):
        place = str(machine.path(f"/sys/block/{name}").resolve())
        if pci and f":{pci}/" in place and re.search(rf"/\d+:2:{target}:\d+/", place):
            return name
    return None
