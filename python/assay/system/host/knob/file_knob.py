"""The base class of knobs that are a file of the kernel, in /sys or /proc."""

from __future__ import annotations

import os
from abc import abstractmethod
from pathlib import Path
from typing import ClassVar

from assay.base.errors import HostError
from assay.base.privileges import REFUSED, PrivilegeError, refused
from assay.design.study import did_you_mean
from assay.system.host.knob.knob import Knob
from assay.system.host.machine import Machine
from assay.system.host.privileges import lacks

THIS_MACHINE = "this machine"
"""The target of a knob that the machine has only once."""


class FileKnob(Knob):
    """A knob with one kernel file for each target. A file such as `none [mq-deadline] kyber` also lists the
    allowed values.
    """

    absent: ClassVar[str]
    """The reason why the file may be missing."""

    @abstractmethod
    def file(self, target: str) -> str:
        """Returns the path of the setting's file, as `Machine.text` takes it."""

    def targets(self, machine: Machine, data: Path) -> list[str]:
        return [THIS_MACHINE]

    def exists(self, machine: Machine, target: str) -> bool:
        return machine.text(self.file(target)) is not None

    def show(self, machine: Machine, target: str) -> str:
        shown = machine.chosen(self.file(target))
        if shown is None:
            raise HostError(f"host.{self.name}: there is no {self.file(target)}: {self.absent}")
        return shown

    def write(self, machine: Machine, target: str, value: str) -> None:
        put(machine, self.file(target), value)

    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        file = self.file(target)
        text = machine.text(file)
        if text is None:
            return f"there is no {file}: {self.absent}"
        if not os.access(machine.path(file), os.W_OK):
            lacking = lacks("settings", machine) or refused("settings", f"{file} cannot be written")
            return f"that {lacking}"
        choices = self.choices(machine, target)
        if value is not None and choices and value not in choices:
            return f"{file} does not offer {value}{did_you_mean(value, choices)}"
        return None

    def choices(self, machine: Machine, target: str) -> list[str]:
        """Returns the values that may be written, where the kernel lists them; otherwise empty."""
        text = machine.text(self.file(target)) or ""
        return [word.strip("[]") for word in text.split()] if "[" in text else []

    def by_hand(self, target: str, value: str) -> str:
        return f"echo {value} > {self.file(target)}"


def put(machine: Machine, file: str, value: str) -> None:
    """Writes one value into a kernel file. Raises HostError with the kernel's reason when it is refused."""
    try:
        # Not Path.write_text: these files are there already, or the knob is not.
        with machine.path(file).open("r+", encoding="ascii") as out:
            out.truncate(0)
            out.write(f"{value}\n")
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or error
        if getattr(error, "errno", None) in REFUSED:
            raise PrivilegeError(
                f"{file} = {value}", refused("settings", f"the kernel says: {reason}")
            ) from error
        raise HostError(f"{file} does not accept {value}: {reason}") from error
