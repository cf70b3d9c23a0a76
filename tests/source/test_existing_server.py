"""A server that runs already is used unchanged: whatever would need a change is refused before any login."""

from __future__ import annotations

from typing import Any

import pytest
from assay.base.errors import InputError
from assay.measurement.source.disk_budget import DiskBudget
from assay.measurement.source.running import ExistingServer
from assay.system.engine.interrupts import Interrupts
from assay.system.server import parse_dsn
from assay.testing import treatment


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("host", {"block.scheduler": "none"}, r"host\.block\.scheduler needs"),
        ("volume", {"file_system": "xfs"}, r"volume\.file_system needs"),
        ("given", {"server.numa": "interleave"}, r"server\.numa needs"),
        ("given", {"server.cpus": "0"}, r"server\.cpus needs"),
        ("client", "tcp", r"load\.client needs"),
    ],
)
def test_what_needs_a_server_of_the_labs(key: str, value: Any, named: str) -> None:
    server = ExistingServer(parse_dsn("dsn:mysql://nobody@127.0.0.1:1/none"), Interrupts())
    with pytest.raises(InputError, match=f"{named} a server that the lab starts"):
        server.check([treatment(server_use="dsn:", **{key: value})], DiskBudget())
