"""The real server of a bench: contestants log in over TCP, and only with its password."""

from __future__ import annotations

import shutil

import pytest
from assay.base.errors import ConnectError
from assay.system.server import Address

from benchmarks import engine, peer
from benchmarks.load import Load
from benchmarks.sections.statements import SECTION
from benchmarks.servers import Servers
from benchmarks.settings import Settings


def test_over_tcp_contestants_have_the_password_and_nobody_else() -> None:
    load = Load("oltp_point_select", 1, transactions=5, seconds=5, transport="tcp", tables=1, table_size=100)
    with Servers("mariadb", tables=1, table_size=100) as servers:
        real = servers.real()
        with pytest.raises(ConnectError):
            Address(user="root", port=real.port).connect()
        assert engine.run(load, real)["events"] == 5
        if shutil.which("sysbench"):
            assert peer.run(load, real)["events"] == 5


@pytest.mark.long
def test_queries_are_those_of_all_transactions_and_not_those_of_a_window_that_few_ended_in() -> None:
    load = Load("oltp_read_only", 64, seconds=1, tables=1, table_size=100)
    with Servers("mariadb", tables=1, table_size=100) as servers:
        counts = engine.Counts(queries=1000, transactions=2, drained=62)
        assert engine.all_queries(counts, load, servers.real()) == 64 * 16
        # What that asks of the server is no statement of a transaction.
        engine.of_each.cache_clear()
        (cell,) = [
            one
            for one in SECTION.cells(Settings(table_size=100), servers)
            if one.name == "read_only, 1, text"
        ]
        assert sum(cell.contestants["ours"]().values()) == 16
