"""The audit finds every kind of planted fault in its place, and has no finding about other rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.results.audit import Finding, audit
from faults import FAULTS, Planted

EACH = 20
LEAST = 19  # of EACH: a slip may land where noise explains it


def _names(found: Finding, planted: Planted) -> bool:
    return (
        found.rule == planted.rule
        and found.table.startswith(planted.table)
        and planted.column in found.column
        and planted.row in found.row + ","
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found_in_its_place(
    fault: Callable[[random.Random], Planted], tmp_path: Path
) -> None:
    hits = 0
    missed = []
    for seed in range(EACH):
        planted = fault(random.Random(seed))
        found = audit([table.write(tmp_path) for table in planted.tables]).findings
        hit = any(_names(one, planted) for one in found)
        hits += hit
        if not hit:
            missed.append(
                (seed, planted.row, planted.column, [(one.rule, one.row, one.column) for one in found])
            )
        for one in found:
            assert planted.row in one.row + "," or planted.row == "every row", (seed, one)
    assert hits >= LEAST, missed
