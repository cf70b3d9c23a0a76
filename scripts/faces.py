"""A contract for import-linter: rooms see each other through their faces.

A module of one room imports from another room only what the `__all__` of that room's package names. Where it
names a module or a package of the room, that one is public too, with all that its own `__all__` names.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

TESTING = "assay.testing"
"""Contract tests look behind the faces of what they test, as all tests do."""


class FacesContract(Contract):
    """Kept when no import between rooms goes past a face; it has no options."""

    type_name = "faces"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Breaks name importer, imported and the lines in which it is done."""
        past = [
            (importer, imported, _lines(graph, importer, imported))
            for imported in sorted(graph.modules)
            if imported.count(".") > 1 and not is_public(imported)
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if room_of(importer) not in (room_of(imported), TESTING)
        ]
        return ContractCheck(kept=not past, metadata={"past": past})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """A line for each import that goes past a face."""
        for importer, imported, lines in check.metadata["past"]:
            output.print_error(f"{importer} imports {imported} (l. {lines}): import from {face_of(imported)}")


def room_of(module: str) -> str:
    """`assay.server` of `assay.server.process.port`."""
    return ".".join(module.split(".")[:2])


def is_public(module: str) -> bool:
    """Whether every package above a module, from its room down, names what leads to it."""
    above, _, name = module.rpartition(".")
    return above.count(".") == 0 or (is_public(above) and name in exported(above))


def face_of(module: str) -> str:
    """The package to import from instead."""
    while not is_public(module):
        module = module.rpartition(".")[0]
    return module


def exported(package: str) -> list[str]:
    """Names in `__all__` of a package; those of a module are not asked for."""
    face: Any = import_module(package)
    return list(getattr(face, "__all__", ()))


def _lines(graph: ImportGraph, importer: str, imported: str) -> str:
    details = graph.get_import_details(importer=importer, imported=imported)
    return ", ".join(str(detail["line_number"]) for detail in details)
