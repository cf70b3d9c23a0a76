"""Flavours of server as data: the names that MySQL and MariaDB give things, by version, and where versions
come from.

Each flavour has one file. An entry holds for versions `since <= version < until`; a missing bound is open. To
add a flavour: one file here and one line in `FLAVOURS` (docs/adding/server.md).
"""

from __future__ import annotations

from assay.server.flavour import mariadb, mysql
from assay.server.flavour.entry import (
    Bootstrap,
    Divided,
    FixedFiles,
    Flavour,
    Initialize,
    InstallScript,
    Preset,
    Renamed,
    Replication,
    SemiSync,
)
from assay.server.flavour.release import Debian, Maven, Npm, Part, Release, Source, Tarball, Version

FLAVOURS: dict[str, Flavour] = {flavour.name: flavour for flavour in (mariadb.FLAVOUR, mysql.FLAVOUR)}

__all__ = [
    "FLAVOURS",
    "Bootstrap",
    "Debian",
    "Divided",
    "FixedFiles",
    "Flavour",
    "Initialize",
    "InstallScript",
    "Maven",
    "Npm",
    "Part",
    "Preset",
    "Release",
    "Renamed",
    "Replication",
    "SemiSync",
    "Source",
    "Tarball",
    "Version",
    "flavour_of",
]


def flavour_of(version_text: str) -> Flavour:
    """Returns the flavour of a version text (from `--version`, or `SELECT VERSION()`)."""
    return FLAVOURS["mariadb" if "mariadb" in version_text.lower() else "mysql"]
