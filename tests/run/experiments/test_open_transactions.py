"""Room for many connections: of this process, and of the server."""

from __future__ import annotations

import resource

import pytest
from assay.base.errors import HostError
from assay.design.plan import PlannedExperiment, Treatment
from assay.measurement.source.capacity import room_for_connections, room_for_files
from assay.system.host import own_limits
from assay.testing import treatment


def test_the_limit_of_open_files_is_raised() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
        room_for_files(300)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 300
        room_for_files(100)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 300
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_more_files_than_may_be_are_an_error() -> None:
    hard = own_limits().open_files
    if hard is None:
        pytest.skip("no limit here, or one that this process may raise")
    with pytest.raises(HostError, match="open files are needed") as caught:
        room_for_files(hard + 1)
    assert "ulimit -Hn" in str(caught.value.hint)


def _treatment(**variables: int) -> Treatment:
    experiment = PlannedExperiment("open-transactions", {"sessions": 4, "transactions": 1100}, False, False)
    return treatment(variables=dict(variables), experiment=experiment)


def test_the_server_s_connections_are_raised_unless_the_study_says() -> None:
    assert room_for_connections(_treatment(), 1104) == {"max_connections": 1124}
    assert room_for_connections(_treatment(), 100) == {}
    assert room_for_connections(_treatment(max_connections=9), 1104) == {}
