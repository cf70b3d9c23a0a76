"""The systems that packages are tested on: their suites, archives, and the version of Python they have."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class System:
    """A release of a distribution. `python`: the version that its package is for."""

    name: str
    distribution: str
    suite: str
    python: str
    keys: str
    components: str = "main"

    @property
    def variable(self) -> str:
        """The environment variable with the address of the distribution's archive."""
        return f"ASSAY_{self.distribution.upper()}_ARCHIVE"

    def archive(self) -> str | None:
        """Returns the address of the distribution's archive: that of its variable, else the one that this
        machine's apt uses; None where neither says one.
        """
        if given := os.environ.get(self.variable):
            return given
        asked = ("apt-get", "indextargets", "--format", "$(ORIGIN) $(SITE)", "Created-By: Packages")
        try:
            said = subprocess.run(asked, capture_output=True, text=True, timeout=60).stdout
        except (OSError, subprocess.TimeoutExpired):
            return None
        found = (line.split() for line in said.splitlines())
        sites = (words[1] for words in found if len(words) == 2 and words[0].lower() == self.distribution)
        return next((site for site in sites if "security" not in site), None)

    def sources(self, archive: str, *, signed: bool) -> str:
        """Returns apt's list of sources: Ubuntu 22.04 has its Python 3.11 among its updates alone."""
        trusted = "" if signed else "[trusted=yes] "
        suites = (self.suite, f"{self.suite}-updates")
        return "".join(f"deb {trusted}{archive} {one} {self.components}\n" for one in suites)


SYSTEMS = (
    System("debian-12", "debian", "bookworm", "3.11", "debian-archive-keyring.gpg"),
    System("debian-13", "debian", "trixie", "3.13", "debian-archive-keyring.gpg"),
    System("ubuntu-22.04", "ubuntu", "jammy", "3.11", "ubuntu-archive-keyring.gpg", "main universe"),
    System("ubuntu-24.04", "ubuntu", "noble", "3.12", "ubuntu-archive-keyring.gpg", "main universe"),
)
PYTHONS = tuple(sorted({system.python for system in SYSTEMS}))
"""The versions of Python for which there are packages."""
