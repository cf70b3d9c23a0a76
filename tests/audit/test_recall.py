"""The audit finds nearly every fault of each class, and nothing in the same files without it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from classes_of_faults import CLASSES
from fault_cases import Case
from recall import PAGE, measure, table_of_rules

EACH = 6
FLOOR = 0.9


@pytest.mark.sampled(12)
@pytest.mark.parametrize("make", CLASSES, ids=lambda make: make.__name__)
def test_faults_of_a_class_are_found_and_their_clean_twins_raise_nothing(
    make: Callable[[random.Random], Case],
) -> None:
    found = measure(make, range(1_000, 1_000 + EACH))
    assert found.found >= FLOOR * found.planted, found
    assert found.false_alarms == 0, found


def test_the_page_has_the_rules_as_they_declare_themselves() -> None:
    assert table_of_rules() in PAGE.read_text(encoding="utf-8")
