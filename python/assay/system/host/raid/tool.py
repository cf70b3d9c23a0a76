"""The interface of a RAID controller's command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from assay.base.errors import HostError
from assay.system.host.machine import Machine
from assay.system.host.program import run_program

Policies = dict[str, dict[str, str]]
"""The tool's word by policy and by value as studies have it; a policy without values takes a number."""

_SHOWN = 400  # characters of a long answer that are worth showing

BGI_RATE = "bgi_rate"
"""The policy of a whole controller, not of a virtual drive, in whole per cent."""


@dataclass(frozen=True)
class Drive:
    """A virtual drive of a RAID controller: its address for the tool, its disk, and its known properties."""

    controller: str
    address: str
    disk: str | None  # "sda"; None where the tool does not say
    known: dict[str, str] = field(default_factory=dict)


class RaidTool(ABC):
    """The command line of one family of controllers. Policies and values have the same names for all
    families, those of studies:

    `write_policy`: write-back, write-through, always-write-back; `read_policy`: normal, read-ahead, adaptive;
    `io_policy`: direct, cached; `bgi_rate`: 0 to 100.
    """

    name: ClassVar[str]
    programs: ClassVar[tuple[str, ...]]
    """Names under which the program is looked for, in PATH and in `folders`."""
    folders: ClassVar[tuple[str, ...]] = ()
    """Directories where the tool's package puts it, which are seldom in PATH."""
    policies: ClassVar[Policies]

    @abstractmethod
    def drives(self, machine: Machine) -> list[Drive]:
        """Returns all virtual drives. Raises HostError when the program fails."""

    @abstractmethod
    def show(self, machine: Machine, address: str, policy: str) -> str:
        """Returns the value of a policy in force. Raises HostError when the tool does not show it."""

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        """Returns the configured value, which differs from the one in force when the battery is not charged;
        None when the tool does not show it.
        """
        return None

    @abstractmethod
    def settings(self, address: str, policy: str, value: str) -> list[list[str]]:
        """Returns the arguments of each call that sets a policy."""

    def reading(self, machine: Machine) -> dict[str, str]:
        """Returns the properties of the controllers themselves, for the facts."""
        return {}

    def write(self, machine: Machine, address: str, policy: str, value: str) -> None:
        """Sets a policy. Raises HostError with the tool's reason when it refuses."""
        for arguments in self.settings(address, policy, value):
            self.run(machine, arguments)

    def program(self, machine: Machine) -> Path | None:
        """Returns the path of the tool; None when it is not installed."""
        found = machine.program(*self.programs)
        if found is not None or machine.root != Path("/"):
            return found
        places = (Path(folder) / name for folder in self.folders for name in self.programs)
        return next((place for place in places if place.is_file()), None)

    def run(self, machine: Machine, arguments: list[str]) -> str:
        """Runs the tool and returns what it prints.

        Raises HostError when it fails, with the tool's reason where it gives one.
        """
        program = self.program(machine)
        if program is None:
            raise HostError(
                f"{self.name} is no longer installed",
                hint=f"install it again; its program is called {self.programs[0]}",
            )
        command = [str(program), *arguments]
        done = run_program(command)
        if done.returncode != 0:
            said = (done.stdout + done.stderr).strip()
            reason = self.reason(said)
            raise HostError(
                f"{' '.join(command)} ended with exit code {done.returncode}"
                + ("" if reason is None else f": {reason}"),
                detail=said[:_SHOWN] or None,
            )
        return done.stdout

    def reason(self, said: str) -> str | None:
        """Returns why a call failed, in the tool's words; None where it gave no reason."""
        return None

    def by_hand(self, address: str, policy: str, value: str) -> str:
        calls = self.settings(address, policy, value)
        return " && ".join(" ".join([self.programs[0], *arguments]) for arguments in calls)


def disk_by_identifier(machine: Machine, identifier: str) -> str | None:
    """Returns the disk with this NAA identifier (in sysfs `naa.6000…`); None when there is none."""
    wanted = f"naa.{identifier.strip().lower()}"
    return next(
        (
            name
            for name in machine.names("/sys/block")
            if machine.text(f"/sys/block/{name}/device/wwid") == wanted
        ),
        None,
    )


def disk_named(path: str) -> str | None:
    """Returns the name of a device's path (`/dev/sda` gives `sda`); None for a path outside /dev."""
    return path.removeprefix("/dev/") if path.startswith("/dev/") else None
