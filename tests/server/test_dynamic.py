"""Variables that are set on a running server, and the errors of a server that refuses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from assay.base.errors import ServerError
from assay.system.server import Build, Instance
from assay.system.server.variables.dynamic import try_running

pytestmark = pytest.mark.live


def value(server: Instance, name: str) -> str:
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT @@global.{name}")
        row = cursor.fetchone()
        return str(row[0]) if row else ""


def test_they_are_set_and_read_back(new: Callable[..., Instance]) -> None:
    with new({"innodb_buffer_pool_size": "32M"}) as server:
        server.set_running(
            {
                "innodb_buffer_pool_size": "64M",
                "innodb_max_dirty_pages_pct": 42.5,
                "general_log": False,
                "init_connect": "SET @a = '1'",
                "tx_isolation": "READ-COMMITTED",
            }
        )
        assert value(server, "innodb_buffer_pool_size") == str(64 << 20)
        assert value(server, "innodb_max_dirty_pages_pct") == "42.5"
        assert value(server, "tx_isolation") == "READ-COMMITTED"
        assert value(server, "init_connect") == "SET @a = '1'"


def test_a_number_that_is_a_text(new: Callable[..., Instance]) -> None:
    with new() as server:
        server.set_running({"init_connect": "1"})
        assert value(server, "init_connect") == "1"


def test_what_is_refused_in_the_servers_words(new: Callable[..., Instance]) -> None:
    with new() as server:
        with pytest.raises(ServerError, match="is a read only variable") as caught:
            server.set_running({"performance_schema": True})
        assert caught.value.hint == "server.variables.performance_schema sets it at the start"
        with pytest.raises(ServerError, match=r"tx_isolation = SOME: .*can't be set to the value of 'SOME'"):
            server.set_running({"tx_isolation": "SOME"})
        with pytest.raises(ServerError, match="asked for 1, the server has 100"):
            server.set_running({"innodb_io_capacity": 1})


def test_a_trial_leaves_the_server_as_it_was(new: Callable[..., Instance], mariadb_build: Build) -> None:
    with new({"max_connections": 55}) as server, closing(server.connect()) as connection:
        try_running(mariadb_build.flavour, connection, {"max_connections": 77, "general_log": False}, "here")
        assert value(server, "max_connections") == "55"
