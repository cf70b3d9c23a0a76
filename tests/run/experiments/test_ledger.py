"""What a crash may take, and what it may not."""

from __future__ import annotations

from assay.measurement.run.experiments.ledger import Ledger


def test_everything_acknowledged_is_there() -> None:
    assert Ledger(acknowledged={1, 2}).compare({1, 2}) == (0, 0)


def test_an_acknowledged_commit_that_is_gone_is_lost() -> None:
    assert Ledger(acknowledged={1, 2, 3}).compare({1}) == (2, 0)


def test_a_commit_whose_answer_was_cut_off_may_be_there_or_not() -> None:
    ledger = Ledger(acknowledged={1}, sent={2})
    assert ledger.compare({1}) == (0, 0)
    assert ledger.compare({1, 2}) == (0, 0)


def test_what_was_rolled_back_is_a_ghost() -> None:
    assert Ledger(acknowledged={1}).compare({1, -1}) == (0, 1)
    assert Ledger(acknowledged={1}).compare({1, 7}) == (0, 1)
