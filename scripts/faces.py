"""A contract for import-linter: a room imports from another room only names of its `__init__.py`. A room is a
module or package of a wing: `assay.system.server`.

A module may import what the `__all__` of another room's package names. Where that names a module or a package
of the room, the module is public too, with all that its own `__all__` names.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

TESTING = "assay.testing"
"""The room of contract tests, which, like all tests, may import private modules."""


class FacesContract(Contract):
    """A contract that is kept when every import between rooms uses a name in the other room's `__all__`; it
    has no options.
    """

    type_name = "faces"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Returns the breaks, each with importer, imported module and line numbers."""
        past = [
            (importer, imported, _lines(graph, importer, imported))
            for imported in sorted(graph.modules)
            if imported.count(".") > 2 and not is_public(imported)
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if room_of(importer) not in (room_of(imported), TESTING)
        ]
        return ContractCheck(kept=not past, metadata={"past": past})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Prints a line for each import that breaks the contract."""
        for importer, imported, lines in check.metadata["past"]:
            output.print_error(f"{importer} imports {imported} (l. {lines}): import from {face_of(imported)}")


def room_of(module: str) -> str:
    """Returns the room of a module: `assay.system.server` for `assay.system.server.process.port`."""
    return TESTING if f"{module}.".startswith(f"{TESTING}.") else ".".join(module.split(".")[:3])


def is_public(module: str) -> bool:
    """Returns whether every package above a module, from its room down, names the next part of its path."""
    above, _, name = module.rpartition(".")
    return above.count(".") <= 1 or (is_public(above) and name in exported(above))


def face_of(module: str) -> str:
    """Returns the package from which the module's names should be imported instead."""
    while not is_public(module):
        module = module.rpartition(".")[0]
    return module


def exported(package: str) -> list[str]:
    """Returns the `__all__` of a package; empty without one."""
    face: Any = import_module(package)
    return list(getattr(face, "__all__", ()))


def _lines(graph: ImportGraph, importer: str, imported: str) -> str:
    details = graph.get_import_details(importer=importer, imported=imported)
    return ", ".join(str(detail["line_number"]) for detail in details)
