"""What a RAID controller's command line must be able to do for us."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from assay.errors import HostError
from assay.host.machine import Machine
from assay.host.program import run_program

Policies = dict[str, dict[str, str]]
"""Policy -> value as studies have it -> as the tool takes it; without values: a number."""

BGI_RATE = "bgi_rate"
"""The one policy that is a controller's, not a virtual drive's: a whole number of per cent."""


@dataclass(frozen=True)
class Drive:
    """A virtual drive: where it is, as the tool addresses it, and what is known of it."""

    controller: str
    address: str
    disk: str | None  # "sda"; None where the tool does not say
    known: dict[str, str] = field(default_factory=dict)


class RaidTool(ABC):
    """One family of controllers. Policies and their values are spelled alike for all, as studies have them:

    `write_policy`: write-back, write-through, always-write-back; `read_policy`: normal, read-ahead, adaptive;
    `io_policy`: direct, cached; `bgi_rate`: 0 to 100.
    """

    name: ClassVar[str]
    programs: ClassVar[tuple[str, ...]]
    """What it may be called, in PATH or in `folders`."""
    folders: ClassVar[tuple[str, ...]] = ()
    """Where its package puts it, which is seldom in PATH."""
    policies: ClassVar[Policies]

    @abstractmethod
    def drives(self, machine: Machine) -> list[Drive]:
        """All virtual drives. HostError when the program fails."""

    @abstractmethod
    def show(self, machine: Machine, address: str, policy: str) -> str:
        """The value in force. HostError when it is not said."""

    def configured(self, machine: Machine, address: str, policy: str) -> str | None:
        """What was set; without a charged battery another is in force. None when the tool does not say."""
        return None

    @abstractmethod
    def setting(self, address: str, policy: str, value: str) -> list[str]:
        """The arguments that set it."""

    def reading(self, machine: Machine) -> dict[str, str]:
        """What is known of the controllers themselves, for the facts."""
        return {}

    def write(self, machine: Machine, address: str, policy: str, value: str) -> None:
        """HostError with the tool's own words when it refuses."""
        self.run(machine, self.setting(address, policy, value))

    def program(self, machine: Machine) -> Path | None:
        """None when it is not installed."""
        found = machine.program(*self.programs)
        if found is not None or machine.root != Path("/"):
            return found
        places = (Path(folder) / name for folder in self.folders for name in self.programs)
        return next((place for place in places if place.is_file()), None)

    def run(self, machine: Machine, arguments: list[str]) -> str:
        """What it prints. HostError when it fails."""
        program = self.program(machine)
        if program is None:
            raise HostError(
                f"{self.name} is not installed any more", hint=f"it was called {self.programs[0]}"
            )
        command = [str(program), *arguments]
        done = run_program(command)
        if done.returncode != 0:
            raise HostError(
                f"{' '.join(command)} ended with exit code {done.returncode}",
                detail=(done.stdout + done.stderr).strip() or None,
            )
        return done.stdout

    def by_hand(self, address: str, policy: str, value: str) -> str:
        return " ".join([self.programs[0], *self.setting(address, policy, value)])
