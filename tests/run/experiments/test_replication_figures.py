"""What is made of commits and of checksums."""

from __future__ import annotations

import pytest
from assay.measurement.run.experiments.ledger import Ledger
from assay.measurement.run.experiments.replicas import differing
from assay.measurement.run.experiments.replication import commit_figures


def test_commits_of_a_stretch_in_order_of_length() -> None:
    ledger = Ledger(commits=[(10, 5.0), (20, 1.0), (30, 9.0), (40, 2.0)])
    assert ledger.commit_ms(10, 40) == [1.0, 5.0, 9.0]
    assert ledger.commit_ms(41, 99) == []


def test_the_fault_is_in_the_longest_only() -> None:
    steady = [float(number) for number in range(1, 101)]
    assert commit_figures(steady, [*steady, 1000.0]) == {
        "commit_mean_ms": pytest.approx(50.5),
        "commit_p95_ms": 95.0,
        "longest_commit_ms": 1000.0,
    }
    assert commit_figures([], [3.0]) == {"longest_commit_ms": 3.0}
    assert commit_figures([], []) == {}


def test_a_table_that_differs_on_two_replicas_is_one_table() -> None:
    right = {"a": "1", "b": "2", "c": "3"}
    assert differing(right, [right, right]) == 0
    assert differing(right, [{**right, "a": "9"}, {**right, "a": "8"}]) == 1
    assert differing(right, [right, {"a": "1", "b": "2"}]) == 1
    assert differing(right, [{**right, "d": "4"}]) == 1
