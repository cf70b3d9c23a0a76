"""The base class of knobs of a hardware RAID controller, set through its vendor's command line."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from assay.base.errors import HostError
from assay.design.study import did_you_mean
from assay.system.host.knob.knob import Knob
from assay.system.host.machine import Machine
from assay.system.host.privileges import lacks
from assay.system.host.raid.find import TOOLS, targets
from assay.system.host.raid.tool import RaidTool

WRITE_POLICY = "write_policy"
_CAUTIOUS = "write-through"


class RaidKnob(Knob):
    """A knob whose targets are the virtual drives under the data, such as `storcli:/c0/v1`. A controller
    keeps its settings over a reboot.
    """

    policy: ClassVar[str]
    survives_boot = True

    def targets(self, machine: Machine, data: Path) -> list[str]:
        return targets(machine, data, self.policy)

    def exists(self, machine: Machine, target: str) -> bool:
        """Returns whether the target's tool is installed; a tool that fails does not prove that the drive is
        gone.
        """
        tool, _ = _place(target)
        return tool.program(machine) is not None

    def show(self, machine: Machine, target: str) -> str:
        tool, address = _place(target)
        return tool.show(machine, address, self.policy)

    def kept(self, machine: Machine, target: str) -> str | None:
        """Returns the configured policy; None for write-through, which may be a configured write-back that
        the controller has suspended.
        """
        shown = self.show(machine, target)
        return None if shown == _CAUTIOUS else shown

    def restore(self, machine: Machine, target: str, was: str) -> None:
        try:
            super().restore(machine, target, was)
        except HostError:
            # The battery went flat meanwhile: as it was it is set, and comes into force with the charge.
            if self._configured(machine, target) != was:
                raise

    def write(self, machine: Machine, target: str, value: str) -> None:
        tool, address = _place(target)
        tool.write(machine, address, self.policy, value)

    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        tool, _ = _place(target)
        if (lacking := lacks("controllers", machine)) is not None:
            return f"{tool.name} {lacking}"
        known = tool.policies[self.policy]
        if known and value is not None and value not in known:
            return f"{tool.name} has no {self.policy.replace('_', ' ')} {value}{did_you_mean(value, known)}"
        was_set = self._configured(machine, target) if self.policy == WRITE_POLICY else None
        if was_set not in (None, _CAUTIOUS) and self.show(machine, target) == _CAUTIOUS:
            return (
                f"{target} is set to {was_set}, but {_CAUTIOUS} is in effect: the controller's battery is"
                " missing or not charged, or its cache is off; wait for the charge, or set what is in effect"
            )
        return None

    def by_hand(self, target: str, value: str) -> str:
        tool, address = _place(target)
        return tool.by_hand(address, self.policy, value)

    def _configured(self, machine: Machine, target: str) -> str | None:
        tool, address = _place(target)
        try:
            return tool.configured(machine, address, self.policy)
        except HostError:
            return None


def _place(target: str) -> tuple[RaidTool, str]:
    name, _, address = target.partition(":")
    if name not in TOOLS:
        raise HostError(f"{target}: no tool for RAID controllers is called {name}")
    return TOOLS[name], address
