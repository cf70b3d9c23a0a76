"""Whether a server has native asynchronous I/O at work is a fact of the run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from assay.system.host import aio_contexts
from assay.system.server import Instance

pytestmark = pytest.mark.live


def test_contexts_of_a_server(new: Callable[..., Instance]) -> None:
    with new({"innodb_use_native_aio": True}) as server:
        assert (aio_contexts(server.pid) or 0) > 0
    with new({"innodb_use_native_aio": False}) as server:
        assert aio_contexts(server.pid) == 0


def test_a_process_that_is_gone() -> None:
    assert aio_contexts(2**22 - 1) is None
