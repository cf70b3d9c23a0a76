"""The scripts to compare: those of the sysbench package, or a list of one's own."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

PACKAGE = Path("/usr/share/sysbench")
_SMALL = ("--tables=2", "--table-size=10000")


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A script, its options, and the commands around its runs, each with options of its own if need be.

    A run lasts as long as the command line says, or for `events` events. `fresh`: its first run leaves the
    tables in a state that the second cannot begin with, so they are made anew. `grows`: its later events have
    longer statements, so sysbench carries out as many events as Assay did. `loose`: the script chooses its
    statements by chance, so counts of two runs differ.
    """

    script: str
    folder: str = "."
    options: list[str] = msgspec.field(default_factory=list)
    before: list[str] = msgspec.field(default_factory=lambda: ["prepare"])
    after: list[str] = msgspec.field(default_factory=lambda: ["cleanup"])
    events: int = 0
    fresh: bool = False
    grows: bool = False
    loose: bool = False
    setup: list[str] = msgspec.field(default_factory=list)
    name: str = ""

    @property
    def title(self) -> str:
        """The name of the case in the table."""
        return self.name or Path(self.script).name


class _Cases(msgspec.Struct, forbid_unknown_fields=True):
    case: list[Case]


def debian_cases() -> Sequence[Case]:
    """Returns the eleven scripts of Debian's package. Raises OSError where it is not installed."""
    names = sorted(file.name for file in PACKAGE.glob("*.lua") if file.name != "oltp_common.lua")
    if not names:
        raise FileNotFoundError(f"{PACKAGE} has no scripts: scripts/machine sysbench")
    cases = [_debian_case(name) for name in names]
    return sorted(cases, key=lambda case: case.grows)  # what takes longest comes last


def read_cases(file: Path) -> Sequence[Case]:
    """Returns the cases of a TOML file, `[[case]]` each. Raises msgspec.ValidationError for a wrong key."""
    return msgspec.convert(tomllib.loads(file.read_text()), _Cases).case


def _debian_case(name: str) -> Case:
    # Each of these knows one table only.
    single = ("--tables=1",) if name.startswith("select_random") else ()
    counts_up = name == "bulk_insert.lua"  # its ids begin with 1 in each run, and have more and more digits
    return Case(script=str(PACKAGE / name), options=[*_SMALL, *single], fresh=counts_up, grows=counts_up)
