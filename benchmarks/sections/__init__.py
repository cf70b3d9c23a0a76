"""The list of sections in order; a new one is a file and a line here."""

from __future__ import annotations

from benchmarks.section import Section
from benchmarks.sections import (
    cheap,
    dumps,
    export,
    fleet,
    floor,
    grid,
    honest,
    linkbench,
    native,
    own,
    pages,
    scaling,
    scripts,
    serving,
    statements,
    storage,
    tpcc,
    whole,
    why,
)

SECTIONS: dict[str, Section] = {
    section.name: section
    for section in (
        statements.SECTION,
        floor.SECTION,
        native.SECTION,
        own.SECTION,
        cheap.SECTION,
        dumps.SECTION,
        export.SECTION,
        whole.SECTION,
        why.SECTION,
        honest.SECTION,
        scaling.SECTION,
        grid.SECTION,
        scripts.SECTION,
        fleet.SECTION,
        pages.SECTION,
        serving.SECTION,
        storage.SECTION,
        tpcc.SECTION,
        linkbench.SECTION,
    )
}
