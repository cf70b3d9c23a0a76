"""Changes a study for its gate: the two builds that it compares, and claims of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from assay.errors import InputError
from assay.lab import USE, sets_server
from assay.study import Changes

BUILD, BASE, NEW = "build", "base", "new"
"""The factor of the two builds, and its levels."""


def with_builds(raw: Mapping[str, Any], base: str, new: str) -> Changes:
    """Returns the changes that give a study file these two servers, as levels `base` and `new` of the factor
    `build`.

    `raw` has the tables of the file. A study that varies no server gains the factor; in one that has it, the
    servers of the two levels are replaced. Raises InputError for a study that varies its server otherwise.
    """
    factors = deepcopy(list(raw.get("factor", ())))
    of_server = [one for one in factors if sets_server(one)]
    if not of_server:
        server = {key: value for key, value in raw.get("server", {}).items() if key != "use"}
        made = {"name": BUILD, "keys": [USE], "levels": [BASE, NEW], "values": [[base], [new]]}
        return {("server",): server, ("factor",): [made, *factors]}
    build = of_server[0]
    uses = {BASE: base, NEW: new}
    if len(of_server) > 1 or build.get("name") != BUILD or not _replaced(build, uses):
        raise InputError(
            f"--base and --new need a study without a factor of {USE}, or with the factor {BUILD!r} of the"
            f" levels {BASE!r} and {NEW!r}; it has the factor {build.get('name')!r}",
            hint="leave --base and --new out, and name the levels of that factor in the claims",
        )
    return {("factor",): factors}


def with_claims(raw: Mapping[str, Any], claims: Sequence[str]) -> Changes:
    """Returns the changes that add claims to the gates of a study file."""
    return {("gate",): [*deepcopy(list(raw.get("gate", ()))), *({"claim": claim} for claim in claims)]}


def _replaced(factor: dict[str, Any], uses: Mapping[str, str]) -> bool:
    """Replaces the servers at the levels of `uses`; returns False where the factor has other levels."""
    settings = factor.get("settings")
    if set(factor.get("levels", settings or ())) != uses.keys():
        return False
    for number, level in enumerate(factor.get("levels", settings or ())):
        if settings is None:
            factor["values"][number][factor["keys"].index(USE)] = uses[level]
        elif USE in settings[level]:
            settings[level][USE] = uses[level]
        else:
            settings[level].setdefault("server", {})["use"] = uses[level]
    return True
