"""The contract that rooms see each other through their faces only."""

from __future__ import annotations

import pytest
from grimp import ImportGraph

from scripts.faces import FacesContract

CONTRACT = FacesContract("faces", session_options={}, contract_options={})


def kept(importer: str, imported: str) -> bool:
    """Whether the contract is kept by a program with this one import."""
    graph = ImportGraph()
    for module in (importer, imported):
        graph.add_module(module)
    graph.add_import(importer=importer, imported=imported, line_number=7, line_contents="from …")
    return CONTRACT.check(graph, verbose=False).kept


@pytest.mark.parametrize(
    "imported",
    [
        "assay.base.errors",  # no room
        "assay.system.server",
        "assay.system.server.release",  # a package that the face names
        "assay.system.engine.jobs",  # a module that the face names
        "assay.system.host.volume.loop",
        "assay.measurement.run.journal",  # of the same room
    ],
)
def test_what_is_public(imported: str) -> None:
    assert kept("assay.measurement.run.execute", imported)


@pytest.mark.parametrize(
    "imported",
    ["assay.system.server.connection", "assay.system.server.release.find", "assay.system.host.knob.turning"],
)
def test_what_is_private_to_a_room(imported: str) -> None:
    assert not kept("assay.measurement.run.execute", imported)
