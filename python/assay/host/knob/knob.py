"""What a knob is: a setting of this machine that a study may change for the length of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from assay.errors import HostError
from assay.host.machine import Machine


class Knob(ABC):
    """show · write · verify · restore · available.

    A knob is turned at one or more *targets*: a disk's queue, a processor's frequency policy, a mount. Values
    are text, spelled so that what `show` gives can be given to `write`: that is how it is put back.
    """

    name: ClassVar[str]
    """The name in a study, after `host.`"""
    moves: ClassVar[tuple[str, ...]] = ()
    """Knobs that the kernel sets anew when this one is turned: they are put back with it."""
    survives_boot: ClassVar[bool] = False
    """Whether the machine still has the value after it was started again."""

    @abstractmethod
    def targets(self, machine: Machine, data: Path) -> list[str]:
        """What is turned for a server with data at `data`. HostError with the reason when there is none."""

    @abstractmethod
    def show(self, machine: Machine, target: str) -> str:
        """The value in force. HostError when it cannot be read."""

    @abstractmethod
    def write(self, machine: Machine, target: str, value: str) -> None:
        """Sets it. HostError with the reason when the machine refuses."""

    @abstractmethod
    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        """Why it cannot be set here, or not to this value; None: nothing speaks against it."""

    @abstractmethod
    def exists(self, machine: Machine, target: str) -> bool:
        """Whether the target is there (still)."""

    @abstractmethod
    def by_hand(self, target: str, value: str) -> str:
        """The command with which a person sets it."""

    def kept(self, machine: Machine, target: str) -> str | None:
        """What is put back: the value that was set. None when that can be another than the one in force."""
        return self.show(machine, target)

    def identity(self, machine: Machine, target: str) -> str:
        """Differs when another thing has come to the same place since; empty when nobody can tell."""
        return ""

    def same(self, shown: str, wanted: str) -> bool:
        """Whether `shown` is what was asked for."""
        return shown == wanted

    def available(self, machine: Machine, data: Path, value: str | None = None) -> str | None:
        """Why it cannot be turned (to this value) for data there; None when it can."""
        try:
            targets = self.targets(machine, data)
        except HostError as error:
            return error.message
        return next(
            (reason for target in targets if (reason := self.refusal(machine, target, value))),
            None,
        )

    def verify(self, machine: Machine, target: str, wanted: str) -> str:
        """The value in force, read back. HostError when it is another than the wanted one."""
        shown = self.show(machine, target)
        if not self.same(shown, wanted):
            raise HostError(f"host.{self.name} of {target}: {wanted} was written, but {shown} is in effect")
        return shown

    def restore(self, machine: Machine, target: str, was: str) -> None:
        """Puts back what `show` gave before. HostError with the command to do it by hand."""
        try:
            if self.kept(machine, target) != was:
                self.write(machine, target, was)
                self.verify(machine, target, was)
        except HostError as error:
            raise HostError(
                f"host.{self.name} of {target} could not be restored to {was}: {error.message}",
                hint=f"by hand: {self.by_hand(target, was)}",
            ) from error
