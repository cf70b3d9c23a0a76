"""The data of the flavour Percona Server: MySQL's names and ways, of builds that say whose they are."""

from __future__ import annotations

import re
from dataclasses import replace

from assay.system.server.flavour import mysql

SAID = re.compile(r"percona server", re.IGNORECASE)
"""What its version and comment say."""

FLAVOUR = replace(
    mysql.FLAVOUR,
    name="percona",
    title="Percona Server",
    how_to_get="unpack a tarball of Percona Server, or install its package",
    releases=(),
    based_on="mysql",
)
