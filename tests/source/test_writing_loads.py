"""A server that refuses writes only suits loads that only read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_treatments
from assay.design.study import Scalar
from assay.measurement.source.writing import writes_rows
from assay.system.engine import workload_catalogue
from assay.system.server.variables import check_writing
from fixtures.studies import valid

READING = {"oltp_read_only", "oltp_point_select", "select", "select_random_points", "select_random_ranges"}


def _writes(name: str, options: dict[str, Scalar] | None = None) -> bool:
    treatment = make_treatments(valid())[0]
    return writes_rows(replace(treatment, workload=name, workload_options=options or {}))


def test_every_workload_of_the_engine_is_known_to_read_or_to_write() -> None:
    names = {str(entry["name"]) for entry in workload_catalogue()}
    assert {name for name in names if not _writes(name)} == READING
    assert not _writes("lua:oltp_point_select")
    assert _writes("lua:oltp_insert")


@pytest.mark.parametrize(
    ("options", "writes"),
    [
        ({}, True),
        ({"workload": "a"}, True),
        ({"workload": "c"}, False),
        ({"workload": "C", "insertproportion": 0}, False),
        ({"workload": "c", "updateproportion": 0.1}, True),
    ],
)
def test_a_core_workload_writes_by_its_shares(options: dict[str, Scalar], writes: bool) -> None:
    assert _writes("ycsb", options) is writes


def test_nobody_knows_what_a_script_of_somebodys_own_does() -> None:
    assert not _writes("lua:mine.lua")
    assert not _writes("lua:dir/mine.lua")


@pytest.mark.parametrize("isolation", ["READ-COMMITTED", "read uncommitted", "1"])
def test_a_log_of_statements_wants_repeatable_reads(isolation: str) -> None:
    logged: dict[str, Scalar] = {"log_bin": "x", "binlog_format": "STATEMENT"}
    with pytest.raises(InputError, match="refuses every write"):
        check_writing({**logged, "transaction_isolation": isolation})
    check_writing({**logged, "transaction_isolation": "REPEATABLE-READ"})
    check_writing({"binlog_format": "STATEMENT", "transaction_isolation": isolation})
