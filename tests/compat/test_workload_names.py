"""Workloads belong to the engine: outside the stand-ins for other tools and the readers of their results, no
Python file names one.
"""

from __future__ import annotations

import re
from pathlib import Path

import assay
import pytest
from assay.system.engine.binary import workload_catalogue

PYTHON = Path(assay.__file__).parent
FILES = [
    path
    for path in PYTHON.rglob("*.py")
    if {"adopt", "audit", "compat", "testing"}.isdisjoint(path.relative_to(PYTHON).parts)
    and path != PYTHON / "base/format/measures.py"  # made of what the engine says
]
WORDS_OF_SQL = {"select"}
SHOWN = {"oltp_read_write"}
"""In help texts of the command line, as an example."""

VARIABLES = {"bulk_insert"}
"""Parts of the names of server variables: `bulk_insert_buffer_size`."""

OTHER_TOOLS = {"tpcc", "linkbench"}
"""Tools whose names are those of their workloads, in the help of `assay import`."""


def named(text: str, workloads: set[str]) -> set[str]:
    """Those of the workloads that the text names, in names such as `tpcc_figures` too."""
    found = re.findall(rf"(?<![a-z])({'|'.join(sorted(workloads))})(?![a-z])", text.lower())
    return set(found)


@pytest.fixture(scope="module")
def workloads() -> set[str]:
    return {entry["name"] for entry in workload_catalogue()} - WORDS_OF_SQL


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('if workload == "tpcc":', {"tpcc"}),
        ("tpcc_figures(result)", {"tpcc"}),
        ("class LinkBench:", {"linkbench"}),
        ("an attpccion; TPC-C has queued Deliveries", set()),
    ],
)
def test_names_are_found(text: str, found: set[str], workloads: set[str]) -> None:
    assert named(text, workloads) == found


def test_no_room_but_compat_knows_a_workload_by_name(workloads: set[str]) -> None:
    assert len(FILES) > 100
    for path in FILES:
        shown = SHOWN if path.parent.name == "cli" else set()
        shown = shown | OTHER_TOOLS if path.name == "importing.py" else shown
        shown = shown | VARIABLES if path.name == "known_variables.py" else shown
        assert named(path.read_text(encoding="utf-8"), workloads) <= shown, path
