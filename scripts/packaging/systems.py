"""The systems that packages are tested on: their suites, archives, and the version of Python they have."""

from __future__ import annotations

from dataclasses import dataclass

_DEBIAN = "http://deb.debian.org/debian"
_UBUNTU = "http://archive.ubuntu.com/ubuntu"


@dataclass(frozen=True)
class System:
    """A release of a distribution. `python`: the version that its package is for."""

    name: str
    suite: str
    archive: str
    python: str
    keys: str
    components: str = "main"

    def sources(self, *, signed: bool) -> str:
        """Returns apt's list of sources: Ubuntu 22.04 has its Python 3.11 among its updates alone."""
        trusted = "" if signed else "[trusted=yes] "
        suites = (self.suite, f"{self.suite}-updates")
        return "".join(f"deb {trusted}{self.archive} {one} {self.components}\n" for one in suites)


SYSTEMS = (
    System("debian-12", "bookworm", _DEBIAN, "3.11", "debian-archive-keyring.gpg"),
    System("debian-13", "trixie", _DEBIAN, "3.13", "debian-archive-keyring.gpg"),
    System("ubuntu-22.04", "jammy", _UBUNTU, "3.11", "ubuntu-archive-keyring.gpg", "main universe"),
    System("ubuntu-24.04", "noble", _UBUNTU, "3.12", "ubuntu-archive-keyring.gpg", "main universe"),
)
PYTHONS = tuple(sorted({system.python for system in SYSTEMS}))
"""The versions of Python for which there are packages."""
