"""A study says a variable once; servers of other versions and flavours know it by other names.

What a name is on a given server is asked of that server; the flavour only says which names mean the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assay.errors import InputError
from assay.folder.manifest import Scalar
from assay.server.build import Build
from assay.server.catalogue import catalogue, plain
from assay.server.flavour import Flavour


def translate(build: Build, variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The variables by the names of this build's options; what it knows by no name keeps the study's.

    InputError when the study says one variable by two names.
    """
    translated: dict[str, Scalar] = {}
    said: dict[str, str] = {}
    for name, value in variables.items():
        there = name_there(build.flavour, name, catalogue(build).knows) or plain(name)
        if there in translated:
            raise InputError(
                f"server variables {said[there]} and {name} are one variable on {build.flavour.title} "
                f"{build.version_number}",
                hint=f"take one of them out of the study; this server calls it {there}",
            )
        translated[there], said[there] = value, name
    return translated


def name_there(flavour: Flavour, name: str, knows: Callable[[str], bool]) -> str | None:
    """The name itself or one that means the same, whichever is known there; None when none is."""
    return next((other for other in (plain(name), *flavour.other_names(plain(name))) if knows(other)), None)


def known_only(build: Build, variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Without what this build knows by no name: for settings of the lab's own, which old servers may lack."""
    knows = catalogue(build).knows
    return {
        name: value for name, value in variables.items() if name_there(build.flavour, name, knows) is not None
    }
