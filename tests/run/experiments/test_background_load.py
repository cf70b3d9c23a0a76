"""The load beside an experiment: which seconds count as before, and what a load that ended early means."""

from __future__ import annotations

import pytest
from assay.base.errors import ServerError, ServerLost
from assay.base.format.event import EngineUse
from assay.design.folder import Interval
from assay.measurement.run.experiments.background_load import BackgroundLoad

_S = 1_000_000_000


def seconds(*transactions: int) -> BackgroundLoad:
    background = BackgroundLoad(epoch_ns=100 * _S)
    background.intervals += [
        Interval(
            phase="measure",
            index=number,
            start_ns=number * _S,
            end_ns=(number + 1) * _S,
            in_flight=0,
            queued=0,
            labels={},
            engine=EngineUse(),
            transactions=count,
        )
        for number, count in enumerate(transactions)
    ]
    return background


def test_the_second_in_which_it_begins_is_not_before() -> None:
    background = seconds(100, 100, 20, 60)
    start, end = 102 * _S + _S // 2, 103 * _S + _S // 2
    assert background.tps_before(start) == 100
    assert background.tps(start, end) == [20, 60]
    assert seconds().tps_before(start) == 0


def test_a_load_that_is_over_is_no_load() -> None:
    background = seconds(100)
    background.still_there("the kill")
    background.over.set()
    with pytest.raises(ServerError, match="the load ended before the kill"):
        background.still_there("the kill")


def test_what_ended_the_load_is_told_first() -> None:
    background = seconds(100)
    background.failure = ServerLost("gone")
    background.over.set()
    with pytest.raises(ServerLost, match="gone"):
        background.still_there("the kill")
