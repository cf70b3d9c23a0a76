"""Parses `server.use` where it names a flavour and a version: `mariadb`, `mysql@8`, `mariadb@10.11`."""

from __future__ import annotations

import difflib

from assay.base.errors import InputError
from assay.design.study import masked
from assay.system.server.flavour import FLAVOURS, Flavour, Version


def parse_use(use: str) -> tuple[Flavour, Version]:
    """Returns the flavour, and the given numbers of the version. Raises InputError, which names the nearest
    flavour, for an unknown one.
    """
    name, _, version = use.partition("@")
    flavour = FLAVOURS.get(name)
    if flavour is None:
        nearest = difflib.get_close_matches(name, [*FLAVOURS, "path:", "dsn:"], n=1)
        raise InputError(
            f"server.use = {masked(use)!r}: no such server"
            + (f"; nearest is {nearest[0]!r}" if nearest else ""),
            hint=f"known: {', '.join(FLAVOURS)} (with @version), path:/base/dir, dsn:mysql://user@host:port/db",
        )
    return flavour, _version(flavour, version)


def _version(flavour: Flavour, text: str) -> Version:
    try:
        return tuple(int(part) for part in text.split(".")) if text else ()
    except ValueError:
        raise InputError(
            f"server.use = '{flavour.name}@{text}': {text!r} is not a version",
            hint=f"a version is numbers and dots, as many as matter: {flavour.name}@10.11, {flavour.name}@8",
        ) from None
