"""The base class of knobs: settings of this machine that a study may change for the length of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from assay.base.errors import HostError
from assay.system.host.machine import Machine


class Knob(ABC):
    """A setting of this machine that can be shown, written, verified and restored.

    A knob is turned at one or more *targets*: a disk's queue, a processor's frequency policy, a mount. Values
    are text, spelled so that a value from `show` can be given to `write`, which is how it is restored.
    """

    name: ClassVar[str]
    """The name in a study, after `host.`"""
    moves: ClassVar[tuple[str, ...]] = ()
    """Knobs that the kernel resets when this one is turned, and that are restored with it."""
    survives_boot: ClassVar[bool] = False
    """Whether the machine still has the value after it was started again."""

    @abstractmethod
    def targets(self, machine: Machine, data: Path) -> list[str]:
        """Returns the targets for a server with its data at `data`. Raises HostError with the reason when
        there is none.
        """

    @abstractmethod
    def show(self, machine: Machine, target: str) -> str:
        """Returns the value in force. Raises HostError when it cannot be read."""

    @abstractmethod
    def write(self, machine: Machine, target: str, value: str) -> None:
        """Sets the value. Raises HostError with the reason when the machine refuses."""

    @abstractmethod
    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        """Returns why the knob cannot be set to this value at this target; None when it can."""

    @abstractmethod
    def exists(self, machine: Machine, target: str) -> bool:
        """Returns whether the target still exists."""

    @abstractmethod
    def by_hand(self, target: str, value: str) -> str:
        """Returns the command with which a person sets the value."""

    def kept(self, machine: Machine, target: str) -> str | None:
        """Returns the configured value, which is the one to restore. None when it may differ from the value
        in force and cannot be read.
        """
        return self.show(machine, target)

    def identity(self, machine: Machine, target: str) -> str:
        """Returns a text that changes when another device takes the target's place; empty when that cannot be
        known.
        """
        return ""

    def same(self, shown: str, wanted: str) -> bool:
        """Returns whether the value `shown` equals the one `wanted`."""
        return shown == wanted

    def available(self, machine: Machine, data: Path, value: str | None = None) -> str | None:
        """Returns why the knob cannot be turned to this value for the data at `data`; None when it can."""
        try:
            targets = self.targets(machine, data)
        except HostError as error:
            return error.message
        return next(
            (reason for target in targets if (reason := self.refusal(machine, target, value))),
            None,
        )

    def verify(self, machine: Machine, target: str, wanted: str) -> str:
        """Returns the value in force, read back. Raises HostError when it differs from the wanted one."""
        shown = self.show(machine, target)
        if not self.same(shown, wanted):
            raise HostError(f"host.{self.name} of {target}: {wanted} was written, but {shown} is in effect")
        return shown

    def restore(self, machine: Machine, target: str, was: str) -> None:
        """Restores the value that the knob had before. Raises HostError, with the command to do it by hand,
        when it cannot.
        """
        try:
            if self.kept(machine, target) != was:
                self.write(machine, target, was)
                self.verify(machine, target, was)
        except HostError as error:
            raise HostError(
                f"host.{self.name} of {target} could not be restored to {was}: {error.message}",
                hint=f"by hand: {self.by_hand(target, was)}",
            ) from error
