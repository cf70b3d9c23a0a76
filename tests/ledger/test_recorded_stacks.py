"""Stacks that were recorded on servers under oltp_read_write: nearly all have a name and a group."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from assay.design.folder import ProfileFolder, StackProfile, read_packed
from assay.results.ledger import UNNAMED
from assay.results.ledger.groups import group_of, group_rules

PLACE = Path(__file__).parent / "stacks"
SERVERS = sorted(file.name.removesuffix(".json.gz") for file in PLACE.glob("*.json.gz"))
FIRST = ("execute", "resolve", "row-read", "kernel-network")
"""Groups that such a load of short statements uses a processor for on every server."""


@pytest.mark.parametrize("server", SERVERS)
def test_recorded_stacks_have_names_and_groups(server: str) -> None:
    seen = read_packed(ProfileFolder(PLACE, PLACE), server, StackProfile)
    assert seen is not None
    groups: Counter[str] = Counter()
    without_identity = 0
    for one in seen.stacks:
        stack = [seen.functions[place] for place in one.functions]
        groups[group_of(stack, seen.threads[one.thread].name, group_rules(), UNNAMED)] += one.samples
        without_identity += one.samples if not stack[0].known and "+0x" not in stack[0].name else 0
    assert groups[UNNAMED] <= 0.02 * seen.samples
    assert without_identity <= 0.02 * seen.samples
    assert all(groups[one] >= 0.02 * seen.samples for one in FIRST), groups


def test_both_families_are_recorded() -> None:
    assert {server.partition("-")[0] for server in SERVERS} == {"mariadb", "mysql"}
