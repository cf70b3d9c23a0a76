"""Collations that some servers have and others lack, and those that stand in for them on every server.

Facts: the release notes of MySQL 8.0.1, MariaDB 10.10.1, 11.4.5, 11.6.1 and 11.7.2, and `SHOW COLLATION`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.system.server.flavour.release import Version


@dataclass(frozen=True)
class Family:
    """Collations by the version of Unicode in their names. `known` has flavours, each with the versions from
    and before which its servers have them; `lacked` says who does not.
    """

    mark: str
    known: tuple[tuple[str, Version, Version | None], ...]
    lacked: str

    def is_known(self, flavour: str, version: Version) -> bool:
        """Returns whether a server has these collations."""
        return any(
            name == flavour and since <= version and (until is None or version < until)
            for name, since, until in self.known
        )


FAMILIES = (
    Family(
        "0900",
        (
            ("mysql", (8, 0, 1), None),
            ("percona", (8, 0, 1), None),
            ("mariadb", (11, 4, 5), (11, 5)),
            ("mariadb", (11, 7, 2), None),
        ),
        "MariaDB before 11.4.5, MySQL before 8.0.1",
    ),
    Family("uca1400", (("mariadb", (10, 10, 1), None),), "MySQL, MariaDB before 10.10.1"),
)
UTF8MB4_BY_DEFAULT = Family(
    "",
    (("mysql", (8, 0, 1), None), ("percona", (8, 0, 1), None), ("mariadb", (11, 6, 1), None)),
    "MariaDB before 11.6, MySQL before 8.0.1",
)
"""Servers whose tables have the character set utf8mb4 where they name none; others have latin1."""
COLLATION = re.compile(r"(?<![A-Za-z0-9_])(?:[a-z0-9]+_)*(?:0900|uca1400)_[a-z0-9_]+", re.IGNORECASE)
"""The name of a collation of such a family, in a text."""


def family_of(collation: str) -> Family | None:
    """Returns the family of a collation; None for one that every server has, as far as is known."""
    parts = collation.lower().split("_")
    return next((family for family in FAMILIES if family.mark in parts), None)


def stand_in(collation: str) -> str:
    """Returns the collation that every server has and that is most like one of a family: one that tells more
    letters apart breaks no unique key.
    """
    charset = collation.partition("_")[0]
    charset = "utf8mb4" if charset == "uca1400" else charset
    tells_apart = re.search(r"_as_|_cs|_bin$", collation)
    return f"{charset}_bin" if tells_apart else f"{charset}_unicode_520_ci"
