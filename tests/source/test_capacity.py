"""Room that the load needs: the engine says how many statements a connection prepares."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.design.folder.manifest import Scalar
from assay.design.plan import Treatment
from assay.measurement.source.capacity import room_for
from assay.system.engine.workload_size import load_only, workload_size
from assay.testing import treatment


def _treatment(workload: str, options: dict[str, Scalar], **variables: Any) -> Treatment:
    return treatment(variables=variables, workload=workload, workload_options=options)


def test_prepared_statements_of_many_tables_and_connections() -> None:
    assert room_for(_treatment("oltp_read_write", {"tables": 4}), [64]) == {}
    wide = _treatment("oltp_read_write", {"tables": 100})
    assert room_for(wide, [1, 64]) == {"max_prepared_stmt_count": 1_048_576}
    stated = _treatment("oltp_read_write", {"tables": 100}, max_prepared_stmt_count=90_000)
    assert room_for(stated, [1, 64]) == {}
    assert room_for(_treatment("bulk_insert", {"tables": 100_000}), [64]) == {}


@pytest.mark.parametrize("client", ["tcp", "netns"])
def test_connections_over_tcp_have_room_to_wait_until_they_are_accepted(client: str) -> None:
    def raised(threads: int, **variables: Any) -> dict[str, Scalar]:
        one = _treatment("oltp_point_select", {}, **variables)
        return room_for(dataclasses.replace(one, client=client), [1, threads])

    assert raised(16) == {}
    assert raised(64) == {"back_log": 84}
    assert raised(256) == {"max_connections": 276, "back_log": 276}
    assert raised(64, back_log=50) == {}


def test_a_workload_s_size_is_the_engine_s() -> None:
    size = workload_size("oltp_read_write", {"tables": 4, "table_size": 25_000})
    assert (size.rows, size.statements) == (100_000, 4 * 9 + 2)
    assert 188 * size.rows < size.bytes < 300 * size.rows
    with pytest.raises(InputError, match="did you mean tables"):
        workload_size("oltp_read_write", {"tabels": 4})


def test_what_shapes_only_the_load() -> None:
    assert load_only("oltp_update_index") == {"index_updates"}
    assert {"pacing", "mix", "new_order"} <= load_only("tpcc")
    assert not load_only("tpcc") & {
        "warehouses",
        "dialect",
        "history_key",
        "foreign_keys",
        "create_secondary",
    }
    assert load_only("a_workload_of_tomorrow") == frozenset()
