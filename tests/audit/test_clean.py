"""Clean tables raise no finding."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from assay.results.audit import audit
from clean_shapes import CLEAN, Make
from printed import MAKERS
from recall import findings

TABLES = 200


@pytest.mark.sampled(2)
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_clean_tables_raise_no_finding(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for seed in range(TABLES // len(MAKERS)):
        path = make(random.Random(seed), f"{make.__name__}-{seed}").write(tmp_path)
        assert [(one.rule, one.row, one.sign) for one in audit([path]).findings] == [], seed


@pytest.mark.long
def test_clean_tables_of_one_study_together_raise_no_finding(tmp_path: Path) -> None:
    chance = random.Random(7)
    for number in range(40):
        make = MAKERS[number % len(MAKERS)]
        make(chance, f"{make.__name__}-{number}").write(tmp_path)
    found = audit([tmp_path])
    assert [(one.rule, one.file, one.row, one.sign) for one in found.findings] == []
    assert found.figures > 2_000


@pytest.mark.sampled(8)
@pytest.mark.parametrize("make", CLEAN, ids=lambda make: make.__name__)
def test_right_tables_in_the_shapes_of_pages_raise_no_finding(make: Make) -> None:
    for seed in range(3):
        found = findings(make(random.Random(seed)))
        assert [(one.rule, one.row, one.column, one.sign) for one in found] == [], seed
