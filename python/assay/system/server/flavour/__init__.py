"""Flavours of server as data: the names that MySQL and MariaDB give things, by version, and where versions
come from.

Each flavour has one file. An entry holds for versions `since <= version < until`; a missing bound is open. To
add a flavour: one file here and one line in `FLAVOURS` (docs/adding/server.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from assay.system.server.flavour import mariadb, mysql, percona
from assay.system.server.flavour.collations import COLLATION, UTF8MB4_BY_DEFAULT, family_of, stand_in
from assay.system.server.flavour.entry import (
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
from assay.system.server.flavour.relatives import RELATIVES, UNKNOWN, relative_of
from assay.system.server.flavour.release import (
    ARCHITECTURES,
    Architecture,
    Debian,
    Maven,
    Npm,
    Part,
    Release,
    Source,
    Tarball,
    Version,
    this_machine,
)

FLAVOURS: dict[str, Flavour] = {
    flavour.name: flavour for flavour in (mariadb.FLAVOUR, percona.FLAVOUR, mysql.FLAVOUR)
}
FORK = replace(mysql.FLAVOUR, name="fork", title="a fork of MySQL", releases=(), based_on="mysql")
"""A binary that nobody has named: it is started as MySQL is, and called what it is."""

__all__ = [
    "ARCHITECTURES",
    "COLLATION",
    "FLAVOURS",
    "FORK",
    "RELATIVES",
    "UNKNOWN",
    "UTF8MB4_BY_DEFAULT",
    "Architecture",
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
    "family_of",
    "flavour_named",
    "flavour_of",
    "stand_in",
    "this_machine",
]


def flavour_of(version_text: str, variables: Mapping[str, str] | None = None) -> Flavour:
    """Returns the flavour of a server by the version that it states (`Ver …` of `--version`, or `SELECT
    VERSION()`), and by its variables where it runs.

    Whatever is not MariaDB is not MySQL: a relative is called by its own name, and has no data; a server that
    says nothing known is `UNKNOWN`.
    """
    found = {name.lower(): value for name, value in (variables or {}).items()}
    said = f"{version_text} {found.get('version_comment', '')}".strip()
    is_maria = mariadb.SAID.search(said) is not None
    other = relative_of(said, found)
    if other is not None and not (is_maria and other.name == "galera"):
        return other
    if is_maria:
        return FLAVOURS["mariadb"]
    if percona.SAID.search(said):
        return FLAVOURS["percona"]
    return FLAVOURS["mysql"] if mysql.SAID.fullmatch(said) else UNKNOWN


_OTHERS = {one.name: one.flavour for one in RELATIVES}


def flavour_named(name: str) -> Flavour:
    """Returns the flavour with this name, as a result has recorded it; one without data where the name is
    not, or no longer, known.
    """
    return FLAVOURS.get(name) or (FORK if name == FORK.name else _OTHERS.get(name, UNKNOWN))
